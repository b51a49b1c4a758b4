// Staff must open a customer's account before they can read its data, and the audit log records each time that staff
// open an account. The affected user gets a mail about a change of their access. The authorization matrix tests the
// rights of all roles.
import { expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import {
  type Person,
  addPerson,
  charge,
  correct,
  deposit,
  expense,
  openSession,
  record,
  run,
} from './people.ts'

const bank = useBank()

const open = (customer: Person) =>
  sql<{ opened: Record<string, unknown> }>`select public.open_customer(${customer.id}) as opened`
const readMovements = (customer: Person): SqlStatement =>
  sql`select id from public.read_customer_transactions(${customer.id})`
const explain = (customer: Person): SqlStatement =>
  sql`select * from public.read_customer_balance(${customer.id})`
const readJournal = (customer: Person): SqlStatement =>
  sql`select * from public.read_customer_journal(${customer.id})`

const refused = { sqlState: '42501' }
const unopened = { sqlState: '42501', message: 'Abre otra vez la página del cliente.' }

test('opening a customer’s account returns the customer’s largest deposit and expense, and ignores corrected mistakes', async () => {
  const [customer, newcomer] = [await bank.addCustomer(), await bank.addCustomer()]
  for (const amount of ['100', '1450', '7']) await run(bank.administrator, deposit(customer, amount))
  await run(bank.administrator, charge(customer, '9.50'))
  const mistake = await record(bank.administrator, deposit(customer, '1450000'))
  await run(bank.administrator, correct(customer, mistake))

  const largest = async (person: Person) =>
    (await run(bank.administrator, open(person)))[0]?.opened['largest']

  expect(await largest(customer)).toEqual({ deposit: 1450, expense: 9.5 })
  expect(await largest(newcomer)).toEqual({ deposit: null, expense: null })
})

test('opening a customer’s account returns the customer’s data and adds an audit entry', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  await run(customer, expense(customer, '12.50'))
  await run(customer, sql`update public.budgets set monthly_limit = 50`)

  const [answer] = await run(bank.administrator, open(customer))

  expect(answer?.opened).toMatchObject({
    full_name: 'Ana Pérez',
    email: `${customer.id}@banco.example`,
    role: 'user',
    banned_until: null,
    has_second_factor: false,
    sessions: [{ user_agent: null }],
    monthly_limit: 50,
    month_spent: 12.5,
    balance: 87.5,
    corrections: [],
  })
  expect(JSON.stringify(answer)).not.toContain(customer.sessionId)
  const entries = await bank.owner.query(
    sql`select action, actor, session_id, after from ledger.audit where target = ${customer.id} order by id desc limit 1`,
  )
  expect(entries).toEqual([
    {
      action: 'read_customer',
      actor: bank.administrator.id,
      session_id: bank.administrator.sessionId,
      after: null,
    },
  ])
})

test('opening a customer’s account lets the session read the customer’s transactions, journal and balance explanation', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  await run(customer, expense(customer, '12.50'))
  await run(bank.administrator, open(customer))

  const own = await run(
    customer,
    sql`select id from public.transactions order by date desc, transactions.id desc`,
  )
  expect(await run(bank.administrator, readMovements(customer))).toEqual(own)
  expect(await run(bank.administrator, readJournal(customer))).toEqual(
    await run(customer, sql`select * from public.journal_entries order by seq`),
  )
  expect(await run(bank.administrator, explain(customer))).toEqual(
    await run(customer, sql`select * from public.explain_balance()`),
  )
})

test('staff can make the statement that the customer gets, and the audit says which month and why', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  await run(customer, expense(customer, '12.50'))
  const month = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)
  const day = `${month}-01`
  const issue = (reason: string | null) =>
    sql<{ holder: object }>`select public.issue_statement(${customer.id}, ${day}::date, ${reason}) as holder`
  const read = sql`select public.read_customer_statement(${customer.id}, ${day}::date) as statement`
  for (const each of [issue('in_person'), read])
    await expect(run(bank.administrator, each)).rejects.toMatchObject(unopened)
  await run(bank.administrator, open(customer))

  for (const reason of [null, '', 'porque sí'])
    await expect(run(bank.administrator, issue(reason))).rejects.toMatchObject({ sqlState: 'PT422' })
  const [issued] = await run(bank.administrator, issue('in_person'))

  expect(issued?.holder).toMatchObject({
    full_name: null,
    typed_name: 'Ana Pérez',
    email: `${customer.id}@banco.example`,
    account_number: expect.stringMatching(/^\d{12}$/),
  })
  expect(await run(bank.administrator, read)).toEqual(
    await run(customer, sql`select public.statement(${day}::date) as statement`),
  )
  expect(
    await bank.owner.query(
      sql`select action, after from ledger.audit where target = ${customer.id} order by id desc limit 1`,
    ),
  ).toEqual([{ action: 'issue_statement', after: { month, reason: 'in_person' } }])
})

