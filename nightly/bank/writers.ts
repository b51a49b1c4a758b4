/**
 * The writers of the bank test. Each writer sends one operation after the other. Half of all operations are for the
 * same customer. In half of the cases in which an answer is lost, the writer sends the operation again with the same
 * idempotency key, as a careful client does.
 */
import type { Operation, Outcome } from './history.ts'
import { type Traffic, amountOf, outcomeOf, persist } from './traffic.ts'
import { transfer } from './transfers.ts'
import type { Random } from '#nightly/fixtures/random.ts'

/**
 * Share of each kind of operation in the traffic (security.md MO-01). The rest of the traffic repeats acknowledged
 * operations.
 */
const shares = { deposit: 0.3, expense: 0.2, delete: 0.2, transfer: 0.25 }

/** Sends operations until the end of the run. */
export async function write(traffic: Traffic, random: Random): Promise<void> {
  const { deposit, expense, delete: deletion } = shares
  while (!traffic.end.aborted) {
    const pick = random.number()
    if (pick < deposit) await record(traffic, random, 'deposit')
    else if (pick < deposit + expense) await record(traffic, random, 'expense')
    else if (pick < deposit + expense + deletion) await remove(traffic, random)
    else if (pick < deposit + expense + deletion + shares.transfer) await transfer(traffic, random)
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
    state: null,
    outcome: 'info',
  }
  traffic.history.invoke(operation)
  const outcome = await persist(random, () => send(traffic, operation))
  traffic.history.complete(operation, outcome)
  if (outcome !== 'ok') return
  traffic.onAcknowledged()
  traffic.live.push(operation)
}

/**
 * Sends a recorded operation again and expects the same answer. No other writer is allowed to delete the row meanwhile.
 */
async function replay(traffic: Traffic, random: Random): Promise<void> {
  const operation = takeOne(traffic, random)
  if (operation === undefined) return
  const again = { ...operation }
  const outcome = await send(traffic, again)
  if (outcome === 'ok' && again.id !== operation.id)
    traffic.surprises.push(`the replay of ${operation.kind} ${operation.label} answered another id`)
  traffic.live.push(operation)
}

/** Removes a random operation from the list, so that no other writer uses it. */
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
      // When a deletion is retried, the row can be missing: an earlier attempt has deleted the row, but the answer was
      // lost.
      return count === 1 || !isFirst
    })
    isFirst = false
    return outcomeNow
  })
  traffic.history.complete(operation, outcome)
  if (outcome === 'ok') traffic.onAcknowledged()
}

async function send(traffic: Traffic, operation: Operation): Promise<Outcome> {
  const { wire, administrator, customers } = traffic
  const { kind, customerId, label } = operation
  // Requests with the same key always have the same body: the label determines the amount, and the date is constant.
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
  // The row exists, because an earlier attempt recorded it although its answer was lost.
  if (answer?.status === 409) return 'ok'
  return outcomeOf(traffic, answer, () => {
    operation.id = id
    return true
  })
}
