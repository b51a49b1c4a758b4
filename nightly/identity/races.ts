/**
 * Tabs that refresh one session at the same moment, some of whose answers are lost (security.md SE-03): nobody is
 * signed out, and all end with one token. Plant `strict`: only the newest token is ever answered.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { refresh } from '#server/identity/session/refresh.ts'
import { addPerson } from '#tests/database/people.ts'
import { type Engine, type Figure, atLeast, none } from '#nightly/report/figure.ts'
import { type IdentityServer, identityServer } from '#nightly/places/identity-server.ts'
import { openPlace } from '#nightly/places/place.ts'

/** Whose tabs race beside one another's: rounds mostly wait. */
const peopleMax = 10

/** So many tabs of a person over the wire; each round all of them refresh, up to so many milliseconds apart. */
export async function runRefreshRaces(options: {
  engine: Engine
  tabs: number
  rounds: number
  jitterMs: number
}): Promise<Figure[]> {
  const { engine, tabs, rounds, jitterMs } = options
  const server = await identityServer(engine)
  try {
    let logouts = 0
    let forks = 0
    let begun = 0
    const race = async () => {
      const { refreshToken } = await server.signUp()
      let held = Array.from({ length: tabs }, () => refreshToken)
      for (let round = begun; begun < rounds; round = begun) {
        begun += 1
        const given = await Promise.all(held.map((token) => refreshOneTab(server, token, jitterMs)))
        logouts += given.filter((token) => token === null).length
        const tokens = given.filter((token) => token !== null)
        // A quarter of the answers is lost: those tabs come again with what they had. All meet before the next round.
        const kept = held.map((token, tab) => (tab % 4 === round % 4 ? token : (given[tab] ?? token)))
        const settled = await Promise.all(kept.map((token) => refreshOneTab(server, token, 0)))
        logouts += settled.filter((token) => token === null).length
        const newest = new Set(settled.filter((token) => token !== null))
        if (newest.size > 2 || tokens.length === 0) forks += 1
        held = Array.from(held, () => [...newest].at(-1) ?? refreshToken)
        const [one] = held
        if (one === undefined || (await refreshOneTab(server, one, 0)) === null) logouts += 1
      }
    }
    await Promise.all(Array.from({ length: Math.min(peopleMax, rounds) }, race))
    return [
      atLeast(
        `refreshes of ${tabs} tabs in ${rounds} rounds, ${engine}`,
        tabs * rounds * 2,
        tabs * rounds * 2,
      ),
      none('tabs that were signed out', logouts),
      none('rounds that ended with more than two tokens', forks),
    ]
  } finally {
    await server.close()
  }
}

/** The token that a tab ends with; `null` when the answer would sign it out. */
async function refreshOneTab(
  server: IdentityServer,
  token: string,
  jitterMs: number,
): Promise<string | null> {
  if (jitterMs > 0) await setTimeout(Math.random() * jitterMs)
  const { data } = await server.client().auth.refreshSession({ refresh_token: token })
  return data.session?.refresh_token ?? null
}

/** The same without a wire, with the fault planted: what the suite above must not miss. */
export async function runStrictRotation(): Promise<Figure[]> {
  const place = await openPlace('embedded')
  try {
    const { sessionId } = await addPerson(place.database, 'user')
    const scope = asService('supabase_auth_admin', 'write')
    const [row] = await place.owner.query(
      sql<{ text: string }>`select pg_get_functiondef('auth.refresh_session'::regproc) as text`,
    )
    const strict = (row?.text ?? '').replace(' - greatest(1, current.refreshed_lately) then', ' then')
    if (strict === row?.text)
      throw new Error('The rule of reuse is written in another way: the fault was not planted.')
    await place.owner.script(strict)
    await place.database.transaction(scope, [sql`select 1`])
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refresh(place.database, { sessionId, counter: 0 })),
    )
    return [
      none(
        'tabs that were signed out',
        outcomes.filter(({ kind }) => kind !== 'refreshed'),
      ),
    ]
  } finally {
    await place.close()
  }
}
