/**
 * Deposits that are sent more than once with one key (security.md MO-07): two at the same moment, now and then a hundred, some
 * with their answer cut off, some with another body. One row and one posting for each key, and one answer.
 */
import { sql } from '#server/database/database.ts'
import { type Engine, startBankServer } from '#nightly/fixtures/servers.ts'
import { type Metric, atLeast, grouped, known, none } from '#testing/report.ts'
import { type Random, randomOf } from '#nightly/fixtures/random.ts'
import { type Answer, type Caller, type Movement, type Wire, wireOf } from '#nightly/fixtures/wire.ts'

const callers = 8
const customersCount = 20
const crowd = 100
const keysPerCrowd = 250
const keysPerOtherBody = 20
/** Some answers are cut off before there is one, others while it is on its way. */
const cutMsMax = 12

type Found = {
  calls: number
  inFlight: number
  unanswered: number
  surprises: string[]
  differing: string[]
  otherBodies: string[]
}

/** Registers so many deposits, each several times. */
export async function runDoublePosts(options: {
  engine: Engine
  keys: number
  seed: number
}): Promise<Metric[]> {
  const { engine, keys, seed } = options
  const place = await startBankServer(engine)
  try {
    const wire = await wireOf(place.server)
    const administrator = await wire.signInAdministrator()
    const customers: Caller[] = []
    for (let number = 0; number < customersCount; number += 1)
      customers.push(await wire.signUp(`cliente-${number}@banco.example`))
    const found: Found = {
      calls: 0,
      inFlight: 0,
      unanswered: 0,
      surprises: [],
      differing: [],
      otherBodies: [],
    }
    const post: Post = (movement, key, cut) => wire.deposit(administrator, movement, key, cut)
    const labels: string[] = []
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        const random = randomOf(seed * 1000 + caller)
        while (labels.length < keys) {
          const turn = labels.length
          const label = random.uuid()
          labels.push(label)
          const movement = { customerId: random.one(customers).id, label, amount: '1.25' }
          await registerAgainAndAgain(post, { movement, turn, random }, found)
        }
      }),
    )
    await place.server.stop('SIGTERM')
    const { owner, close } = await place.open()
    const rows = await owner.query(sql<{ description: string; postings: number }>`
      select t.description, (select count(*) from ledger.journal j where j.transaction_id = t.id) as postings
      from public.transactions t`)
    await close()
    return metricsOf(engine, labels, found, rows)
  } finally {
    await place.close()
  }
}

type Post = (movement: Movement, key: string, cut?: AbortSignal) => ReturnType<Wire['deposit']>

async function registerAgainAndAgain(
  post: Post,
  { movement, turn, random }: { movement: Movement; turn: number; random: Random },
  found: Found,
): Promise<void> {
  const { label } = movement
  const times = turn % keysPerCrowd === 0 ? crowd : 2
  const answers = await Promise.all(
    Array.from({ length: times }, (_, time) =>
      post(movement, label, time === 0 && turn % 3 === 0 ? cutAfter(random) : undefined),
    ),
  )
  // Without an answer, or while the first is at work, the client retries until there is one.
  let last = await post(movement, label)
  for (; last?.status !== 200 && isTransient(last); last = await post(movement, label)) answers.push(last)
  answers.push(last)

  found.calls += answers.length
  for (const answer of answers) {
    if (answer?.status === 200) {
      if (idOf(answer) !== idOf(last))
        found.differing.push(`${label}: ${String(idOf(answer))}, ${String(idOf(last))}`)
    } else if (answer?.status === 409) found.inFlight += 1
    else if (isTransient(answer)) found.unanswered += 1
    else found.surprises.push(JSON.stringify(answer))
  }
  if (turn % keysPerOtherBody !== 0) return
  const other = await post({ ...movement, amount: '2.50' }, label)
  if (other?.status !== 422) found.otherBodies.push(JSON.stringify(other))
}

function cutAfter(random: Random): AbortSignal {
  return AbortSignal.timeout(random.integer(cutMsMax))
}

/** No answer, at work (409), or come again (503). */
function isTransient(answer: Answer): boolean {
  return answer === null || answer.status === 409 || answer.status === 503
}

function idOf(answer: Answer): unknown {
  return (answer?.body as { id?: unknown } | null)?.id
}

function metricsOf(
  engine: Engine,
  labels: readonly string[],
  { calls, inFlight, unanswered, surprises, differing, otherBodies }: Found,
  rows: readonly { description: string; postings: number }[],
): Metric[] {
  const rowsOf = Map.groupBy(rows, ({ description }) => description)
  const wrong = labels.filter(
    (label) => rowsOf.get(label)?.length !== 1 || rowsOf.get(label)?.[0]?.postings !== 1,
  )
  for (const sentence of [...surprises, ...differing, ...otherBodies, ...wrong].slice(0, 5))
    console.error(sentence)
  return [
    atLeast(`keys, each sent three times or more, ${engine}`, labels.length, labels.length),
    known(
      `calls, of which in flight (409), never answered, ${engine}`,
      [calls, inFlight, unanswered].map(grouped).join(', '),
    ),
    none(`answers other than 200, 409, 503 or silence, ${engine}`, surprises),
    none(`answers that name another row than the last one, ${engine}`, differing),
    none(`other bodies with the same key that were not refused, ${engine}`, otherBodies),
    none(`keys without exactly one row and one posting, ${engine}`, wrong),
  ]
}
