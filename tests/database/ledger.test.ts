// Tests the journal and the view in which customers read their own entries. authorization-effects.ts tests that
// entries cannot be changed or deleted.
import { createHash, randomInt } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

const restore = (id: string) => sql`select public.restore_transaction(${id})`

type Entry = {
  user_id: string
  seq: number
  kind: string
  origin: string | null
  origin_id: string | null
  transaction_id: string | null
  delta: number
  balance_after: number
  actor: string | null
  dated_at: string | null
  recorded_at: string
  previous_hash: string
  hash: string
}
const entriesOf = async (person: Person) =>
  (
    await run(
      person,
      sql<{ entry: Entry }>`select to_jsonb(j) as entry from public.journal_entries j order by seq`,
    )
  ).map(({ entry }) => entry)

test('the journal records every posting, reversal and removal with its author', async () => {
  const customer = await bank.addCustomer()
  const registered = await record(bank.administrator, deposit(customer, '100.50'))
  const recorded = await record(customer, expense(customer, '20'))
  await run(customer, remove(recorded))
  await run(customer, remove(registered))

  expect(await entriesOf(customer)).toMatchObject([
    { seq: 1, kind: 'deposit', delta: 100.5, balance_after: 100.5, actor: bank.administrator.id },
    { seq: 2, kind: 'note', delta: -20, balance_after: 80.5, actor: customer.id },
    { seq: 3, kind: 'reversal', delta: 20, balance_after: 100.5, actor: customer.id },
    { seq: 4, kind: 'removal', delta: 0, balance_after: 100.5, actor: customer.id },
  ])
})

test('after simultaneous writes, the balance equals both the journal’s sum and its last entry’s balance', async () => {
  const customer = await bank.addCustomer()
  const writes = Array.from({ length: 60 }, (_, index) =>
    index % 3 === 0
      ? record(bank.administrator, deposit(customer, `${index}.37`.replace('0.37', '1.37')))
      : record(customer, expense(customer, `${index}.11`)),
  )
  const recorded = await Promise.all(writes)
  await Promise.all(recorded.slice(0, 20).map((id) => run(customer, remove(id))))

  const [sums] = await bank.owner.query(sql<{ holds: boolean; entries: number }>`
    select b.balance = sum(j.delta) and b.balance = (array_agg(j.balance_after order by j.seq desc))[1] as holds,
           count(*) as entries
    from public.budgets b join ledger.journal j using (user_id)
    where user_id = ${customer.id} group by b.balance`)
  expect(sums).toEqual({ holds: true, entries: 80 })
})

test('the hash of an entry covers its visible fields and the previous entry’s hash', async () => {
  const customer = await bank.addCustomer()
  await randomHistory(customer, 12)
  let previous = '0'.repeat(64)

  for (const entry of await entriesOf(customer)) {
    expect(entry.previous_hash).toBe(previous)
    expect(entry.hash).toBe(hashOf(entry))
    previous = entry.hash
  }
})

test('the hash of an entry covers every column except the hash itself', async () => {
  const [hashes] = await bank.owner.query(sql<{ entries: number; same: boolean }>`
    select count(*) as entries, bool_and(ledger.entry_hash(row(e.*)::ledger.journal) = sha256(ledger.length_prefixed(
      e.user_id::text, e.seq::text, e.kind, e.origin, e.origin_id::text, e.transaction_id::text,
      to_char(e.delta, 'FM999999999999990.00'), to_char(e.balance_after, 'FM999999999999990.00'),
      e.actor::text, (extract(epoch from e.dated_at) * 1000000)::bigint::text,
      (extract(epoch from e.recorded_at) * 1000000)::bigint::text, encode(e.previous_hash, 'hex')
    ))) as same
    from unnest(array[null, gen_random_uuid()]) as id
    cross join unnest(array[null, 'batch']) as origin
    cross join unnest(array[0, -0.05, 1234567.8, 90071992547409.91]) as amount
    cross join unnest(array[1, 1000000]) as seq
    cross join unnest(array[null, '2024-02-29 04:59:59.999999+00']::timestamptz[]) as dated_at
    cross join lateral (
      select gen_random_uuid() as user_id, seq, 'restoration' as kind, origin, id as origin_id, id as transaction_id, amount as delta,
        -amount as balance_after, id as actor, dated_at, now() as recorded_at, sha256('before') as previous_hash, null::bytea as hash,
        null::boolean as is_note
    ) as e`)
  expect(hashes).toEqual({ entries: 64, same: true })
})

describe('after the deletion of a customer', () => {
  let customer: Person
  beforeAll(async () => {
    customer = await bank.addCustomer()
    await run(bank.administrator, deposit(customer, '100'))
    await run(customer, expense(customer, '30'))
    await run(bank.administrator, sql`select private.delete_user(${customer.id})`)
  })

  test('only a journal remains, whose last entry closes the account', async () => {
    const postings = await bank.owner.query(sql`
      select kind, balance_after from ledger.journal where user_id = ${customer.id} order by seq`)
    expect(postings).toEqual([
      { kind: 'deposit', balance_after: '100' },
      { kind: 'note', balance_after: '70' },
      { kind: 'closing', balance_after: '0' },
    ])
    const [left] = await bank.owner.query(sql<{ rows: number }>`
      select (select count(*) from public.transactions where user_id = ${customer.id})
           + (select count(*) from public.budgets where user_id = ${customer.id})
           + (select count(*) from public.profiles where id = ${customer.id})
           + (select count(*) from auth.sessions where user_id = ${customer.id}) as rows`)
    expect(left).toEqual({ rows: 0 })
  })

  test('open pages do not receive realtime events about the deleted transactions', async () => {
    expect(
      await bank.owner.query(sql`
        select operation from realtime.outbox
        where table_name = 'transactions' and operation = 'DELETE' and old_record ->> 'user_id' = ${customer.id}`),
    ).toEqual([])
  })

  test('a customer cannot be created again with the same id', async () => {
    const cameAgain = bank.asService(
      sql`insert into auth.users (id, email) values (${customer.id}, ${`${crypto.randomUUID()}@banco.example`})`,
    )

    await expect(cameAgain).rejects.toMatchObject({ sqlState: '23505', constraint: 'users_pkey' })
    expect(await bank.owner.query(sql`select from auth.users where id = ${customer.id}`)).toEqual([])
  })
})

