/**
 * Fills and measures a large bank on PostgreSQL. `DATABASE_URL` is a superuser's URL.
 *
 * `node bench/large-bank.ts fill 1000000 10` migrates an empty database and fills it with a million customers, who have ten
 * transactions each on average. `node bench/large-bank.ts measure` prints the median and the longest time of each call
 * with which staff read the whole bank.
 */
import {
  administratorId,
  administratorSession,
  fillLargeBank,
  type LargeBank,
} from '#bench/fixtures/large-bank.ts'
import { migrate } from '#server/database/migrate.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'

/** Calls with which staff read the whole bank. The first of them warms the connection up. */
const calls = [
  'list_customers()',
  "list_customers(sort => 'name', after_key => 'juan', after_id => '00000000-0000-4000-8000-000000000001')",
  ...['email', 'role', 'balance', 'last_sign_in', 'last_transaction'].flatMap((sort) => [
    `list_customers(sort => '${sort}')`,
    `list_customers(sort => '${sort}', is_descending => true)`,
  ]),
  ...['restrepo maria', 'esperanza zuluaga giraldo', 'gmail.com', 'cliente', 'zx', 'a', 'nadie.de.aqui'].map(
    (search) => `list_customers('${search}')`,
  ),
  "list_customers('ximena edgar', '', 'balance')",
  "list_customers('+573033592398')",
  ...['user', 'admin', 'overdrawn', 'blocked', 'unconfirmed'].map(
    (state) => `list_customers('', '${state}')`,
  ),
  "list_customers('', 'unconfirmed', 'last_sign_in', true)",
  'list_customers(rows_max => 0)',
  "search_bank('restrepo')",
  'sum_bank()',
]
const rounds = 10

const [command, ...numbers] = process.argv.slice(2)
const url = process.env['DATABASE_URL'] ?? ''
if (command === 'fill') await fill({ customers: Number(numbers[0]), movementsEach: Number(numbers[1]) })
else if (command === 'measure') await measure()
else throw new Error('The command is fill CUSTOMERS TRANSACTIONS, or measure.')

async function fill(size: LargeBank): Promise<void> {
  const first = await connectOwner(url)
  await migrate(first)
  const second = await connectOwner(url)
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  await fillLargeBank([first, second], size, (filled) => {
    if (filled % 100_000 === 0) console.log(`${filled} customers after ${seconds()} s`)
  })
  console.log(`filled after ${seconds()} s`)
  await first.close()
  await second.close()
}

async function measure(): Promise<void> {
  const owner = await connectOwner(url)
  const claims = { sub: administratorId, session_id: administratorSession, role: 'authenticated' }
  // The settings of a connection that serves requests (docs/decisions/0037).
  await owner.script('set enable_seqscan = off; set jit = off')
  await owner.query({
    text: `select set_config('request.jwt.claims', $1, false)`,
    values: [JSON.stringify(claims)],
  })
  for (const call of calls) {
    const times: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const startedAt = performance.now()
      await owner.query({ text: `select to_jsonb(public.${call})`, values: [] })
      if (round > 0) times.push(performance.now() - startedAt)
    }
    times.sort((one, other) => one - other)
    const [median = 0, longest = 0] = [times[Math.floor(rounds / 2)], times.at(-1)]
    console.log(`${median.toFixed(1).padStart(8)} ms, at most ${longest.toFixed(1).padStart(8)} ms  ${call}`)
  }
  await owner.close()
}
