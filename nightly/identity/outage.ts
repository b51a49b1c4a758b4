/**
 * The database is away while signed-in clients refresh and read all the time (security.md SE-09): nobody loses their
 * session. The clients are the real ones, with what they keep in their storage. Plant: a server that answers 500 for
 * an unreachable database was seen red in nightly/process/database-faults.test.ts.
 */
import { setTimeout } from 'node:timers/promises'
import { type SupabaseClient } from '@supabase/supabase-js'
import { untilReady } from '#testing/server.ts'
import { type Figure, atLeast, none } from '#nightly/report/figure.ts'
import { identityServer } from '#nightly/places/identity-server.ts'

/** So many clients, and the database away for so many seconds. PostgreSQL: the embedded engine has no server to lose. */
export async function runDatabaseOutage(options: { clients: number; seconds: number }): Promise<Figure[]> {
  const server = await identityServer('PostgreSQL')
  try {
    const people: SupabaseClient[] = []
    for (let index = 0; index < options.clients; index += 1) people.push((await server.signUp()).client)
    let signOuts = 0
    for (const client of people) {
      client.auth.onAuthStateChange((event) => {
        if (event === 'SIGNED_OUT') signOuts += 1
      })
    }
    let calls = 0
    await server.withoutDatabase(async () => {
      const until = performance.now() + options.seconds * 1000
      await Promise.all(
        people.map(async (client) => {
          while (performance.now() < until) {
            // Refreshing goes on for up to half a minute: the client tries again by itself.
            const refreshing = client.auth.refreshSession()
            await client.auth.getUser()
            await client.from('transactions').select('id').limit(1)
            calls += 3
            await refreshing
            await setTimeout(200)
          }
        }),
      )
    })
    // The database may take a moment to come back, and the pool another.
    await untilReady(server.url)
    // A client does not try a token again for a minute after it failed; a tab that is opened now does.
    const after = await Promise.all(
      people.map(async (client) => {
        const { data } = await client.auth.getSession()
        const kept = data.session?.refresh_token ?? ''
        return server.client().auth.refreshSession({ refresh_token: kept })
      }),
    )
    return [
      atLeast(
        `calls of ${options.clients} clients while the database was away for ${options.seconds} s`,
        calls,
        options.clients,
      ),
      none('clients that were signed out', signOuts),
      none(
        'sessions lost',
        after.filter(({ data }) => data.session === null),
      ),
    ]
  } finally {
    await server.close()
  }
}