test('a posting reads fewer than twenty entries of a long journal', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '1'))
  await bank.owner.query(
    sql`insert into public.transactions (user_id, type, description, amount, category)
        select ${customer.id}::uuid, 'expense', 'Café', 1, 'Comida' from generate_series(1, 2000)`,
  )
  // The connection's statistics may include earlier database transactions, so the test compares two readings.
  const rowsRead = sql<{ count: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::integer as count
    from pg_stat_xact_user_tables where schemaname = 'ledger' and relname in ('journal', 'audit')`

  for (const [person, statement] of [
    [bank.administrator, deposit(customer, '2')],
    [customer, expense(customer, '3')],
  ] as const) {
    const [before, , , after] = await bank.database.transaction(person.as('write'), [
      rowsRead,
      statement,
      sql`set constraints all immediate`,
      rowsRead,
    ])
    expect((after[0]?.count ?? 0) - (before[0]?.count ?? 0)).toBeLessThan(20)
  }
})

const explain = (person: Person) => call<Record<string, number>>(person, sql`public.explain_balance()`)

test('the explanation of the balance adds up to the balance exactly', async () => {
  for (let history = 0; history < 5; history += 1) {
    const customer = await bank.addCustomer()

    const sums = await randomHistory(customer, 30)

    const why = await explain(customer)
    const minor = (part: string) => Math.round((why[part] ?? Number.NaN) * 100)
    expect({
      deposits: minor('deposits'),
      expenses: minor('expenses'),
      corrections: minor('corrections'),
      entries: why['entries'],
    }).toEqual(sums)
    expect(minor('balance')).toBe(minor('opening') + sums.deposits + sums.expenses + sums.corrections)
    expect(why['last_seq']).toBe(30)
  }
})

test('the explanation of an unused account shows the balance 0 and no last entry', async () => {
  const none = {
    balance: 0,
    opening: 0,
    deposits: 0,
    expenses: 0,
    corrections: 0,
    booked: 0,
    noted: 0,
    entries: 0,
  }
  const explanation = { ...none, void_ids: [], last_seq: null, last_kind: null, last_recorded_at: null }

  expect(await explain(await bank.addCustomer())).toEqual(explanation)
  expect(await explain(bank.administrator)).toEqual(explanation)
})

/** Randomly records, deletes and restores transactions. Returns the sum of each kind of posting in minor units. */
async function randomHistory(customer: Person, steps: number) {
  const sums = { deposits: 0, expenses: 0, corrections: 0, entries: 0 }
  const live: { id: string; minor: number }[] = []
  const gone: { id: string; minor: number }[] = []
  for (let step = 0; step < steps; step += 1) {
    const [own, other] = [live.splice(randomInt(live.length + 1), 1)[0], gone[0]]
    const minor = randomInt(1, 10_000_00)
    const amount = `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
    if (own !== undefined && step % 3 === 0) {
      await run(customer, remove(own.id))
      gone.unshift(own)
      sums.corrections += own.minor
    } else if (other !== undefined && step % 4 === 0) {
      await run(customer, restore(other.id))
      live.push(other)
      gone.shift()
      sums.corrections -= other.minor
      if (own !== undefined) live.push(own)
    } else {
      if (own !== undefined) live.push(own)
      const isDeposit = randomInt(2) === 0
      const id = isDeposit
        ? await record(bank.administrator, deposit(customer, amount))
        : await record(customer, expense(customer, amount))
      // Deleting a bank deposit does not change the balance.
      live.push({ id, minor: isDeposit ? 0 : minor })
      sums[isDeposit ? 'deposits' : 'expenses'] += isDeposit ? minor : -minor
    }
    sums.entries += 1
  }
  return sums
}

/** Calculates the hash of an entry, independently of `ledger.entry_hash`. */
function hashOf(entry: Entry): string {
  const microsecondsOf = (time: string) => {
    const [seconds = '', fraction = ''] = time.replace(/\+00:00$/, '').split('.')
    return String(BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0')))
  }
  const hash = createHash('sha256')
  const fields = [
    entry.user_id,
    String(entry.seq),
    entry.kind,
    entry.origin,
    entry.origin_id,
    entry.transaction_id,
    entry.delta.toFixed(2),
    entry.balance_after.toFixed(2),
    entry.actor,
    entry.dated_at === null ? null : microsecondsOf(entry.dated_at),
    microsecondsOf(entry.recorded_at),
    entry.previous_hash,
  ]
  for (const field of fields) {
    const length = Buffer.alloc(4)
    length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field))
    hash.update(length).update(field ?? '')
  }
  return hash.digest('hex')
}