test('a customer cannot make or read the statement of another customer', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]

  for (const each of [
    sql`select public.issue_statement(${customer.id}, '2026-11-01', 'in_person')`,
    sql`select public.read_customer_statement(${customer.id}, '2026-11-01')`,
  ])
    await expect(run(other, each)).rejects.toMatchObject(refused)
})

test('opening a customer’s account lets staff read every row exactly once page by page, even if dates are equal', async () => {
  const customer = await bank.addCustomer()
  for (const amount of ['1', '2', '3', '4', '5'])
    await run(
      customer,
      sql`insert into public.transactions (type, description, amount, date)
          values ('expense', 'Café', ${amount}, ${amount === '5' ? '2026-11-02T00:00:00Z' : '2026-11-01T00:00:00Z'})`,
    )
  await run(bank.administrator, open(customer))

  const read: string[] = []
  let last: { id: string; date: string } | undefined
  for (let page = 0; page < 4; page += 1) {
    const rows = await run(
      bank.administrator,
      sql<{ id: string; date: string }>`
        select id, date::text as date from public.read_customer_transactions(
          ${customer.id}, ${last?.date ?? 'infinity'}, ${last?.id ?? null}, 2)`,
    )
    last = rows.at(-1) ?? last
    read.push(...rows.map(({ id }) => id))
  }

  const all = await run(
    customer,
    sql<{ id: string }>`select id from public.transactions order by date desc, transactions.id desc`,
  )
  expect(read).toEqual(all.map(({ id }) => id))
})

test('opening a customer’s account is refused for an unknown id and does not add an audit entry', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, sql`select private.delete_user(${customer.id})`)

  await expect(run(bank.administrator, open(customer))).rejects.toMatchObject({ sqlState: 'PT404' })

  expect(
    await bank.owner.query(
      sql`select id from ledger.audit where target = ${customer.id} and action = 'read_customer'`,
    ),
  ).toEqual([])
})

const reads = [explain, readMovements, readJournal]

test('an administrator cannot read a customer’s data without first opening the customer’s page', async () => {
  const customer = await bank.addCustomer()

  for (const read of reads)
    await expect(run(bank.administrator, read(customer))).rejects.toMatchObject(unopened)
})

test('opening an account gives access only to this customer’s data, in this session of this administrator', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const colleague = await addPerson(bank.database, 'admin')
  const elsewhere = await openSession(bank.administrator)
  await run(bank.administrator, open(customer))

  for (const read of reads) {
    await expect(run(elsewhere, read(customer))).rejects.toMatchObject(unopened)
    await expect(run(colleague, read(customer))).rejects.toMatchObject(unopened)
    await expect(run(bank.administrator, read(other))).rejects.toMatchObject(unopened)
  }
})

const aged = useBank()

test('an administrator cannot read a customer’s data more than an hour after opening the account', async () => {
  const customer = await aged.addCustomer()
  const { id, sessionId } = aged.administrator
  const openedAgo = (minutes: number) =>
    aged.owner.query(sql`
      insert into ledger.audit (id, recorded_at, origin, actor, session_id, action, target, previous_hash, hash)
      select max(a.id) + 1, now() - make_interval(mins => ${minutes}), 'request', ${id}, ${sessionId}, 'read_customer',
        ${customer.id}, '', '' from ledger.audit a`)

  await openedAgo(61)
  for (const read of reads)
    await expect(run(aged.administrator, read(customer))).rejects.toMatchObject(unopened)

  await openedAgo(59)
  for (const read of reads) await run(aged.administrator, read(customer))
})

test('an administrator who has not verified their second factor cannot read a customer’s data', async () => {
  const [customer, careful] = [await bank.addCustomer(), await addPerson(bank.database, 'admin')]
  await bank.asService(
    sql`insert into auth.mfa_factors (user_id, factor_type, status, secret) values (${careful.id}, 'totp', 'verified', 'sealed')`,
  )
  // Our own server already refuses this session. On a hosted project, the SQL function must refuse the call.
  await expect(run(careful, open(customer))).rejects.toMatchObject({
    sqlState: expect.any(String) as string,
  })

  await bank.asService(sql`update auth.sessions set aal = 'aal2' where id = ${careful.sessionId}`)
  await run(careful, open(customer))
  expect(await run(careful, readMovements(customer))).toEqual([])
})

