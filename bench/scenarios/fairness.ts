/**
 * Checks that one customer cannot slow down other customers. Measures how long `/ready` and another customer's balance
 * request take under two loads: three customers continuously send the most expensive queries, and one customer sends
 * 500 requests at once.
 */
import { type Metric, atMost, metricWithoutThreshold, none } from '#testing/report.ts'
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import {
  hostileBank,
  administrator,
  attackers,
  bystander,
  lastRule,
  longHistory,
  reader,
} from '#bench/fixtures/fairness-bank.ts'
import { type Load, refusals, sendAnyLoad } from '#bench/http-side.ts'
import type { LoadResult } from '#testing/load-answers.ts'
import { type Order, type Scenario, amountOf } from '#bench/scenario.ts'
import { measureSignIns } from '#bench/scenarios/attacks/sign-ins.ts'
import { measureSlowBodies } from '#bench/scenarios/attacks/slow-bodies.ts'
import { balanceRequest, dashboardRequest, depositRequest } from './requests.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { customerId } from '#bench/fixtures/customers.ts'
import { type WireRequest, httpTexts } from '#bench/fixtures/wire-request.ts'

const bystanderMsMax = 150
/** Maximum time for an answer from `/ready`, because a load balancer would remove a slower server. */
const readyMsMax = 500
const attackSeconds = 4
const burstMax = 500
/** Number of connections that each attacker uses. */
const attackerConnections = 4
const readyRequest = 'GET /ready HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

const listed = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(',')
const table = '/rest/v1/transactions?limit=1&select=id'

/** One attack: the request that each attacker repeats. A request with a body calls a database function by `POST`. */
type Attack = { readonly path: string; readonly body?: (person: number, entries: number) => string }

const line = (index: number, more: object = {}) => ({
  date: '2026-01-15',
  description: `Compra ${index}`,
  amount: 999_999_999,
  category: 'Comida',
  ...more,
})
const importOf = (last: object) => () =>
  JSON.stringify({
    id: '00000000-0000-4000-b000-000000000001',
    rows: Array.from({ length: fileRowsMax }, (_, index) =>
      line(index, index === fileRowsMax - 1 ? last : {}),
    ),
  })
const manyExpenses = JSON.stringify(
  Array.from({ length: 250 }, () => ({
    type: 'expense',
    description: 'Compra',
    amount: 1,
    category: 'Comida',
  })),
)

/**
 * Attacks that request long account statements, and attacks with writes that the database refuses. The scenario does
 * not check the answers that the attackers receive.
 */
const calls: Readonly<Record<string, Attack>> = {
  'statements up to a mark': {
    path: '/rest/v1/rpc/statement',
    body: (_, until_seq) => JSON.stringify({ month: new Date().toISOString().slice(0, 8) + '01', until_seq }),
  },
  '200 rules': {
    path: '/rest/v1/rpc/count_rule_matches',
    body: () => JSON.stringify(lastRule),
  },
  '2,000 limits': { path: '/rest/v1/rpc/sum_category_budgets', body: () => '{}' },
  '250 rows beyond the quota': { path: '/rest/v1/transactions', body: () => manyExpenses },
  'imports below the least balance': {
    path: '/rest/v1/rpc/import_transactions',
    body: importOf({ amount: 999_999_999_999.99 }),
  },
  'imports with a wrong last line': {
    path: '/rest/v1/rpc/import_transactions',
    body: importOf({ date: '2026-02-31' }),
  },
}

/** The most expensive known reads. The first read is the worst for the embedded engine. */
const reads: Readonly<Record<string, string>> = {
  'phrase searches': `${table}&${listed(4, () => `description=phfts(simple).${'a+b+'.repeat(200)}`).replaceAll(',', '&')}`,
  '30 patterns': `${table}&or=(${listed(30, (index) => `description.ilike.*${'A*b*'.repeat(20)}z${index}*`)})`,
  'long lists': `${table}&or=(${listed(18, () => `category.in.(${listed(100, (index) => `C${index}`)})`)})`,
  'ways into JSON': `${table}&order=description->a&or=(${listed(30, () => `description${'->a'.repeat(19)}->>b.eq.x`)})`,
  'wide pages': `/rest/v1/transactions?limit=1000&select=${listed(50, (index) => `k${index}:description`)}`,
  'sorted by everything':
    '/rest/v1/transactions?limit=1000&offset=3000&order=description,category,type,recorded_by,amount',
}

