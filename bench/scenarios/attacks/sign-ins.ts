/** Attackers sign in continuously on 200 connections, while customers in other networks sign in too. */
import { type Metric, atMost, metricWithoutThreshold } from '#testing/report.ts'
import { emailOf, password } from '#bench/fixtures/customers.ts'
import { attackers, bystander, slowSenders } from '#bench/fixtures/fairness-bank.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { httpTexts } from '#bench/fixtures/wire-request.ts'
import { refusals, sendAnyLoad } from '#bench/http-side.ts'
import { type Order, amountOf } from '#bench/scenario.ts'

const attackSeconds = 6
const connections = 200
/** Largest allowed factor by which an attack slows down a sign-in. */
const timesMax = 3
/** Pause that keeps each account below its limit of thirty sign-ins in five minutes. */
const betweenSignInsMs = 250

type SignIn = { readonly email: string; readonly password: string; readonly network: string }

const one = (person: number, network: string): SignIn => ({ email: emailOf(person), password, network })
const attackerNetwork = '203.0.113.1'
/** The sign-ins that each attack sends, keyed by the attack's description. */
const attacks: Readonly<Record<string, readonly SignIn[]>> = {
  'the right password of one account': [one(attackers[0], attackerNetwork)],
  'the right passwords of eight accounts in one network': slowSenders.map((each) =>
    one(each, attackerNetwork),
  ),
  'wrong passwords of 200 accounts in twenty networks': Array.from({ length: 200 }, (_, index) => ({
    email: `nadie${index}@banco.example`,
    password: 'esta no es la clave',
    network: `203.0.113.${100 + (index % 20)}`,
  })),
}
/** Customers who sign in normally, each from their own network. */
const bystanders = [bystander, ...slowSenders].map((each) => one(each, `198.51.100.${each}`))

export async function measureSignIns(
  engine: string,
  server: MeasuredServer,
  order: Order,
): Promise<Metric[]> {
  const seconds = amountOf(order, attackSeconds, 1)
  const probe = async () =>
    sendAnyLoad(server, {
      texts: await textsOf(bystanders),
      connections: 1,
      // Uses the accounts in turn, because repeated sign-ins to one account would reach that account's limit.
      repeats: false,
      pauseMs: betweenSignInsMs,
      seconds,
    })
  const metrics: Metric[] = []
  for (const [what, signIns] of Object.entries(attacks)) {
    const texts = await textsOf(signIns)
    // Measured before each attack, because the speed of the machine changes during a run.
    const alone = (await probe()).accepted.p95SinceSentMs
    const [beside] = await Promise.all([
      probe(),
      sendAnyLoad(server, { texts, connections: amountOf(order, connections, 20), seconds }),
    ])
    const name = `${engine}, ${what}: a bystander’s sign-in`
    metrics.push(
      metricWithoutThreshold(`${name} alone before it, p95`, alone, 'ms'),
      ...refusals(name, beside),
      atMost(`${name}, p95 by that of one alone`, beside.accepted.p95SinceSentMs / alone, timesMax, '×'),
    )
  }
  return metrics
}

function textsOf(signIns: readonly SignIn[]): Promise<string[]> {
  return httpTexts(
    signIns.map(({ network, ...credentials }) => ({
      person: bystander,
      method: 'POST',
      path: '/auth/v1/token?grant_type=password',
      body: JSON.stringify(credentials),
      headers: { 'x-forwarded-for': network },
    })),
  )
}
