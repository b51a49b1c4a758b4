/** The customers of the bank test with their balances and beneficiaries, at the beginning of a run. */
import { type Caller, type Wire, wireOf } from '#nightly/fixtures/wire.ts'
import type { History, Operation } from './history.ts'
import type { BankPlace } from './target.ts'
import type { Traffic } from './traffic.ts'
import { befriend, openingBalance } from './transfers.ts'

const customersCount = 20
/** Number of customers who only transfer money to each other. */
const saversCount = 6
/** Number of beneficiaries of each customer, in addition to the first customer of the same group. */
const beneficiariesEach = 2

/** Time of the last acknowledged write, and the longest period without an acknowledged write. */
export type Acknowledgements = { last: number; longestSilenceMs: number }

/** Signs up all customers and returns the traffic, with an object that records the times of its acknowledgements. */
export async function openTraffic(
  server: BankPlace['server'],
  history: History,
  end: AbortSignal,
): Promise<{ traffic: Traffic; acknowledgements: Acknowledgements }> {
  const wire = await wireOf(server)
  const administrator = await wire.signInAdministrator()
  const people: Caller[] = []
  for (let number = 0; number < customersCount + saversCount; number += 1)
    people.push(await wire.signUp(addressOf(number)))
  const pairs = []
  for (const [number, payer] of people.entries()) {
    await open(wire, history, administrator, payer)
    for (const payee of payeesOf(number)) pairs.push(await befriend(wire, payer, addressOf(payee)))
  }
  const acknowledgements: Acknowledgements = { last: 0, longestSilenceMs: 0 }
  const traffic: Traffic = {
    wire,
    administrator,
    customers: people.slice(0, customersCount),
    savers: people.slice(customersCount),
    pairs,
    history,
    live: [],
    surprises: [],
    transfersUnderWay: 0,
    end,
    onAcknowledged() {
      const now = performance.now()
      const silenceMs = acknowledgements.last === 0 ? 0 : now - acknowledgements.last
      acknowledgements.longestSilenceMs = Math.max(acknowledgements.longestSilenceMs, silenceMs)
      acknowledgements.last = now
    },
  }
  return { traffic, acknowledgements }
}

const addressOf = (number: number) => `cliente-${number}@banco.example`

/**
 * Returns the numbers of a customer's beneficiaries. Savers pay only savers, and the other customers pay only customers
 * who are not savers.
 */
function payeesOf(number: number): number[] {
  const [first, count] = number < customersCount ? [0, customersCount] : [customersCount, saversCount]
  const next = Array.from(
    { length: beneficiariesEach },
    (_, index) => first + ((number - first + 1 + index) % count),
  )
  return [...new Set([first, ...next])].filter((payee) => payee !== number)
}

/** Deposits the opening balance of a customer, as one more operation of the history. */
async function open(wire: Wire, history: History, administrator: Caller, { id }: Caller): Promise<void> {
  const label = crypto.randomUUID()
  const operation: Operation = {
    kind: 'deposit',
    customerId: id,
    label,
    id: null,
    state: null,
    outcome: 'info',
  }
  history.invoke(operation)
  const answer = await wire.deposit(administrator, { customerId: id, label, amount: openingBalance }, label)
  if (answer?.status !== 200) throw new Error(`The balance is missing: ${JSON.stringify(answer)}`)
  operation.id = (answer.body as { id: string }).id
  history.complete(operation, 'ok')
}