export const fairness: Scenario = {
  title: 'One customer against the others, both engines',
  async run(fixtures, order) {
    const metrics: Metric[] = []
    for (const engine of ['embedded', 'PostgreSQL'] as const) {
      const bank = await hostileBank(engine, fixtures.sizes.hostile)
      try {
        metrics.push(
          ...(await measure({
            engine,
            server: bank.server,
            entries: fixtures.sizes.hostile.attackerEntries,
            order,
          })),
        )
        metrics.push(...(await measureSlowBodies(engine, bank.server, order)))
        metrics.push(...(await measureSignIns(engine, bank.server, order)))
      } finally {
        await bank.close()
      }
    }
    return metrics
  },
}

type Loaded = readonly [what: string, load: Load | null]

type Measured = {
  readonly engine: string
  readonly server: MeasuredServer
  /** Number of entries in each attacker's journal. */
  readonly entries: number
  readonly order: Order
}

async function measure({ engine, server, entries, order }: Measured): Promise<Metric[]> {
  const metrics: Metric[] = []
  const probe = (text: string) =>
    sendAnyLoad(server, {
      texts: [text],
      connections: 1,
      pauseMs: 10,
      seconds: amountOf(order, attackSeconds, 0.5),
    })
  const [balanceText = ''] = await httpTexts([balanceRequest(bystander)])
  for (const [what, load] of await loads(entries, order)) {
    const [balance, ready, own] = await Promise.all([
      probe(balanceText),
      probe(readyRequest),
      load === null ? null : sendAnyLoad(server, load),
    ])
    metrics.push(
      waited(`${engine}, ${what}: a bystander’s balance, p99`, balance, bystanderMsMax),
      waited(`${engine}, ${what}: /ready, p99`, ready, readyMsMax),
      none(
        `${engine}, ${what}: a balance or /ready answered with neither 2xx nor 503`,
        balance.failures - balance.shed + ready.failures - ready.shed,
      ),
    )
    if (own === null) continue
    metrics.push(
      ...(load?.seconds === 0
        ? refusals(`${engine}, ${what}`, own)
        : [metricWithoutThreshold(`${engine}, ${what}: answered in a second`, own.perSecond, '/s')]),
    )
  }
  return metrics
}

async function loads(entries: number, order: Order): Promise<Loaded[]> {
  const burst = amountOf(order, burstMax, 50)
  const attack = async (what: string, people: readonly number[], each: Attack): Promise<Loaded> => {
    const { path, body } = each
    const texts = await httpTexts(
      people.map((person) =>
        body === undefined
          ? { person, method: 'GET', path }
          : { person, method: 'POST', path, body: body(person, entries) },
      ),
    )
    return [
      what,
      {
        texts,
        connections: people.length * attackerConnections,
        seconds: amountOf(order, attackSeconds, 0.5),
      },
    ]
  }
  // The shortest form tries one attack of each kind.
  const chosen = <Each>(all: Readonly<Record<string, Each>>) =>
    Object.entries(all).slice(0, amountOf(order, Number.POSITIVE_INFINITY, 1))
  const atOnce = async (what: string, request: WireRequest): Promise<Loaded> => [
    `${burst} ${what} at once`,
    { texts: await httpTexts([request]), connections: burst, seconds: 0 },
  ]
  const date = new Date().toISOString()
  const transaction = { user_id: customerId(reader), amount: 1, description: 'Abono', date }
  return [
    ['no load', null],
    ...(await Promise.all(chosen(reads).map(([what, path]) => attack(what, attackers, { path })))),
    ...(await Promise.all(chosen(calls).map(([what, each]) => attack(what, attackers, each)))),
    await attack('a long history sorted', [longHistory], {
      path: `/rest/v1/transactions?limit=1000&offset=${amountOf(order, 90_000, 500)}&order=amount,description`,
    }),
    await atOnce('reads of one customer', dashboardRequest(reader)),
    await atOnce('postings of one administrator', depositRequest(administrator, transaction)),
  ]
}

/**
 * Returns a metric that also misses its threshold when any request was refused. Otherwise fast refusals would shorten
 * the measured time.
 */
function waited(what: string, { accepted, failures }: LoadResult, line: number): Metric {
  return atMost(what, failures === 0 ? accepted.p99SinceSentMs : Number.POSITIVE_INFINITY, line, 'ms')
}
