/**
 * Calls of the functions by an administrator whose bodies are wrong in one thing (security.md AD-09): an unknown field
 * or action, another type, something missing, no JSON. Each is answered 400 and nothing in the bank is another than
 * before. Plant `valid`: right bodies are among the wrong ones.
 */
import { createClient } from '@supabase/supabase-js'
import { type Engine, type Figure, atLeast, known, none } from '#nightly/report/figure.ts'
import { type IdentityServer, identityServer } from '#nightly/places/identity-server.ts'
import { randomOf } from '#nightly/places/random.ts'
import { type Attempt, validBodies, wrongAttempt } from './refused-body-corpus.ts'
import { administrator } from '#nightly/places/server-process.ts'

const togetherMax = 16

/** Sends so many of them. */
export async function runRefusedBodies(options: {
  engine: Engine
  calls: number
  seed: number
  plant?: 'valid'
}): Promise<Figure[]> {
  const { engine, calls, seed, plant } = options
  const server = await identityServer(engine)
  try {
    const customer = await server.signUp()
    const { data } = await customer.client.auth.getUser()
    const bank = await openBank(server)
    const before = await bank.read()
    const random = randomOf(seed)
    const valid = validBodies(data.user?.id ?? '')
    const attempts = Array.from({ length: calls }, () => wrongAttempt(random, valid))
    if (plant === 'valid')
      attempts.push({
        name: 'manage-transactions',
        body: JSON.stringify(valid['manage-transactions']?.[0]),
        what: 'nothing',
      })

    const statuses = new Map<number, number>()
    const odd: string[] = []
    const work = async () => {
      for (let attempt = attempts.pop(); attempt !== undefined; attempt = attempts.pop()) {
        const status = await bank.call(attempt)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 400)
          odd.push(`${status} ${attempt.name}, ${attempt.what}: ${attempt.body.slice(0, 120)}`)
      }
    }
    await Promise.all(Array.from({ length: togetherMax }, work))
    const after = await bank.read()
    return [
      atLeast(
        `wrong bodies, ${engine}`,
        [...statuses.values()].reduce((sum, count) => sum + count, 0),
        calls,
      ),
      known('answers', [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')),
      none(`answered with anything but 400 ${odd.slice(0, 5).join('; ')}`, odd),
      none(
        'tables of the bank that changed',
        before.filter((table, index) => table !== after[index]),
      ),
    ]
  } finally {
    await server.close()
  }
}

/** The bank as its administrator sees it, and calls it. */
async function openBank({ url, anonKey }: IdentityServer): Promise<{
  read(): Promise<string[]>
  call(attempt: Attempt): Promise<number>
}> {
  const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
  const { data } = await client.auth.signInWithPassword(administrator)
  const token = data.session?.access_token ?? ''
  return {
    async read() {
      const [people, done] = await Promise.all([
        client.from('profiles').select('id, full_name, role, user_safe(email)').order('id'),
        // Refusals are recorded there too, which is no effect.
        client.from('audit_entries').select('id, action, target').order('id'),
      ])
      if (people.error !== null || done.error !== null) throw new Error('The bank could not be read.')
      return [JSON.stringify(people.data), JSON.stringify(done.data)]
    },
    async call({ name, body }) {
      const answer = await fetch(`${url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      })
      await answer.arrayBuffer()
      return answer.status
    },
  }
}
