// Habeas data (security.md PR-01, PR-02): customers can export all their data, and an erasure of an account leaves
// only the rows that docs/privacy.md lists.
import { expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { addRows } from './authorization-rows.ts'
import { useBank } from './database.ts'
import { enableNotifications } from './notifications.ts'
import { type Person, addPerson, call, closeAccount, run } from './people.ts'
import { request } from './transfers.ts'
import { addHolder, befriend, setAlias } from './beneficiaries.ts'

const bank = useBank()

/** Tables that a customer exports by reading them page by page. */
const readByPages = [
  'public.transactions',
  'public.transaction_edits',
  'public.import_lines',
  'ledger.journal',
]
/**
 * Tables that are not exported. They contain no personal data except derived secrets, or only the ids of other people.
 */
const notExported = [
  'auth.mfa_challenges',
  'auth.mfa_recovery_codes',
  'private.payees',
  // Copies of exported columns, by which staff find and order people.
  'private.listed_accounts',
  'private.listed_people',
  // The people in this table have no account yet, so they cannot export their data.
  'public.new_accounts',
]
/**
 * Tables whose rows may remain after an erasure (docs/privacy.md), because they contain only ids without names or
 * because they expire.
 */
const retained = [
  'ledger.journal',
  'ledger.audit',
  'ledger.audit_targets',
  'private.orders',
  'public.requests',
  'realtime.outbox',
]

/** Tables without a row about a user after `fillTables`. An open account has no row in `new_accounts`. */
const neverFilled = [
  'auth.address_changes',
  'auth.flow_state',
  'auth.mfa_challenges',
  'auth.mfa_factors',
  'auth.mfa_recovery_codes',
  'public.new_accounts',
]

const exportOf = (person: Person) => call<Record<string, unknown[]>>(person, sql`public.export_my_data()`)

/**
 * Lists the tables that contain data about users. These tables refer to a user, directly or through other tables,
 * or have a typical column name such as `email`.
 */
async function tablesAboutPeople(): Promise<string[]> {
  const rows = await bank.owner.query(sql<{ name: string }>`
    with recursive about as (
      select 'auth.users'::regclass::oid as id
      union
      select c.conrelid from pg_constraint c join about a on a.id = c.confrelid where c.contype = 'f'
    )
    select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and (
      c.oid in (select a.id from about a)
      or exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname in ('user_id', 'email', 'actor', 'target', 'customer', 'payer') and a.attnum > 0
          and c.relnamespace::regnamespace::text in ('auth', 'public', 'private', 'ledger')
      )
    )
    order by 1`)
  return rows.map(({ name }) => (name.includes('.') ? name : `public.${name}`))
}

const aliasOf = ({ id }: Person) => `a${id.slice(0, 8)}`

/** Adds rows about the user to all tables with data about users, except `neverFilled`. */
async function fillTables(person: Person): Promise<void> {
  await enableNotifications(bank)
  await addRows(bank.owner, person, { administrator: bank.administrator, payee: await addHolder(bank) })
  await setAlias(person, `de-${aliasOf(person)}`)
  await setAlias(person, aliasOf(person))
  await request(person, await befriend(person, await addHolder(bank)), '1', { description: 'Mi terapia' })
  await bank.asService(
    sql`insert into auth.known_networks (user_id, network) values (${person.id}, '198.51.100.1')`,
    sql`insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
        values (${`hash of ${person.id}`}, ${person.id}, 'recovery', ${`${person.id}@banco.example`}, now() + interval '1 hour')`,
    sql`insert into auth.identities (user_id, provider_id, identity_data)
        values (${person.id}, ${person.id}, ${JSON.stringify({ email: `${person.id}@banco.example` })})`,
    sql`update auth.users set encrypted_password = 'hash of the password' where id = ${person.id}`,
  )
  await bank.owner.query(sql`delete from public.new_accounts where user_id = ${person.id}`)
  await bank.owner.query(
    sql`select private.record_access_act('open', ${person.id}, ${bank.administrator.id})`,
  )
  await bank.owner.query(sql`
    with mails as (
      insert into private.notice_marks (recipient, topic, mailed_at) values (${person.id}, 'deposit', now())
    ), notices as (insert into private.notices (recipient, topic) values (${person.id}, 'deposit')),
    typed as (insert into private.staff_passwords (user_id) values (${person.id}))
    insert into private.transfer_limits (user_id, transfer_max) values (${person.id}, 50)`)
}

test('every table with data about users is in the export or can be read page by page', async () => {
  const exported = Object.keys(await exportOf(bank.administrator))
  const tables = await tablesAboutPeople()

  expect(tables.length).toBeGreaterThan(10)
  const forgotten = tables.filter(
    (table) => !exported.includes(table) && !readByPages.includes(table) && !notExported.includes(table),
  )
  expect(forgotten).toEqual([])
})

test('the export contains all of the customer’s rows but no hashes or keys', async () => {
  const [ana, luis] = [await bank.addCustomer(), await bank.addCustomer()]
  await fillTables(ana)
  await fillTables(luis)

  const data = await exportOf(ana)

  expect(data['auth.users']).toMatchObject([{ id: ana.id, email: `${ana.id}@banco.example` }])
  expect(data['public.profiles']).toMatchObject([{ id: ana.id, full_name: 'Ana Pérez' }])
  expect(data['public.budgets']).toMatchObject([{ user_id: ana.id, balance: 83.5 }])
  expect(data['auth.known_networks']).toMatchObject([{ network: '198.51.100.1' }])
  expect(data['ledger.deleted_transactions']).toMatchObject([{ row: { amount: 3 } }])
  expect(data['private.access_acts']).toMatchObject([{ person: ana.id, act: 'open' }])
  expect(data['public.beneficiaries']).toMatchObject([{ name: 'Luis' }, { name: 'Luis' }])
  expect(data['private.aliases']).toHaveLength(2)
  const transfer = (data['public.requests'] as { amount: number }[]).find(({ amount }) => amount === 1)
  expect(transfer).toMatchObject({
    amount: 1,
    description: 'Mi terapia',
    status: 'done',
    payer_name: 'Ana Pérez',
    payee_name: 'Luis',
  })
  expect(Object.keys(transfer ?? {})).not.toEqual(expect.arrayContaining(['payee']))
  expect(data['ledger.audit']).toContainEqual(
    expect.objectContaining({ action: 'register_transaction', was_done_by_me: false }),
  )
  expect(JSON.stringify(data)).not.toContain(luis.id)
  expect(JSON.stringify(data)).not.toContain(bank.administrator.id)
  const columns = Object.values(data).flatMap((rows) =>
    Array.isArray(rows) ? rows.flatMap((row) => Object.keys(row as object)) : [],
  )
  expect(columns.length).toBeGreaterThan(30)
  expect(
    columns.filter((column) => /secret|hash|_mac|password|token$|challenge$|hmac|auth_code/.test(column)),
  ).toEqual([])
  expect(JSON.stringify(data)).not.toContain('hash of')
})

test('the export contains the reason for a block only if the customer requested the block', async () => {
  const customer = await bank.addCustomer()
  for (const reason of ['suspected_fraud', 'customer_request'])
    await bank.asService(
      sql`select private.act_as('operator')`,
      sql`select private.block_user(${customer.id}, ${null}, ${reason})`,
      sql`select private.unblock_user(${customer.id})`,
    )

  await bank.asService(
    sql`insert into auth.sessions (id, user_id) values (${customer.sessionId}, ${customer.id})`,
  )

  const data = await exportOf(customer)

  const reasons = (data['ledger.audit'] as { action: string; after: { reason?: string } }[])
    .filter(({ action }) => action === 'ban_user')
    .map(({ after }) => after.reason)
  expect(reasons).toEqual([undefined, 'customer_request'])
})

test('an administrator’s export lists their actions without identifying the affected users', async () => {
  const [administrator, luis] = [await addPerson(bank.database, 'admin'), await bank.addCustomer()]
  await run(
    administrator,
    sql`select private.register_transaction(${luis.id}, 'deposit', 1234.56, 'Nómina', now(), 'Deposito')`,
  )

  const data = await exportOf(administrator)

  expect(data['ledger.audit']).toContainEqual(
    expect.objectContaining({
      action: 'register_transaction',
      was_done_by_me: true,
      before: null,
      after: null,
    }),
  )
  expect(JSON.stringify(data)).not.toContain('1234.56')
  expect(JSON.stringify(data)).not.toContain(luis.id)
  await closeAccount(administrator)
})

test('after an erasure, only the listed tables still contain the customer’s id', async () => {
  const person = await bank.addCustomer()
  await bank.owner.query(
    sql`update auth.users set raw_user_meta_data = '{"full_name": "Eulalia Única"}' where id = ${person.id}`,
  )
  await fillTables(person)
  const filled = await whereIs(person.id)
  expect((await tablesAboutPeople()).filter((table) => !filled.includes(table))).toEqual(neverFilled)

  await closeAccount(person)

  expect((await whereIs(person.id)).filter((table) => !retained.includes(table))).toEqual([])
  // The payee keeps the deposit, which names the payer.
  expect((await whereIs('Eulalia')).filter((table) => table !== 'realtime.outbox')).toEqual([
    'public.transactions',
  ])
  expect(
    (await whereIs(`${person.id}@banco.example`)).filter((table) => table !== 'realtime.outbox'),
  ).toEqual([])
  expect(await whereIs(aliasOf(person))).toEqual([])
})

/** Returns the tables that contain the text in any column. */
async function whereIs(text: string): Promise<string[]> {
  const tables = await bank.owner.query(sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'`)
  const found: string[] = []
  for (const { name } of tables) {
    const search: SqlStatement<{ count: number }> = {
      text: `select count(*) as count from ${name} t where t::text like '%' || $1 || '%'`,
      values: [text],
    }
    const [row] = await bank.owner.query(search)
    if ((row?.count ?? 0) > 0) found.push(name)
  }
  return found
}
