/**
 * One customer cannot slow the others: the latency of another customer's balance and of `/ready` while three
 * customers send the most expensive queries without pause, and while one person sends 500 requests at once.
 */
import { type Metric, atMost, known } from '#testing/report.ts'
import {
  hostileBank,
  administrator,
  attackers,
  bystander,
  longHistory,
  reader,
} from '#bench/fixtures/fairness-bank.ts'
import { type Load, sendAnyLoad } from '#bench/http-side.ts'
import type { LoadResult } from '#testing/load.ts'
import type { Scenario } from '#bench/scenario.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { customerId } from '#bench/fixtures/customers.ts'
import { type WireRequest, httpTexts } from '#bench/fixtures/wire-request.ts'

const bystanderMsMax = 150
/** A probe that waits longer than this is what takes a server out. */
const readyMsMax = 500
const attackSeconds = 4
const burst = 500
/** Connections of each attacker. */
const attackerConnections = 4
const readyRequest = 'GET /ready HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

const listed = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(',')
const table = '/rest/v1/transactions?limit=1&select=id'

/** The review's attack first, then the heaviest reads known, worst for the embedded engine first. */
const attacks: Readonly<Record<string, string>> = {
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
  limit: 'none: the lines are the issue’s own',
  peers: 'none: it is a promise, not a race',
  needs: [],
  async run() {
    const metrics: Metric[] = []
    for (const engine of ['embedded', 'PostgreSQL'] as const) {
      const bank = await hostileBank(engine)
      try {
        metrics.push(...(await measure(engine, bank.server)))
      } finally {
        await bank.close()
      }
    }
    return metrics
  },
}

async function measure(engine: string, server: MeasuredServer): Promise<Metric[]> {
  const metrics: Metric[] = []
  const during = async (what: string, load: Load | null) => {
    const [balance, ready, own] = await Promise.all([
      sendAnyLoad(server, {
        texts: await httpTexts([balanceOf(bystander)]),
        connections: 1,
        pauseMs: 10,
        seconds: attackSeconds,
      }),
      sendAnyLoad(server, { texts: [readyRequest], connections: 1, pauseMs: 10, seconds: attackSeconds }),
      load === null ? null : sendAnyLoad(server, load),
    ])
    metrics.push(
      waited(`${engine}, ${what}: a bystander’s balance, p99`, balance, bystanderMsMax),
      waited(`${engine}, ${what}: /ready, p99`, ready, readyMsMax),
    )
    return own
  }
  await during('nobody else there', null)
  for (const [name, path] of Object.entries(attacks)) {
    const texts = await httpTexts(attackers.map((person) => ({ person, method: 'GET', path })))
    const own = await during(name, {
      texts,
      connections: attackers.length * attackerConnections,
      seconds: attackSeconds,
    })
    if (own !== null)
      metrics.push(known(`${engine}, ${name}: answered to the three in a second`, own.perSecond, '/s'))
  }
  const deep = `/rest/v1/transactions?limit=1000&offset=90000&order=amount,description`
  const oldCustomer = await httpTexts([{ person: longHistory, method: 'GET', path: deep }])
  await during('100,000 movements sorted', {
    texts: oldCustomer,
    connections: attackerConnections,
    seconds: attackSeconds,
  })
  const pages = {
    person: reader,
    method: 'GET',
    path: `/rest/v1/transactions?select=*&user_id=eq.${customerId(reader)}&order=date.desc&limit=5`,
  } as const
  const reads = await during('500 reads of one customer at once', {
    texts: await httpTexts([pages]),
    connections: burst,
    seconds: 0,
  })
  const posts = await during('500 postings of one administrator at once', {
    texts: await httpTexts([posting()]),
    connections: burst,
    seconds: 0,
  })
  metrics.push(
    refused(`${engine}, 500 reads of one customer: not answered with 2xx`, reads),
    refused(`${engine}, 500 postings of one administrator: not answered with 2xx`, posts),
  )
  return metrics
}

function balanceOf(person: number): WireRequest {
  return { person, method: 'GET', path: `/rest/v1/budgets?select=balance&user_id=eq.${customerId(person)}` }
}

function posting(): WireRequest {
  return {
    person: administrator,
    method: 'POST',
    path: '/functions/v1/manage-transactions',
    body: JSON.stringify({
      action: 'create',
      transactionData: {
        user_id: customerId(reader),
        type: 'deposit',
        amount: 1,
        description: 'Abono',
        date: new Date().toISOString(),
      },
    }),
  }
}

/** Who was refused has not waited: that is a miss as well. */
function waited(what: string, { accepted, failures }: LoadResult, line: number): Metric {
  return atMost(what, failures === 0 ? accepted.p99SinceSentMs : Number.POSITIVE_INFINITY, line, 'ms')
}

function refused(what: string, result: LoadResult | null): Metric {
  return atMost(what, result?.failures ?? Number.NaN, 0, `of ${burst}`)
}