test('the audit log keeps the role and the balance of a deleted user', async () => {
  const [rich, indebted] = [await bank.addCustomer(), await bank.addCustomer()]
  await run(bank.administrator, deposit(rich, '1500000.50'))
  await run(indebted, expense(indebted, '3'))

  for (const customer of [rich, indebted])
    await run(bank.administrator, sql`select private.delete_user(${customer.id})`)

  const entries = await bank.owner.query(
    sql`select before from ledger.audit where action = 'delete_user' order by id desc limit 2`,
  )
  expect(entries).toEqual([
    { before: { role: 'user', balance: '-3.00' } },
    { before: { role: 'user', balance: '1500000.50' } },
  ])
})

const other = useBank()
const sums = async (days: number) =>
  (
    await run(
      other.administrator,
      sql<{ sums: Record<string, unknown> }>`select to_jsonb(public.sum_bank(${days})) as sums`,
    )
  )[0]?.sums

/** Returns the last days of the bank's debt, oldest first. */
async function days(count: number) {
  const listed = (await sums(count))?.['days'] as { came_in: number; went_out: number; owed: number }[]
  return listed.map(({ came_in, went_out, owed }) => ({ in: came_in, out: went_out, owed }))
}

test('the bank’s debt is the sum of the balances that it recorded, now and at the end of each day in Bogotá', async () => {
  const [ana, luis] = [await other.addCustomer(), await other.addCustomer()]
  await run(other.administrator, deposit(ana, '100'))
  await run(other.administrator, charge(luis, '30'))
  // Adds an entry in the last second of yesterday, and an entry in the last minute of the day before yesterday.
  for (const [seq, moment] of [
    [101, `interval '1 second'`],
    [102, `interval '1 day 1 minute'`],
  ] as const)
    await other.owner.query({
      text: `insert into ledger.journal (user_id, seq, kind, origin, delta, balance_after, recorded_at, previous_hash, hash)
        select $1, $2, 'deposit', 'own', 7, 7,
          date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota' - ${moment}, '', ''`,
      values: [ana.id, seq],
    })
  await other.owner.query(sql`update public.budgets set balance = balance + 14 where user_id = ${ana.id}`)

  // The administrator has no journal entry yet, and therefore does not count as a customer.
  expect(await sums(4)).toMatchObject({ customers: 2, owed: 114, overdrawn: -30, total: 84 })
  expect(await days(4)).toEqual([
    { in: 0, out: 0, owed: 0 },
    { in: 7, out: 0, owed: 7 },
    { in: 7, out: 0, owed: 14 },
    { in: 100, out: 30, owed: 114 },
  ])

  await run(other.administrator, deposit(other.administrator, '5'))
  expect(await sums(1)).toMatchObject({ customers: 3, owed: 119 })
})

test('a customer’s note and a transfer between customers change no day of the bank’s debt', async () => {
  const [ana, luis] = [await other.addCustomer(), await other.addCustomer()]
  await run(other.administrator, deposit(ana, '100'))
  const [before] = await days(1)

  await run(ana, expense(ana, '107'))
  const transfer = crypto.randomUUID()
  for (const [person, delta] of [
    [ana, -40],
    [luis, 40],
  ] as const)
    await other.owner.query({
      text: `with posted as (
          insert into ledger.journal (user_id, seq, kind, origin, origin_id, delta, balance_after, recorded_at, previous_hash, hash)
          values ($1, 101, $2, 'transfer', $3, $4, 0, now(), '', '')
        )
        update public.budgets set balance = balance + $4 where user_id = $1`,
      values: [person.id, delta < 0 ? 'expense' : 'deposit', transfer, delta],
    })

  expect(await days(1)).toEqual([before])
})

test('a closed account takes from the bank’s debt what the bank had recorded', async () => {
  const ana = await other.addCustomer()
  await run(other.administrator, deposit(ana, '100'))
  await run(ana, expense(ana, '30'))
  const [today] = await days(1)
  const [yesterday] = await days(2)

  await run(other.administrator, sql`select private.delete_user(${ana.id})`)

  const [out, owed] = [(today?.out ?? 0) + 100, (today?.owed ?? 0) - 100]
  expect(await days(2)).toEqual([yesterday, { in: expect.any(Number), out, owed }])
})

