/**
 * Compares how the server refreshes sessions with a small reference model (security.md SE-01, SE-06). The model and the
 * server carry out the same random steps. A step waits, signs out, or presents the active or an older refresh token in
 * one or several simultaneous requests.
 */
import fc from 'fast-check'
import { type Database, sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { refresh } from '#server/people/session/sessions.ts'
import { addPerson } from '#tests/database/people.ts'
import { type Metric, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { type Engine, openBank } from '#nightly/fixtures/servers.ts'

const day = 24 * 3600

type Step =
  /**
   * Presents the token that was active `back` refreshes ago. If `back` is -1, presents a token that was never issued.
   */
  | { kind: 'present'; back: number; together: number }
  | { kind: 'wait'; seconds: number }
  | { kind: 'sign out' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('present' as const),
      back: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, -1),
      together: fc.constantFrom(1, 1, 1, 2, 5),
    }),
  },
  {
    weight: 15,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 9, 10, 11, 3600, 6 * day, 7 * day),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sign out' as const }) },
)

/** Reference model of the HTTP behaviour, without a database. */
class Reference {
  #counter = 0
  #isOver = false
  #age = 0
  #sinceRefresh: number | null = null
  /** Seconds since each token was replaced, keyed by the token's counter. */
  readonly #replaced = new Map<number, number>()

  get counter(): number {
    return this.#counter
  }

  wait(seconds: number): void {
    this.#age += seconds
    if (this.#sinceRefresh !== null) this.#sinceRefresh += seconds
    for (const [counter, ago] of this.#replaced) this.#replaced.set(counter, ago + seconds)
  }

  signOut(): void {
    this.#isOver = true
  }

  /** Returns the counter of the active token, or the reason why the presented token is refused. */
  present(counter: number): number | string {
    if (this.#isOver || counter > this.#counter) return 'not_found'
    if (this.#age >= 30 * day || (this.#sinceRefresh ?? this.#age) >= 7 * day) return this.#end('expired')
    if (counter === this.#counter) {
      this.#replaced.set(counter, 0)
      this.#counter += 1
      this.#sinceRefresh = 0
      return this.#counter
    }
    const isParent = counter === this.#counter - 1
    if (isParent || (this.#replaced.get(counter) ?? day) < 10) return this.#counter
    return this.#end('already_used')
  }

  #end(why: string): string {
    this.#isOver = true
    return why
  }
}

/** Runs random sequences. A run with the reported seed repeats the same sequences. */
export async function runRefreshModel(options: {
  engine: Engine
  sequences: number
  seed?: number
}): Promise<Metric[]> {
  const { engine, sequences, seed = Date.now() % 1_000_000 } = options
  const place = await openBank(engine)
  try {
    const { id: userId } = await addPerson(place.database, 'user')
    let steps = 0
    let refreshed = 0
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (sequence) => {
      steps += sequence.length
      refreshed += await compare(place.database, userId, sequence)
    })
    const verdict = await fc.check(property, { numRuns: sequences, seed })
    return [
      counted(`refresh sequences, ${engine}`, verdict.numRuns, sequences),
      metricWithoutThreshold('steps of them, and the seed', `${steps}, ${seed}`),
      counted('tokens that the server exchanged', refreshed),
      none(
        verdict.failed
          ? `differences: ${JSON.stringify(verdict.counterexample)} ${String(verdict.errorInstance)}`
          : `differences, ${engine}`,
        verdict.failed ? 1 : 0,
      ),
    ]
  } finally {
    await place.close()
  }
}

/** Returns how many tokens were exchanged. Throws if the server and the reference differ. */
async function compare(database: Database, userId: string, sequence: readonly Step[]): Promise<number> {
  const sessionId = crypto.randomUUID()
  const write = (statement: ReturnType<typeof sql>) =>
    database.transaction(asService('supabase_auth_admin', 'write'), [statement])
  await write(sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${userId})`)
  const reference = new Reference()
  let refreshed = 0
  for (const each of sequence) {
    if (each.kind === 'sign out') {
      reference.signOut()
      await write(sql`delete from auth.sessions where id = ${sessionId}`)
    } else if (each.kind === 'wait') {
      reference.wait(each.seconds)
      await write(sql`
        update auth.sessions
        set created_at = created_at - make_interval(secs => ${each.seconds}),
            refreshed_at = refreshed_at - make_interval(secs => ${each.seconds}),
            recent_refreshes = array(
              select r - make_interval(secs => ${each.seconds}) from unnest(recent_refreshes) as r)
        where id = ${sessionId}`)
    } else {
      const counter = Math.max(0, reference.counter - each.back)
      const tabs = Array.from({ length: each.together }, () => refresh(database, { sessionId, counter }))
      const given = (await Promise.all(tabs)).map((outcome) =>
        outcome.kind === 'refreshed' ? outcome.signedIn.session.refresh_counter : outcome.kind,
      )
      refreshed += given.filter((outcome) => typeof outcome === 'number').length
      // The order of the answers does not matter, because all requests are identical.
      expectSame(
        given,
        Array.from(tabs, () => reference.present(counter)),
      )
    }
  }
  return refreshed
}

function expectSame(given: readonly (number | string)[], expected: readonly (number | string)[]): void {
  const [a, b] = [given, expected].map((list) =>
    list
      .map(String)
      .toSorted((x, y) => x.localeCompare(y))
      .join(),
  )
  if (a !== b) throw new Error(`The server said ${a}, the reference ${b}.`)
}
