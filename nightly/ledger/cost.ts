/**
 * What the ledger costs: an administrator's deposits per second, for one customer and for a hundred, as the product
 * posts them, without the audit, without the chain's hashes too, and without a journal at all, in turns within one run. Only ratios are comparable
 * between machines. And the time that a verification of 100,000 entries takes.
 */
import { type Owner, sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type Person, addPerson, deposit, run } from '#tests/database/people.ts'
import { type Engine, type Figure, atMost, grouped, known } from '#nightly/report/figure.ts'
import { openPlace } from '#nightly/places/place.ts'

const callers = 16
const customersCount = 100
const verifyMaxSeconds = 2

/** What is left out of a posting, one thing after the other. */
const ways: readonly { name: string; isAudited: boolean; post: (original: string) => string }[] = [
  { name: 'as it is', isAudited: true, post: (original) => original },
  { name: 'without the audit', isAudited: false, post: (original) => original },
  {
    name: 'without audit and chain',
    isAudited: false,
    post: (original) => without(original, ['ledger.entry_hash(entry)', `'\\x00'::bytea`]),
  },
  {
    name: 'without audit, chain and journal',
    isAudited: false,
    post: (original) =>
      without(without(original, ['ledger.entry_hash(entry)', 'null']), [
        'insert into ledger.journal select entry.*;',
        '',
      ]),
  },
]

/** Measures each way of posting for so many seconds in each round. */
export async function runCost(options: {
  engine: Engine
  rounds: number
  seconds: number
  entries: number
}): Promise<Figure[]> {
  const { engine, rounds, seconds, entries } = options
  const place = await openPlace(engine)
  try {
    const { database, owner } = place
    const administrator = await addPerson(database, 'admin')
    const customers: Person[] = []
    for (let count = 0; count < customersCount; count += 1) customers.push(await addPerson(database, 'user'))
    const figures: Figure[] = [...(await verification(place, entries))]
    const original = await readPost(owner)
    for (const [title, chosen] of [
      ['one customer', customers.slice(0, 1)],
      [`${customersCount} customers`, customers],
    ] as const) {
      const rates = new Map<string, number[]>()
      for (let round = 0; round < rounds; round += 1) {
        for (const { name, isAudited, post } of ways) {
          await owner.script(post(original))
          await audit(owner, isAudited)
          const rate = await depositsPerSecond(administrator, chosen, seconds)
          rates.set(name, [...(rates.get(name) ?? []), rate])
          // What the other ways leave behind would not verify, and long chains cost nothing more.
          await owner.script(original)
          await startAnew(owner)
        }
      }
      const asItIs = median(rates.get('as it is') ?? [])
      for (const [name, measured] of rates) {
        const rate = median(measured)
        const ratio = name === 'as it is' ? '' : `; as it is: ${(asItIs / rate).toFixed(2)} of it`
        figures.push(
          known(`deposits, ${title}, ${name}, ${engine}`, `${grouped(Math.round(rate))} /s${ratio}`),
        )
      }
    }
    return figures
  } finally {
    await place.close()
  }
}

async function depositsPerSecond(by: Person, customers: readonly Person[], seconds: number): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = caller; performance.now() < endsAt; turn += callers) {
        const customer = customers[turn % customers.length]
        if (customer === undefined) throw new Error('There is nobody to pay.')
        await run(by, deposit(customer, '1.25'))
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - startedAt)
}

/** Fills the bank with so many entries, its customers' own, verifies, and empties it again. */
async function verification(
  { engine, database, owner }: Awaited<ReturnType<typeof openPlace>>,
  entries: number,
): Promise<Figure[]> {
  const portion = 5
  for (let filled = 0; filled < entries; filled += portion * customersCount) {
    await owner.script(`
      insert into public.transactions (user_id, type, description, amount, recorded_by)
      select b.user_id, 'expense', 'Café', 1.25, 'customer'
      from public.budgets b
      join auth.users u on u.id = b.user_id and u.raw_app_meta_data ->> 'role' is null,
      generate_series(1, ${portion})`)
  }
  await owner.query(sql`vacuum (analyze)`)
  const times: number[] = []
  let counted = 0
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now()
    counted = (await verifyLedger(database)).entries
    times.push((performance.now() - startedAt) / 1000)
  }
  await startAnew(owner)
  return [
    atMost(`verification of ${grouped(counted)} entries, ${engine}`, median(times), verifyMaxSeconds, 's'),
  ]
}

async function startAnew(owner: Owner): Promise<void> {
  await owner.script(`
    select set_config('session_replication_role', 'replica', true);
    truncate ledger.journal, public.transactions, realtime.outbox;
    update public.budgets set balance = 0`)
}

async function readPost(owner: Owner): Promise<string> {
  const [row] = await owner.query(
    sql<{ text: string }>`select pg_get_functiondef('ledger.post'::regproc) as text`,
  )
  return row?.text ?? ''
}

async function audit(owner: Owner, isOn: boolean): Promise<void> {
  await owner.script(
    `alter table public.transactions ${isOn ? 'enable' : 'disable'} trigger audit_bank_transaction`,
  )
}

function without(text: string, [what, instead]: [what: string, instead: string]): string {
  if (!text.includes(what)) throw new Error(`There is no ${what} to leave out.`)
  return text.replace(what, instead)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
