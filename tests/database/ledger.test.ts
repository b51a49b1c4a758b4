import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

let db: TestDatabase
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterAll(() => db.close())

const chainOf = (person: Person) =>
  db.owner.query(sql<{ seq: number; kind: string; delta: string; balance_after: string; actor: string }>`
    select seq, kind, delta::text, balance_after::text, actor from ledger.journal where user_id = ${person.id} order by seq`)

test('every posting, reversal and removal is kept with who did it', async () => {
  const customer = await addPerson(db.database, 'user')
  const [registered] = await run(administrator, deposit(customer, '100.50'))
  const [recorded] = await run(customer, expense(customer, '20'))
  await run(customer, sql`delete from public.transactions where id = ${recorded?.id ?? ''}`)
  await run(customer, sql`delete from public.transactions where id = ${registered?.id ?? ''}`)

  expect(await chainOf(customer)).toEqual([
    { seq: 1, kind: 'deposit', delta: '100.50', balance_after: '100.50', actor: administrator.id },
    { seq: 2, kind: 'expense', delta: '-20', balance_after: '80.50', actor: customer.id },
    { seq: 3, kind: 'reversal', delta: '20', balance_after: '100.50', actor: customer.id },
    { seq: 4, kind: 'removal', delta: '0', balance_after: '100.50', actor: customer.id },
  ])
})

test('the balance is the sum of the journal and its last entry, after any mix of writes at once', async () => {
  const customer = await addPerson(db.database, 'user')
  const writes = Array.from({ length: 60 }, (_, index) =>
    index % 3 === 0
      ? run(administrator, deposit(customer, `${index}.37`.replace('0.37', '1.37')))
      : run(customer, expense(customer, `${index}.11`)),
  )
  const recorded = await Promise.all(writes)
  await Promise.all(
    recorded
      .slice(0, 20)
      .map(([row]) => run(customer, sql`delete from public.transactions where id = ${row?.id ?? ''}`)),
  )

  const [sums] = await db.owner.query(sql<{ holds: boolean; entries: number }>`
    select b.balance = sum(j.delta) and b.balance = (array_agg(j.balance_after order by j.seq desc))[1] as holds,
           count(*) as entries
    from public.budgets b join ledger.journal j using (user_id)
    where user_id = ${customer.id} group by b.balance`)
  expect(sums).toEqual({ holds: true, entries: 80 })
})

test('each entry carries the hash of its own columns and of the entry before', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(administrator, deposit(customer, '7'))
  await run(customer, expense(customer, '2'))

  const [chain] = await db.owner.query(sql<{ intact: boolean }>`
    select bool_and(j.hash = ledger.entry_hash(j) and j.previous_hash = coalesce(before.hash, decode(repeat('00', 32), 'hex'))) as intact
    from ledger.journal j
    left join ledger.journal before on before.user_id = j.user_id and before.seq = j.seq - 1
    where j.user_id = ${customer.id}`)
  expect(chain).toEqual({ intact: true })
})

test('the hash is the one that release 0.1.0 wrote, of whatever an entry may hold', async () => {
  const [hashes] = await db.owner.query(sql<{ entries: number; same: boolean }>`
    select count(*) as entries, bool_and(ledger.entry_hash(row(e.*)::ledger.journal) = sha256(ledger.length_prefixed(
      e.user_id::text, e.seq::text, e.kind, e.transaction_id::text,
      to_char(e.delta, 'FM999999999999990.00'), to_char(e.balance_after, 'FM999999999999990.00'),
      e.actor::text, (extract(epoch from e.recorded_at) * 1000000)::bigint::text, encode(e.previous_hash, 'hex')
    ))) as same
    from unnest(array[null, gen_random_uuid()]) as id
    cross join unnest(array[0, -0.05, 1234567.8, 90071992547409.91]) as amount
    cross join unnest(array[1, 1000000]) as seq
    cross join lateral (
      select gen_random_uuid() as user_id, seq, 'restoration' as kind, id as transaction_id, amount as delta,
        -amount as balance_after, id as actor, now() as recorded_at, sha256('before') as previous_hash, null::bytea as hash
    ) as e`)
  expect(hashes).toEqual({ entries: 16, same: true })
})

test.each([
  ['update', sql`update ledger.journal set delta = 0`],
  ['delete', sql`delete from ledger.journal`],
  ['truncate', sql`truncate ledger.journal`],
])('the journal refuses %s, to its owner too', async (_verb, statement) => {
  await expect(db.owner.query(statement)).rejects.toMatchObject({ sqlState: '42501' })
})

test('a deleted user leaves a closing entry and nothing else', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(administrator, deposit(customer, '100'))
  await run(customer, expense(customer, '30'))

  await run(administrator, sql`select public.delete_user(${customer.id})`)

  expect((await chainOf(customer)).map(({ kind, balance_after }) => [kind, balance_after])).toEqual([
    ['deposit', '100'],
    ['expense', '70'],
    ['closing', '0'],
  ])
  const [left] = await db.owner.query(sql<{ rows: number }>`
    select (select count(*) from public.transactions where user_id = ${customer.id})
         + (select count(*) from public.budgets where user_id = ${customer.id})
         + (select count(*) from public.profiles where id = ${customer.id})
         + (select count(*) from auth.sessions where user_id = ${customer.id}) as rows`)
  expect(left).toEqual({ rows: 0 })
})

test("the id of a customer who is gone is nobody's again: their chain is closed, and not for others to read", async () => {
  const customer = await addPerson(db.database, 'user')
  await run(administrator, deposit(customer, '100'))
  await run(administrator, sql`select public.delete_user(${customer.id})`)

  const cameAgain = db.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.users (id, email) values (${customer.id}, ${`${crypto.randomUUID()}@banco.example`})`,
  ])

  await expect(cameAgain).rejects.toMatchObject({ sqlState: '23505', constraint: 'users_pkey' })
  expect(await db.owner.query(sql`select from auth.users where id = ${customer.id}`)).toEqual([])
})

test('a posting reads a handful of entries, however long the history', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(administrator, deposit(customer, '1'))
  await db.owner.query(
    sql`insert into public.transactions (user_id, type, description, amount, category)
        select ${customer.id}::uuid, 'expense', 'Café', 1, 'Comida' from generate_series(1, 2000)`,
  )
  // Not all on one day: of that the quota may have to look at each.
  const superuser = await db.connectSuperuser()
  await superuser.script(`
    set local session_replication_role = 'replica';
    update ledger.journal set recorded_at = recorded_at - interval '2 days' where user_id = '${customer.id}'`)
  await superuser.close()

  for (const [person, statement] of [
    [administrator, deposit(customer, '2')],
    [customer, expense(customer, '3')],
  ] as const) {
    const [before, , , after] = await db.database.transaction(person.as('write'), [
      rowsRead,
      statement,
      sql`set constraints all immediate`,
      rowsRead,
    ])
    expect((after[0]?.count ?? 0) - (before[0]?.count ?? 0)).toBeLessThan(20)
  }
})

/** Of this connection, with what it has not reported yet of earlier transactions. */
const rowsRead = sql<{ count: number }>`
  select sum(seq_tup_read + idx_tup_fetch)::integer as count
  from pg_stat_xact_user_tables where schemaname = 'ledger' and relname in ('journal', 'audit')`