const told = (person: Person) =>
  bank.owner.query(sql`
    select notice ->> 'topic' as topic, notice -> 'facts' as facts from auth.outgoing_mails
    where notice ->> 'to' = ${`${person.id}@banco.example`} and not notice -> 'facts' ? 'target_id' order by created_at`)

test('a user gets a mail about a change of their access, whether an administrator or an operator or SQL makes the change', async () => {
  const customer = await bank.addCustomer()

  await run(bank.administrator, sql`select public.block_user(${customer.id}, 'suspected_fraud', 24)`)
  await run(bank.administrator, sql`select public.end_sessions(${customer.id})`)
  await bank.asService(
    sql`select private.act_as('operator')`,
    sql`select private.unblock_user(${customer.id})`,
  )
  await bank.asService(
    sql`update auth.users set banned_until = '2999-01-01T00:00:00Z' where id = ${customer.id}`,
  )

  expect(await told(customer)).toEqual([
    { topic: 'ban_user', facts: { banned_until: expect.any(String), reason: 'suspected_fraud' } },
    { topic: 'revoke_sessions', facts: {} },
    { topic: 'unban_user', facts: { banned_until: null } },
    { topic: 'ban_user', facts: { banned_until: '2999-01-01T00:00:00+00:00' } },
  ])
})

test('a reset of the second factor cancels a pending factor removal', async () => {
  const customer = await bank.addCustomer()
  await bank.asService(
    sql`update auth.users set factors_end_at = now() + interval '1 day' where id = ${customer.id}`,
  )

  await run(bank.administrator, sql`select public.reset_factor(${customer.id})`)

  expect(
    await bank.owner.query(sql`select factors_end_at from auth.users where id = ${customer.id}`),
  ).toEqual([{ factors_end_at: null }])
})

test('a change of access is refused for the administrator’s own account and for an unknown user', async () => {
  for (const act of [
    (id: string) => sql`select public.block_user(${id}, 'other')`,
    (id: string) => sql`select public.unblock_user(${id})`,
    (id: string) => sql`select public.end_sessions(${id})`,
    (id: string) => sql`select public.reset_factor(${id})`,
    (id: string) => sql`select public.cancel_email_change(${id})`,
    (id: string) => sql`select private.begin_email_change(${id})`,
    (id: string) => sql`select private.begin_link_mail(${id})`,
  ]) {
    await expect(run(bank.administrator, act(bank.administrator.id))).rejects.toMatchObject({
      sqlState: 'PT403',
      message: 'No puedes cambiar tu propio acceso desde aquí.',
    })
    await expect(run(bank.administrator, act(crypto.randomUUID()))).rejects.toMatchObject({
      sqlState: 'PT404',
    })
  }
})

test('a refused change of access does not send a mail', async () => {
  const customer = await bank.addCustomer()

  await expect(
    run(customer, sql`select public.block_user(${bank.administrator.id}, 'other')`),
  ).rejects.toMatchObject(refused)
  const unproven = await openSession(bank.administrator)
  await expect(run(unproven, sql`select public.reset_factor(${customer.id})`)).rejects.toMatchObject(refused)

  expect([await told(customer), await told(bank.administrator)]).toEqual([[], []])
})

test.for([0, -5, 87_601])('a block of %s hours is refused', async (hours) => {
  const customer = await bank.addCustomer()

  await expect(
    run(bank.administrator, sql`select public.block_user(${customer.id}, 'other', ${hours})`),
  ).rejects.toMatchObject({ sqlState: 'PT422', message: 'Un bloqueo dura de 1 a 87.600 horas.' })
})

test('a block requires one of the known reasons, and staff can read the reason until the block ends', async () => {
  const customer = await bank.addCustomer()
  const reasonNow = async () => (await run(bank.administrator, open(customer)))[0]?.opened['block_reason']

  for (const reason of [null, '', 'porque sí'])
    await expect(
      run(bank.administrator, sql`select public.block_user(${customer.id}, ${reason})`),
    ).rejects.toMatchObject({ sqlState: 'PT422' })
  expect(await reasonNow()).toBeNull()
  await run(bank.administrator, sql`select public.block_user(${customer.id}, 'legal_order', 24)`)
  expect(await reasonNow()).toBe('legal_order')
  await bank.asService(
    sql`update auth.users set banned_until = '2999-01-01T00:00:00Z' where id = ${customer.id}`,
  )
  expect(await reasonNow()).toBeNull()
  await run(bank.administrator, sql`select public.block_user(${customer.id}, 'other')`)
  await run(bank.administrator, sql`select public.unblock_user(${customer.id})`)
  expect(await reasonNow()).toBeNull()
})
