/**
 * The writers of the bank test: each sends one operation after the other, half of all to one customer. An
 * operation without an answer is sent again with the same key half of the time, as a careful client does.
 */
import { setTimeout } from 'node:timers/promises'
import type { History, Operation, Outcome } from './history.ts'
import type { Random } from '#nightly/fixtures/random.ts'
import type { Answer, Caller, Wire } from '#nightly/fixtures/wire.ts'

/** Shares of the traffic (security.md MO-01); the rest are replays of what was acknowledged. */
const shares = { deposit: 0.45, expense: 0.25, delete: 0.25 }
const pauseAfterNoAnswerMs = 100
const attemptsMax = 40

/** State shared by all writers. */
export type Traffic = {
  readonly wire: Wire
  readonly administrator: Caller
  readonly customers: readonly Caller[]
  readonly history: History
  /** Acknowledged and not deleted, without those that a deletion or a replay is using. */
  readonly live: Operation[]
  /** Answers that no client should see while something is down. */
  readonly surprises: string[]
  readonly end: AbortSignal
  /** Called at each acknowledgement. */
  readonly onAcknowledged: () => void
}

/** Writes until the end. */
export async function write(traffic: Traffic, random: Random): Promise<void> {
  while (!traffic.end.aborted) {
    const pick = random.number()
    if (pick < shares.deposit) await record(traffic, random, 'deposit')
    else if (pick < shares.deposit + shares.expense) await record(traffic, random, 'expense')
    else if (pick < shares.deposit + shares.expense + shares.delete) await remove(traffic, random)
    else await replay(traffic, random)
  }
}

async function record(traffic: Traffic, random: Random, kind: 'deposit' | 'expense'): Promise<void> {
  const customer = random.number() < 0.5 ? traffic.customers[0] : random.one(traffic.customers.slice(1))
  const operation: Operation = {
    kind,
    customerId: customer?.id ?? '',
    label: random.uuid(),
    id: kind === 'expense' ? random.uuid() : null,
    outcome: 'info',
  }
  traffic.history.invoke(operation)
  const outcome = await persist(random, () => send(traffic, operation))
  traffic.history.complete(operation, outcome)
  if (outcome !== 'ok') return
  traffic.onAcknowledged()
  traffic.live.push(operation)
}

/** Sends a recorded operation again: the answer is the same and nothing changes. No deletion takes it meanwhile. */
async function replay(traffic: Traffic, random: Random): Promise<void> {
  const operation = takeOne(traffic, random)
  if (operation === undefined) return
  const again = { ...operation }
  const outcome = await send(traffic, again)
  if (outcome === 'ok' && again.id !== operation.id)
    traffic.surprises.push(`the replay of ${operation.kind} ${operation.label} answered another id`)
  traffic.live.push(operation)
}

/** Takes a live operation out of the list, for its caller alone. */
function takeOne({ live }: Traffic, random: Random): Operation | undefined {
  const index = random.integer(Math.max(live.length, 1))
  const taken = live[index]
  const last = live.pop()
  if (taken !== undefined && last !== undefined && taken !== last) live[index] = last
  return taken
}

async function remove(traffic: Traffic, random: Random): Promise<void> {
  const row = takeOne(traffic, random)
  if (row === undefined) return
  const operation: Operation = { ...row, kind: 'delete', outcome: 'info' }
  traffic.history.invoke(operation)
  const by = traffic.customers.find(({ id }) => id === row.customerId)
  if (by === undefined) throw new Error('A row of nobody.')
  let isFirst = true
  const outcome = await persist(random, async () => {
    const outcomeNow = outcomeOf(traffic, await traffic.wire.remove(by, row.id ?? ''), (body) => {
      const count = (body as unknown[]).length
      // Gone already: an attempt that was never answered did it.
      return count === 1 || !isFirst
    })
    isFirst = false
    return outcomeNow
  })
  traffic.history.complete(operation, outcome)
  if (outcome === 'ok') traffic.onAcknowledged()
}

/** Asks again, mostly, until there is an answer. */
async function persist(random: Random, attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let count = 0; count < attemptsMax; count += 1) {
    const outcome = await attempt()
    if (outcome !== 'info') return outcome
    // Every second writer gives up when an answer is missing; the others retry until the server is back.
    if (count === 0 && random.number() < 0.5) return 'info'
    await setTimeout(pauseAfterNoAnswerMs)
  }
  return 'info'
}

async function send(traffic: Traffic, operation: Operation): Promise<Outcome> {
  const { wire, administrator, customers } = traffic
  const { kind, customerId, label } = operation
  // The same key goes with the same body: the amount follows from the label, and so does the date.
  const movement = { customerId, label, amount: amountOf(label) }
  if (kind === 'deposit') {
    return outcomeOf(traffic, await wire.deposit(administrator, movement, label), (body) => {
      operation.id = (body as { id: string }).id
      return true
    })
  }
  const by = customers.find(({ id }) => id === customerId)
  if (by === undefined) throw new Error('An expense of nobody.')
  const id = operation.id ?? ''
  const answer = await wire.expense(by, movement, id)
  // There already: an attempt that was never answered did it.
  if (answer?.status === 409) return 'ok'
  return outcomeOf(traffic, answer, () => {
    operation.id = id
    return true
  })
}

function amountOf(label: string): string {
  const minor = 1 + (Number.parseInt(label.slice(0, 6), 16) % 100_000)
  return (minor / 100).toFixed(2)
}

function outcomeOf(traffic: Traffic, answer: Answer, isDone: (body: unknown) => boolean): Outcome {
  // 502 and 504 are a proxy's words for a server that did not answer; ours has no such status.
  if (answer === null || [502, 503, 504].includes(answer.status)) return 'info'
  if (answer.status >= 200 && answer.status < 300) return isDone(answer.body) ? 'ok' : 'fail'
  // In flight: the same key is at work for an attempt that was cut off.
  if (answer.status === 409) return 'info'
  traffic.surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.status >= 500 ? 'info' : 'fail'
}
