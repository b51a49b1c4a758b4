// If an action of an administrator exceeds the bank's limit, the action waits for another administrator
// (docs/decisions/0068).
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { becomeAuthenticationService } from '#server/functions/local-access.ts'
import { createUserStatements } from '#server/people/users.ts'
import { population } from '#testing/population.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { storeWaitingLink } from '#server/people/staff-access.ts'
import { settings } from './bank-settings.ts'
import { type Batch, postAll, readBatch } from './batches.ts'
import { useBank } from './database.ts'
import {
  type Person,
  addPerson,
  ageProof,
  balanceOf,
  charge,
  closeAccount,
  correct,
  deposit,
  expense,
  openSession,
  record,
  run,
  setRole,
} from './people.ts'
import { day, enableTransfers, request, returnTransfer, runDue } from './transfers.ts'
import { decide, waitingRequests } from './decisions.ts'
import { closeFile, returnFile } from './clearing.ts'
import { addHolder, addPair, befriendElsewhere } from './beneficiaries.ts'

const bank = useBank()
/** Number of rounds in which two calls are made at the same moment. */
const rounds = 21
const approvalAbove = (sum: number | null) =>
  bank.asService(
    settings({
      staff_proof: 'on',
      staff_proof_above: 10_000_000,
      staff_self_dealing: 'allow',
      staff_approval_above: sum,
    }),
  )

let clerk: Person
let approver: Person
let customer: Person
beforeEach(async () => {
  clerk = await addPerson(bank.database, 'admin')
  approver = await addPerson(bank.database, 'admin')
  customer = await bank.addCustomer()
  await approvalAbove(1000)
})
afterEach(() => approvalAbove(null))

type Request = { id: string; kind: string; status: string; amount: string | null; reason: string | null }
const requestsOf = (person: Person) =>
  bank.owner.query(sql<Request>`
    select id, kind, status, trim_scale(amount)::text as amount, reason from public.requests
    where asked_by = ${person.id} order by asked_at`)
const waitingOf = async (person: Person) =>
  (await requestsOf(person)).filter(({ status }) => status === 'waiting')

/** Runs an order that must wait, and returns its request. */
async function ask(statement: SqlStatement, by = clerk): Promise<Request> {
  await run(by, statement)
  const request = (await waitingOf(by)).at(-1)
  if (request === undefined) throw new Error('The order did not wait.')
  return request
}
const approve = (request: Request, by = approver) => decide(by, [request.id], true)
const decline = (request: Request, by = approver) => decide(by, [request.id], false, 'No está autorizado')
const cancel = (by: Person, id: string) =>
  run(by, sql<{ status: string }>`select status from public.cancel_request(${id})`)
const removal = ({ id }: Person) => sql`select private.delete_user(${id})`
const block = ({ id }: Person, hours = 24) =>
  sql`select public.block_user(${id}, 'suspected_fraud', ${hours})`
/** Runs a command of the operator, which needs no approval. */
const asOperator = (statement: SqlStatement, of = bank) =>
  of.asService(sql`select private.act_as('operator')`, statement)
const resetFactor = ({ id }: Person) => sql`select public.reset_factor(${id})`
const changeAddress = ({ id }: Person) => sql`select private.begin_email_change(${id})`
const addFactor = ({ id }: Person) =>
  bank.owner.query(sql`
    insert into auth.mfa_factors (user_id, factor_type, status, secret) values (${id}, 'totp', 'verified', 'x')`)
const blockByOperator = ({ id }: Person) =>
  asOperator(sql`select private.block_user(${id}, 24, 'suspected_fraud')`)
const roleOf = async ({ id }: Person) =>
  (
    await bank.owner.query(
      sql<{
        role: string
      }>`select coalesce(raw_app_meta_data ->> 'role', 'user') as role from auth.users where id = ${id}`,
    )
  )[0]?.role
const auditAbout = (person: Person) =>
  run(
    bank.administrator,
    sql<{ action: string; actor: string; session: string | null; after: Record<string, unknown> | null }>`
      select action, actor, session_id as session, after from public.audit_of(${person.id}) order by id`,
  )
const lines = (amount: number, people: readonly Person[] = [customer]) =>
  JSON.stringify(
    people.map(({ id }, line) => ({ line: line + 1, user_id: id, amount, description: 'Nómina' })),
  )
const order = (amount: number, people?: readonly Person[], id = crypto.randomUUID()) => sql<{ batch: Batch }>`
  select to_jsonb(b) as batch from public.create_batch(${id}, 'nomina.csv', ${lines(amount, people)}::json) b`
async function waitingLocks(): Promise<number | undefined> {
  const [row] = await bank.owner.query(
    sql<{ count: number }>`
      select count(*)::integer as count from pg_locks l
      where l.locktype = 'advisory' and not l.granted
        and l.database = (select d.oid from pg_database d where d.datname = current_database())`,
  )
  return row?.count
}

test('orders do not wait for a second administrator if the bank has not set a limit', async () => {
  await approvalAbove(null)

  await run(clerk, deposit(customer, '900000'))
  await run(clerk, setRole(customer, 'admin'))
  await run(clerk, order(900_000, [await bank.addCustomer()]))

  expect(await balanceOf(customer)).toBe('900000')
  expect(await roleOf(customer)).toBe('admin')
  expect(await requestsOf(clerk)).toEqual([])
})

test('a deposit up to the limit is recorded at once, and a deposit above the limit waits', async () => {
  await run(clerk, deposit(customer, '1000'))
  const request = await ask(deposit(customer, '0.01'))

  expect(request).toMatchObject({ kind: 'transaction', amount: '0.01' })
  expect(await balanceOf(customer)).toBe('1000')
})

test('an administrator cannot avoid the decision by splitting a deposit into several orders or sessions', async () => {
  const elsewhere = await openSession(clerk)
  await run(clerk, deposit(customer, '300'))
  await run(elsewhere, charge(customer, '300'))
  await run(clerk, order(300))

  await ask(deposit(customer, '101'), elsewhere)
  await ask(order(101))
  await run(clerk, deposit(customer, '100'))
  expect(await waitingOf(clerk)).toHaveLength(2)
})

// The embedded engine has a single connection.
test.skipIf(inject('cluster') === null)(
  'an administrator cannot avoid the decision with two deposits at the same moment',
  async () => {
    const other = await bank.addCustomer()
    // Both requests wait for the lock before they commit, so the audit log does not contain either request yet.
    await bank.owner.query(sql`select pg_advisory_lock(hashtext('finanzas.audit'))`)
    const both = Promise.all([run(clerk, deposit(customer, '600')), run(clerk, deposit(other, '600'))])
    try {
      await expect.poll(waitingLocks).toBe(2)
    } finally {
      await bank.owner.query(sql`select pg_advisory_unlock(hashtext('finanzas.audit'))`)
    }
    await both

    expect(new Set([await balanceOf(customer), await balanceOf(other)])).toEqual(new Set(['0', '600']))
    expect(await waitingOf(clerk)).toHaveLength(1)
  },
)

test('a deposit by another administrator does not count toward the limit', async () => {
  await run(approver, deposit(customer, '1000'))
  await run(clerk, deposit(customer, '1000'))

  expect(await balanceOf(customer)).toBe('2000')
})

test('an approved deposit is recorded once and does not count toward its author’s limit', async () => {
  const request = await ask(deposit(customer, '5000'))

  expect(await approve(request)).toMatchObject([{ status: 'done', decided_by: approver.id }])
  expect(await approve(request)).toMatchObject([{ status: 'done' }])
  await run(clerk, deposit(customer, '1000'))

  expect(await balanceOf(customer)).toBe('6000')
  expect(
    await run(
      customer,
      sql`select description, category, recorded_by from public.transactions where id = ${request.id}`,
    ),
  ).toEqual([{ description: 'Nómina', category: 'Deposito', recorded_by: 'bank' }])
})

test('a deposit that the bank would not post is refused at once and does not wait', async () => {
  const twoLines = sql`
    select private.register_transaction(${customer.id}, 'deposit', 5000, ${'a\nb'}, now(), 'Deposito')`

  await expect(run(clerk, twoLines)).rejects.toMatchObject({
    constraint: 'transactions_description_is_a_line',
  })
  expect(await waitingOf(clerk)).toEqual([])
})

test('a deposit that is sent twice with the same idempotency key is requested only once', async () => {
  const keyed = sql`
    select private.register_transaction(
      ${customer.id}, 'deposit', '5000', 'Nómina', '2026-11-01', 'Deposito', gen_random_uuid(), 'k1', ${'11'.repeat(32)}
    ) as answer`
  const first = await run(clerk, keyed)

  expect(first).toMatchObject([{ answer: { status: 'waiting' } }])
  expect(await run(clerk, keyed)).toEqual(first)
  expect(await waitingOf(clerk)).toHaveLength(1)
})

test('a requested deposit fails if the account is closed before the decision', async () => {
  const request = await ask(deposit(customer, '5000'))
  await closeAccount(customer)

  expect(await requestsOf(clerk)).toMatchObject([{ status: 'failed', reason: 'La cuenta está cerrada.' }])
  expect(await bank.owner.query(sql`select details from public.requests where id = ${request.id}`)).toEqual([
    { details: {} },
  ])
})

test('a requested deposit fails if its author is no longer an administrator', async () => {
  const [demoted, blocked] = [
    await ask(deposit(customer, '5000')),
    await ask(deposit(customer, '5000'), approver),
  ]
  await asOperator(
    sql`update auth.users set raw_app_meta_data = raw_app_meta_data - 'role' where id = ${clerk.id}`,
  )
  await blockByOperator(approver)

  for (const request of [demoted, blocked])
    expect(await approve(request, bank.administrator)).toMatchObject([
      { status: 'failed', reason: 'Quien lo pidió ya no es administrador.' },
    ])
  expect(await balanceOf(customer)).toBe('0')
})

test('the audit entry of a deposit names both administrators', async () => {
  const request = await ask(deposit(customer, '5000'))
  await approve(request)

  const about = { id: request.id, kind: 'transaction', amount: '5000.00' }
  expect(await auditAbout(customer)).toMatchObject([
    { action: 'request_approval', actor: clerk.id, session: clerk.sessionId, after: about },
    {
      action: 'decide_request',
      actor: approver.id,
      session: approver.sessionId,
      after: { ...about, decision: 'approved' },
    },
    {
      action: 'register_transaction',
      actor: clerk.id,
      session: null,
      after: { id: request.id, type: 'deposit', amount: '5000.00', approved_by: approver.id },
    },
  ])
})

const refused = { sqlState: 'PT403', message: expect.stringMatching(/lo decide otra persona/) as string }

test('the administrator who made a request cannot decide it', async () => {
  const request = await ask(deposit(customer, '5000'))

  await expect(approve(request, clerk)).rejects.toMatchObject(refused)
  await expect(decline(request, clerk)).rejects.toMatchObject(refused)
  expect(await balanceOf(customer)).toBe('0')
})

test('the administrator whom a request concerns cannot decide it', async () => {
  const own = await ask(deposit(approver, '5000'))
  const payroll = await ask(order(600, [customer, approver]))

  for (const request of [own, payroll]) await expect(approve(request)).rejects.toMatchObject(refused)
})

test('a declined deposit is not recorded, and its request shows the reason', async () => {
  const request = await ask(deposit(customer, '5000'))
  await decline(request)

  expect(await requestsOf(clerk)).toMatchObject([{ status: 'declined', reason: 'No está autorizado' }])
  expect(await approve(request)).toMatchObject([{ status: 'declined' }])
  expect(await balanceOf(customer)).toBe('0')
})

test('an administrator cannot approve a request without recent re-authentication', async () => {
  await bank.asService(settings({ staff_proof_above: 100 }))
  const request = await ask(deposit(customer, '5000'))
  await ageProof(approver, 11)

  await expect(approve(request)).rejects.toMatchObject({ hint: 'reauthentication_needed' })
  expect(await waitingOf(clerk)).toHaveLength(1)
})

test('administrators’ requests can be decided and can expire even if transfers are disabled', async () => {
  const [decided, expired] = [await ask(deposit(customer, '5000')), await ask(order(5000))]
  await approve(decided)
  await runDue(bank, 4)

  expect(await requestsOf(clerk)).toMatchObject([{ status: 'done' }, { status: 'expired' }])
  expect(await readBatch(bank, expired.id)).toMatchObject({ is_held: false, posted: 0, failed: 1 })
})

test('an administrator can cancel their own waiting request', async () => {
  const request = await ask(deposit(customer, '5000'))

  await expect(cancel(approver, request.id)).rejects.toMatchObject({ sqlState: 'PT404' })
  expect(await cancel(clerk, request.id)).toEqual([{ status: 'cancelled' }])
  expect(await cancel(clerk, request.id)).toEqual([{ status: 'cancelled' }])
  expect(await approve(request)).toMatchObject([{ status: 'cancelled' }])
  expect((await auditAbout(customer)).map(({ action }) => action)).toEqual([
    'request_approval',
    'cancel_request',
  ])
})

test('a correction above the limit waits, and its author is the clerk who requested it', async () => {
  const mistake = await record(approver, deposit(customer, '700'))
  const request = await ask(correct(customer, mistake, 'Era menos', '400'))

  expect(request).toMatchObject({ kind: 'correction', amount: '1100' })
  expect(await balanceOf(customer)).toBe('700')
  await approve(request)

  expect(await balanceOf(customer)).toBe('400')
  const made = (await auditAbout(customer)).slice(-2)
  expect(made.map(({ action }) => action).toSorted()).toEqual(['correct_transaction', 'register_transaction'])
  for (const entry of made)
    expect(entry).toMatchObject({ actor: clerk.id, after: { approved_by: approver.id } })
  expect(await run(customer, sql`select id, reason from public.corrections`)).toEqual([
    { id: request.id, reason: 'Era menos' },
  ])
})

test('a correction above the limit needs a reason, like any other correction', async () => {
  const mistake = await record(bank.administrator, deposit(customer, '400'))
  const wanted = (rightAmount: string) =>
    run(
      clerk,
      sql`select public.correct_transaction(${customer.id}, ${mistake}, null, right_amount => ${rightAmount})`,
    )
  const refused = await wanted('1').catch((error: unknown) => error)

  expect(refused).toMatchObject({ sqlState: '23502' })
  await expect(wanted('5000')).rejects.toMatchObject({
    message: (refused as Error).message,
    sqlState: '23502',
  })
  expect(await waitingOf(clerk)).toEqual([])
})

test('a requested correction fails if the transaction was corrected before the decision', async () => {
  await approvalAbove(null)
  const mistake = await record(approver, deposit(customer, '5000'))
  await approvalAbove(1000)
  const [first, second] = [await ask(correct(customer, mistake)), await ask(correct(customer, mistake))]
  await approve(first)

  expect(await approve(second)).toMatchObject([
    { status: 'failed', reason: 'Este movimiento ya se corrigió.' },
  ])
  expect(await balanceOf(customer)).toBe('0')
  await expect(run(clerk, correct(customer, mistake))).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a batch above the limit does not post lines before it is approved', async () => {
  const id = crypto.randomUUID()
  const [ordered] = await run(clerk, order(5000, [customer], id))
  await postAll(bank)

  expect(ordered?.batch).toMatchObject({ is_held: true, stopped_at: null })
  expect(await run(clerk, order(5000, [customer], id))).toMatchObject([{ batch: { id, is_held: true } }])
  const held = { sqlState: 'PT409', message: 'Este lote espera a otro administrador.' }
  for (const act of [
    sql`select public.continue_batch(${id})`,
    sql`select public.stop_batch(${id})`,
    sql`select public.reverse_batch(${id}, 'Error')`,
  ])
    await expect(run(clerk, act)).rejects.toMatchObject(held)
  expect(await balanceOf(customer)).toBe('0')

  await decide(approver, [id], true)
  await postAll(bank)
  expect(await balanceOf(customer)).toBe('5000')
  expect(await waitingOf(clerk)).toEqual([])
  const entries = await run(
    bank.administrator,
    sql`select actor, after ->> 'approved_by' as approved_by from public.audit_of(action => 'register_batch') where after ->> 'id' = ${id}`,
  )
  expect(entries).toEqual([{ actor: clerk.id, approved_by: approver.id }])
})

test('a batch whose author is blocked before the decision is neither posted nor registered in the audit', async () => {
  const id = crypto.randomUUID()
  await run(clerk, order(5000, [customer], id))
  await blockByOperator(clerk)

  expect(await decide(approver, [id], true)).toMatchObject([{ status: 'failed' }])
  await postAll(bank)

  expect(await balanceOf(customer)).toBe('0')
  expect(
    await bank.owner.query(
      sql`select from ledger.audit where action = 'register_batch' and after ->> 'id' = ${id}`,
    ),
  ).toEqual([])
})

test('a promotion waits for another administrator regardless of the bank’s limit', async () => {
  expect(
    await run(clerk, sql`update public.profiles set role = 'admin' where id = ${customer.id} returning id`),
  ).toEqual([])
  await run(clerk, setRole(customer, 'admin'))
  const [request, ...others] = await waitingOf(clerk)

  expect([request?.kind, others]).toEqual(['promotion', []])
  expect(await roleOf(customer)).toBe('user')
  await approve(request as Request)
  expect(await roleOf(customer)).toBe('admin')
  expect((await auditAbout(customer)).at(-1)).toMatchObject({
    action: 'change_role',
    actor: clerk.id,
    after: { role: 'admin', approved_by: approver.id },
  })
})

/** Creates a user as an administrator, by default with an order, and returns the user's id. */
async function createAdministrator({ id = crypto.randomUUID(), isOrdered = true } = {}): Promise<string> {
  const user = {
    id,
    email: `${id}@banco.example`,
    passwordHash: 'x',
    fullName: 'Eva',
    role: 'admin' as const,
  }
  await bank.database.transaction(clerk.as('write'), [
    ...(isOrdered ? [sql`select private.order_user(${id}, 'admin')`] : []),
    becomeAuthenticationService,
    ...createUserStatements(user),
    storeWaitingLink(id, id),
  ])
  return id
}

test('a batch that waits ends without deposits when its author leaves the bank', async () => {
  const { id } = await ask(order(5000))
  await asOperator(sql`delete from auth.users where id = ${clerk.id}`)

  const ended = sql`select is_held, failed, finished_at is not null as ended from public.batches where id = ${id}`
  expect(await bank.owner.query(ended)).toEqual([{ is_held: false, failed: 1, ended: true }])
})

test('a session cannot create an administrator without an order', async () => {
  const id = crypto.randomUUID()

  await expect(createAdministrator({ id, isOrdered: false })).rejects.toMatchObject({ sqlState: 'PT403' })

  expect(await bank.owner.query(sql`select from auth.users where id = ${id}`)).toEqual([])
  expect(await waitingOf(clerk)).toEqual([])
})

test('a new administrator is created as a customer and waits for the promotion', async () => {
  const id = await createAdministrator()

  const [request] = await waitingOf(clerk)
  expect(await roleOf({ ...customer, id })).toBe('user')
  const [listed] = (await waitingRequests(approver)).requests
  expect(listed).toMatchObject({ id: request?.id, about_name: `Eva · ${id}@banco.example` })
  await approve(request as Request)
  expect(await roleOf({ ...customer, id })).toBe('admin')
})

test('the promotion of a new user removes the password and the sessions, but keeps the invitation', async () => {
  const id = await createAdministrator()
  await bank.owner.query(sql`insert into auth.sessions (id, user_id) values (gen_random_uuid(), ${id})`)
  await approve((await waitingOf(clerk))[0] as Request)

  expect(
    await bank.owner.query(sql`
      select u.encrypted_password,
        (select count(*)::integer from auth.sessions s where s.user_id = u.id) as sessions,
        (select count(*)::integer from auth.one_time_tokens t where t.user_id = u.id) as links
      from auth.users u where u.id = ${id}`),
  ).toEqual([{ encrypted_password: null, sessions: 0, links: 1 }])
})

test('a promotion can be requested again once the first request has expired', async () => {
  const first = await ask(setRole(customer, 'admin'))
  await bank.owner.query(
    sql`update public.requests set expires_at = now() - interval '1 minute' where id = ${first.id}`,
  )
  const waits = () =>
    run(clerk, sql<{ waits: boolean }>`select public.waits_for_approval(${customer.id}) as waits`)
  expect(await waits()).toEqual([{ waits: false }])

  expect((await ask(setRole(customer, 'admin'))).id).not.toBe(first.id)
  expect(await waits()).toEqual([{ waits: true }])
})

const ends: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
  approved: (request) => approve(request),
  declined: (request) => decline(request),
  cancelled: ({ id }) => cancel(clerk, id),
}
test.for(Object.entries(ends))('an order that was %s no longer waits', async ([, end]) => {
  const request = await ask(deposit(customer, '5000'))
  const waits = (by: Person, id: string) =>
    run(by, sql<{ waits: boolean }>`select public.waits_for_approval(${id}) as waits`)
  expect(await waits(clerk, request.id)).toEqual([{ waits: true }])
  // The order is that of another administrator, and the deposit does not concern the access of the customer.
  expect(await waits(approver, request.id)).toEqual([{ waits: false }])
  expect(await waits(clerk, customer.id)).toEqual([{ waits: false }])

  await end(request)

  expect(await waits(clerk, request.id)).toEqual([{ waits: false }])
})

test('a customer cannot ask whether an order waits', async () => {
  await expect(run(customer, sql`select public.waits_for_approval(${customer.id})`)).rejects.toMatchObject({
    sqlState: '42501',
  })
})

test('the approvals of a deposit and of the deletion of its account have an audit entry each', async () => {
  await run(clerk, deposit(customer, '900'))
  const removed = await ask(removal(customer))
  const paid = await ask(deposit(customer, '5000'))
  await bank.owner.query(
    sql`update public.requests set asked_at = asked_at + interval '1 second' where id = ${removed.id}`,
  )
  // The deposit changes the balance, so that the deletion is no longer the one that was requested.
  await decide(approver, [paid.id, removed.id], true)

  expect((await auditAbout(customer)).map(({ action }) => action)).toEqual([
    'register_transaction',
    'request_approval',
    'request_approval',
    'decide_request',
    'register_transaction',
    'decide_request',
  ])
})

test('a correction that is approved with the deletion of its account has an audit entry for each amount', async () => {
  await run(clerk, deposit(customer, '900'))
  const [paid] = await run(customer, sql<{ id: string }>`select id from public.transactions`)
  const corrected = await ask(
    sql`select public.correct_transaction(${customer.id}, ${paid?.id ?? ''}, 'Otra fecha', right_amount => 900)`,
  )
  const removed = await ask(removal(customer))
  await decide(approver, [corrected.id, removed.id], true)

  expect((await auditAbout(customer)).slice(-4)).toMatchObject([
    { action: 'correct_transaction', after: { type: 'expense', amount: '900.00' } },
    { action: 'register_transaction', after: { type: 'deposit', amount: '900.00' } },
    { action: 'decide_request' },
    { action: 'delete_user' },
  ])
})

test('a declined promotion can be requested again', async () => {
  const first = await ask(setRole(customer, 'admin'))
  await decline(first)

  expect((await ask(setRole(customer, 'admin'))).id).not.toBe(first.id)
})

test('the promotion of a customer who chose the password keeps it', async () => {
  await run(clerk, deposit(customer, '10'))
  const password = sql`select encrypted_password from auth.users where id = ${customer.id}`
  await bank.asService(sql`update auth.users set encrypted_password = 'chosen' where id = ${customer.id}`)

  await approve(await ask(setRole(customer, 'admin')))

  expect(await roleOf(customer)).toBe('admin')
  expect(await bank.owner.query(password)).toEqual([{ encrypted_password: 'chosen' }])
})

test('a promotion that the bank would not carry out is refused at once and does not wait', async () => {
  await addFactor(customer)
  await approve(await ask(resetFactor(customer)))

  await expect(run(clerk, setRole(customer, 'admin'))).rejects.toMatchObject({
    sqlState: 'PT403',
    message: expect.stringContaining('72 horas') as string,
  })
})

describe('the removal of a lost second factor', () => {
  const factors = async () =>
    (await bank.owner.query(sql`select from auth.mfa_factors where user_id = ${customer.id}`)).length
  beforeEach(() => addFactor(customer))

  test('waits for a second administrator, ends the sessions and tells the customer', async () => {
    await run(clerk, resetFactor(customer))
    const request = await ask(resetFactor(customer))

    expect(await waitingOf(clerk)).toMatchObject([{ kind: 'factor', amount: null }])
    expect(await run(clerk, sql`select public.waits_for_approval(${customer.id}) as waits`)).toEqual([
      { waits: true },
    ])
    expect(await factors()).toBe(1)
    await expect(approve(request, clerk)).rejects.toMatchObject(refused)
    expect(await approve(request)).toMatchObject([{ status: 'done' }])
    expect(await approve(request)).toMatchObject([{ status: 'done' }])
    expect(await factors()).toBe(0)
    expect(await bank.owner.query(sql`select from auth.sessions where user_id = ${customer.id}`)).toEqual([])
    expect((await auditAbout(customer)).at(-1)).toMatchObject({
      action: 'reset_factor',
      actor: clerk.id,
      after: { approved_by: approver.id },
    })
    expect(
      await bank.owner.query(sql`
        select notice ->> 'topic' as topic from auth.outgoing_mails m
        where m.notice ->> 'to' = ${`${customer.id}@banco.example`} and m.notice ->> 'topic' = 'reset_factor'`),
    ).toHaveLength(1)
    for (const { id } of [clerk, approver])
      expect(
        await bank.owner.query(sql`
          select from private.access_acts where person = ${customer.id} and clerk = ${id} and act = 'factor'`),
      ).toHaveLength(1)
  })

  test('requires recent re-authentication of both administrators', async () => {
    const request = await ask(resetFactor(customer))
    await ageProof(approver, 11)
    await ageProof(clerk, 11)

    await expect(approve(request)).rejects.toMatchObject({ hint: 'reauthentication_needed' })
    await expect(run(clerk, resetFactor(customer))).rejects.toMatchObject({
      hint: 'reauthentication_needed',
    })
    expect(await factors()).toBe(1)
  })

  test('cannot be requested by an administrator who changed the access of the customer', async () => {
    await run(clerk, changeAddress(customer))

    await expect(run(clerk, resetFactor(customer))).rejects.toMatchObject({
      sqlState: 'PT403',
      message: expect.stringContaining('lo pide otra persona') as string,
    })
    expect(await waitingOf(clerk)).toEqual([])
  })

  test('cannot be decided by an administrator who changed the access of the customer', async () => {
    const request = await ask(resetFactor(customer))
    await run(approver, changeAddress(customer))

    for (const decision of [approve, decline])
      await expect(decision(request)).rejects.toMatchObject({
        sqlState: 'PT403',
        message: expect.stringContaining('decide otra persona') as string,
      })
    expect(await factors()).toBe(1)
    expect(await approve(request, await addPerson(bank.database, 'admin'))).toMatchObject([
      { status: 'done' },
    ])
  })

  test('fails if the administrator changed the access of the customer after the request', async () => {
    const request = await ask(resetFactor(customer))
    await run(clerk, changeAddress(customer))

    expect(await approve(request)).toMatchObject([{ status: 'failed' }])
    expect(await factors()).toBe(1)
  })

  test('fails if the customer has another second factor than at the time of the request', async () => {
    const request = await ask(resetFactor(customer))
    await bank.owner.query(sql`delete from auth.mfa_factors where user_id = ${customer.id}`)
    await addFactor(customer)

    expect(await approve(request)).toMatchObject([{ status: 'failed' }])
    expect(await factors()).toBe(1)
    const again = await ask(resetFactor(customer))
    expect(again.id).not.toBe(request.id)
    expect(await approve(again)).toMatchObject([{ status: 'done' }])
  })

  test('cannot be requested for a customer without a second factor', async () => {
    await bank.owner.query(sql`delete from auth.mfa_factors where user_id = ${customer.id}`)

    await expect(run(clerk, resetFactor(customer))).rejects.toMatchObject({
      sqlState: 'PT409',
      message: 'Esta persona no tiene un segundo factor.',
    })
  })

  test('fails if the customer has become an administrator before the decision', async () => {
    const request = await ask(resetFactor(customer))
    await approve(await ask(setRole(customer, 'admin')))

    expect(await approve(request)).toMatchObject([{ status: 'failed' }])
  })
})

test('a promotion requires recent re-authentication of both administrators', async () => {
  const request = await ask(setRole(customer, 'admin'))
  await ageProof(approver, 11)
  await ageProof(clerk, 11)

  await expect(approve(request)).rejects.toMatchObject({ hint: 'reauthentication_needed' })
  await expect(run(clerk, setRole(customer, 'admin'))).rejects.toMatchObject({
    hint: 'reauthentication_needed',
  })
  expect(await roleOf(customer)).toBe('user')
})

test('the approval of a promotion that was cancelled changes nothing and requires no re-authentication', async () => {
  const request = await ask(setRole(customer, 'admin'))
  await cancel(clerk, request.id)
  await ageProof(approver, 11)

  expect(await approve(request)).toMatchObject([{ status: 'cancelled' }])
  expect(await roleOf(customer)).toBe('user')
})

test('the approval of a promotion or of a large amount requires the password even if the bank asks for no proof', async () => {
  await bank.asService(settings({ staff_proof_above: 10, staff_proof: 'off' }))
  await ageProof(approver, 11)
  for (const request of [await ask(setRole(customer, 'admin')), await ask(deposit(customer, '5000'))])
    await expect(approve(request)).rejects.toMatchObject({ hint: 'reauthentication_needed' })

  expect([await roleOf(customer), await balanceOf(customer)]).toEqual(['user', '0'])
})

test('the deletion of an account with more money than the limit waits', async () => {
  await approvalAbove(null)
  await run(approver, deposit(customer, '5000'))
  await approvalAbove(1000)
  const request = await ask(removal(customer))
  await run(clerk, removal(customer))

  expect(await waitingOf(clerk)).toMatchObject([{ kind: 'deletion', amount: '5000' }])
  expect(await roleOf(customer)).toBe('user')
  expect(await approve(request)).toMatchObject([{ status: 'done' }])
  expect(await roleOf(customer)).toBeUndefined()
  expect((await auditAbout(customer)).at(-1)).toMatchObject({
    action: 'delete_user',
    actor: clerk.id,
    after: { approved_by: approver.id },
  })
})

test('a deletion waits if the balance is zero only because of the customer’s notes', async () => {
  await approvalAbove(null)
  await run(approver, deposit(customer, '5000'))
  await approvalAbove(1000)
  await run(customer, expense(customer, '5000'))
  const request = await ask(removal(customer))

  expect(await waitingOf(clerk)).toMatchObject([{ kind: 'deletion', amount: '5000' }])
  await run(customer, expense(customer, '1'))
  expect(await approve(request)).toMatchObject([{ status: 'done' }])
})

test('the deletion of an account without money or with little money does not wait', async () => {
  await run(clerk, removal(customer))
  const other = await bank.addCustomer()
  await run(approver, deposit(other, '500'))
  await run(clerk, removal(other))

  expect([await roleOf(customer), await roleOf(other), await requestsOf(clerk)]).toEqual([
    undefined,
    undefined,
    [],
  ])
})

test('a deletion counts toward the daily limit with the bank’s balance, even if the customer’s notes lower the visible balance', async () => {
  await run(approver, deposit(customer, '900'))
  await run(customer, expense(customer, '900'))
  await run(clerk, removal(customer))

  await ask(deposit(await bank.addCustomer(), '101'))
  expect((await auditAbout(customer)).at(-1)).toMatchObject({ action: 'delete_user', actor: clerk.id })
})

test('a deletion fails if the balance changed before the decision', async () => {
  await run(approver, deposit(customer, '900'))
  await run(clerk, deposit(customer, '200'))
  const request = await ask(removal(customer))
  await run(approver, deposit(customer, '1'))

  expect(await approve(request)).toMatchObject([
    { status: 'failed', reason: 'El saldo de la cuenta cambió.' },
  ])
  expect(await roleOf(customer)).toBe('user')
})

test('a deletion is carried out only once if two administrators approve it at the same moment', async () => {
  await approvalAbove(0)
  const another = await addPerson(bank.database, 'admin')
  for (let round = 0; round < rounds; round += 1) {
    const person = await bank.addCustomer()
    await approve(await ask(deposit(person, '10')))
    const request = await ask(removal(person))

    const decided = await Promise.all([approve(request), approve(request, another)])

    expect(decided.flat().map(({ status }) => status)).toEqual(['done', 'done'])
    expect(await roleOf(person)).toBeUndefined()
  }
})

/** Adds a payer and a beneficiary in a bank that has enabled transfers. */
async function addPayer() {
  await enableTransfers(bank)
  await approvalAbove(null)
  const pair = await addPair(bank)
  await approvalAbove(1000)
  return pair
}

test('requests of administrators are listed before transfers, and disabled transfers are not listed', async () => {
  const { payer, beneficiary } = await addPayer()
  const transfer = await request(payer, beneficiary, '500')
  const act = await ask(deposit(customer, '5000'))

  const idsOf = async () => (await waitingRequests(approver)).requests.map(({ id }) => id)
  const listed = (await idsOf()).filter((id) => [transfer.id, act.id].includes(id))
  expect(listed).toEqual([act.id, transfer.id])

  await bank.asService(settings({ transferencias: 'off', notificaciones: 'off' }))
  expect(await idsOf()).not.toContain(transfer.id)
  expect(await idsOf()).toContain(act.id)
})

test('a decision about several requests takes the effects of earlier requests into account', async () => {
  const { payer, beneficiary } = await addPayer()
  await approvalAbove(10)
  const deletion = await ask(removal(payer))
  const promotion = await ask(setRole(payer, 'admin'))
  const planned = await request(payer, beneficiary, '500', { due_on: await day(bank, 3) })

  const ids = [deletion, promotion, planned].map(({ id }) => id)
  expect((await decide(approver, ids, true)).map(({ status }) => status)).toEqual([
    'done',
    'failed',
    'cancelled',
  ])
})

test('a deposit to an administrator’s own account fails if the bank forbids it before the decision', async () => {
  const own = await ask(deposit(clerk, '5000'))
  await bank.asService(settings({ staff_self_dealing: 'refuse' }))

  expect(await approve(own)).toMatchObject([{ status: 'failed' }])
  expect(await balanceOf(clerk)).toBe('0')
})

test('a correction in an administrator’s own account fails if the bank forbids it before the decision', async () => {
  const mistake = await record(approver, deposit(clerk, '700'))
  const own = await ask(correct(clerk, mistake, 'Era menos', '400'))
  await bank.asService(settings({ staff_self_dealing: 'refuse' }))

  expect(await approve(own)).toMatchObject([{ status: 'failed' }])
  expect(await balanceOf(clerk)).toBe('700')
})

test('an administrator has at most 100 waiting orders beside their own transfers', async () => {
  await enableTransfers(bank)
  await approvalAbove(null)
  const { payer, beneficiary } = await addPair(bank)
  await approvalAbove(1000)
  const { id: transfer } = await request(payer, beneficiary, '500')
  await bank.asService(
    sql`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = ${payer.id}`,
  )
  for (let count = 0; count < 10; count += 1)
    await bank.database.transaction(
      payer.as('write'),
      Array.from({ length: 10 }, () => deposit(customer, '5000')),
    )

  await expect(run(payer, deposit(customer, '5000'))).rejects.toMatchObject({ sqlState: 'PT409' })
  await expect(cancel(payer, transfer)).rejects.toMatchObject({ sqlState: 'PT404' })
  const waiting = (await waitingOf(payer)).filter(({ kind }) => kind === 'transaction')
  expect(waiting).toHaveLength(100)
  await cancel(payer, waiting[0]?.id ?? '')
  await ask(deposit(customer, '5000'), payer)
  // The lists of the next tests have room for few requests.
  await bank.owner.query(sql`
    update public.requests set status = 'cancelled', ended_at = now()
    where asked_by = ${payer.id} and status = 'waiting'`)
})

describe('in a bank with two administrators', () => {
  const small = useBank()
  const rule = (sum: number | null) => small.asService(settings({ staff_approval_above: sum }))
  const needsTwo = {
    sqlState: 'PT403',
    message: expect.stringMatching(/dos administradores.*npm run admin/) as string,
  }
  let other: Person
  beforeEach(async () => {
    await small.asService(
      sql`select private.act_as('operator')`,
      sql`
      delete from auth.users where id <> ${small.administrator.id} and raw_app_meta_data ->> 'role' = 'admin'`,
    )
    other = await addPerson(small.database, 'admin')
    await rule(1000)
  })
  const acts = [
    ['demote', ({ id }: Person) => sql`update public.profiles set role = 'user' where id = ${id}`],
    ['block', ({ id }: Person) => sql`select public.block_user(${id}, 'other', 24)`],
    ['delete', ({ id }: Person) => sql`select private.delete_user(${id})`],
  ] as const

  test.for(acts)('an administrator cannot %s the other one, but can end their sessions', async ([, act]) => {
    await expect(run(small.administrator, act(other))).rejects.toMatchObject(needsTwo)
    await run(small.administrator, sql`select public.end_sessions(${other.id})`)

    expect(await small.owner.query(sql`select from auth.sessions where user_id = ${other.id}`)).toEqual([])
  })

  test.for(acts)('without the rule, an administrator can %s the other one at once', async ([, act]) => {
    await rule(null)
    await run(small.administrator, act(other))

    expect(await small.owner.query(sql`select private.may_administer(${other.id}) as may`)).toEqual([
      { may: false },
    ])
  })

  test('a third administrator can leave, and the operator can block the second one', async () => {
    await closeAccount(await addPerson(small.database, 'admin'))
    await asOperator(sql`select private.block_user(${other.id}, 24, 'suspected_fraud')`, small)

    expect(
      await small.owner.query(sql<{ id: string }>`select unnest(private.administrators()) as id`),
    ).toEqual([{ id: small.administrator.id }])
  })

  test.for(acts)(
    'an administrator cannot %s a blocked one, because nobody is left to decide',
    async ([, act]) => {
      const blocked = await addPerson(small.database, 'admin')
      await asOperator(sql`select private.block_user(${blocked.id}, 24, 'suspected_fraud')`, small)
      await asOperator(sql`select private.block_user(${other.id}, 24, 'suspected_fraud')`, small)

      await expect(run(small.administrator, act(blocked))).rejects.toMatchObject(needsTwo)
    },
  )

  test('one of two demotions that are approved at the same moment fails if only one administrator would remain', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [third, fourth] = [
        await addPerson(small.database, 'admin'),
        await addPerson(small.database, 'admin'),
      ]
      await run(third, setRole(other, 'user'))
      await run(other, setRole(third, 'user'))
      await asOperator(sql`select private.block_user(${fourth.id}, 24, 'suspected_fraud')`, small)
      const asked = await small.owner.query(
        sql<{ id: string }>`select id from public.requests where kind = 'demotion' and status = 'waiting'`,
      )

      const decided = await Promise.all(asked.map(({ id }) => decide(small.administrator, [id], true)))

      expect(
        decided
          .flat()
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual(['done', 'failed'])
      expect(
        await small.owner.query(
          sql<{ count: number }>`select cardinality(private.administrators()) as count`,
        ),
      ).toEqual([{ count: 2 }])
      await asOperator(
        sql`delete from auth.users where id <> ${small.administrator.id} and raw_app_meta_data ->> 'role' = 'admin'`,
        small,
      )
      other = await addPerson(small.database, 'admin')
    }
  })

  test('an administrator cannot close their own account if only one other would remain', async () => {
    await expect(closeAccount(other)).rejects.toMatchObject(needsTwo)
  })
})

describe('an act about an administrator', () => {
  let subject: Person
  beforeEach(async () => (subject = await addPerson(bank.database, 'admin')))
  const isWorking = async ({ id }: Person) =>
    (await bank.owner.query(sql<{ may: boolean }>`select private.may_administer(${id}) as may`))[0]?.may
  const acts = [
    ['demotion', (person: Person) => setRole(person, 'user'), 'change_role'],
    ['block', (person: Person) => block(person), 'ban_user'],
    ['deletion', removal, 'delete_user'],
  ] as const

  test.for(acts)(
    'a %s waits for a second administrator, and is carried out once',
    async ([kind, act, action]) => {
      await run(clerk, act(subject))
      const request = await ask(act(subject))

      expect(await waitingOf(clerk)).toMatchObject([{ kind, amount: null }])
      expect(await run(clerk, sql`select public.waits_for_approval(${subject.id}) as waits`)).toEqual([
        { waits: true },
      ])
      const listed = (await waitingRequests(approver)).requests.find(({ id }) => id === request.id)
      // A deletion shows the balance instead of the address.
      const name = expect.stringMatching(kind === 'deletion' ? /^[^@]*$/ : '@') as string
      expect(listed).toMatchObject({ about_name: name })
      expect(await isWorking(subject)).toBe(true)
      expect(
        await bank.owner.query(sql`select from auth.sessions where user_id = ${subject.id}`),
      ).toHaveLength(1)
      expect(await approve(request)).toMatchObject([{ status: 'done' }])
      expect(await isWorking(subject)).toBe(false)
      expect(await bank.owner.query(sql`select from auth.sessions where user_id = ${subject.id}`)).toEqual([])
      expect((await auditAbout(subject)).at(-1)).toMatchObject({
        action,
        actor: clerk.id,
        session: null,
        after: { approved_by: approver.id },
      })
    },
  )

  test.for(acts)('the administrator whom a %s concerns cannot decide it', async ([, act]) => {
    const request = await ask(act(subject))

    await expect(approve(request, subject)).rejects.toMatchObject(refused)
    await expect(decline(request, subject)).rejects.toMatchObject(refused)
    expect(await isWorking(subject)).toBe(true)
  })

  test.for(acts)('a %s requires recent re-authentication of both administrators', async ([, act]) => {
    const request = await ask(act(subject))
    await ageProof(approver, 11)
    await ageProof(clerk, 11)

    await expect(approve(request)).rejects.toMatchObject({ hint: 'reauthentication_needed' })
    await expect(run(clerk, act(subject))).rejects.toMatchObject({ hint: 'reauthentication_needed' })
    expect(await isWorking(subject)).toBe(true)
  })

  test.for(acts)('a %s fails if its author was blocked before the decision', async ([, act]) => {
    const request = await ask(act(subject))
    await blockByOperator(clerk)

    expect(await approve(request)).toMatchObject([
      { status: 'failed', reason: 'Quien lo pidió ya no es administrador.' },
    ])
    expect(await isWorking(subject)).toBe(true)
  })

  test('the requests of a demoted administrator cannot be carried out any more', async () => {
    const own = await ask(setRole(clerk, 'user'), subject)
    await approve(await ask(setRole(subject, 'user')))

    expect(await approve(own)).toMatchObject([{ status: 'failed' }])
    expect(await isWorking(clerk)).toBe(true)
  })

  test('the deletion of an administrator with money waits up to the limit, too', async () => {
    await run(approver, deposit(subject, '5'))
    const request = await ask(removal(subject))

    expect(request).toMatchObject({ kind: 'deletion', amount: '5' })
    await run(approver, deposit(subject, '1'))
    expect(await approve(request)).toMatchObject([
      { status: 'failed', reason: 'El saldo de la cuenta cambió.' },
    ])
    expect(await approve(await ask(removal(subject)))).toMatchObject([{ status: 'done' }])
  })

  test('a longer block of a blocked administrator waits, and each block keeps its own reason', async () => {
    const other = await addPerson(bank.database, 'admin')
    const first = await ask(block(subject))
    const second = await ask(sql`select public.block_user(${other.id}, 'legal_order', 24)`)
    await decide(approver, [first.id, second.id], true)

    const longer = await ask(block(subject, 48))
    const reasonsAbout = async (person: Person) =>
      (await auditAbout(person)).flatMap(({ action, after }) =>
        action === 'ban_user' ? [after?.['reason']] : [],
      )
    expect([await reasonsAbout(subject), await reasonsAbout(other)]).toEqual([
      ['suspected_fraud'],
      ['legal_order'],
    ])
    expect(await approve(longer)).toMatchObject([{ status: 'done' }])
    expect(await reasonsAbout(subject)).toHaveLength(2)
    for (const blocker of [clerk, approver])
      expect(
        await bank.owner.query(
          sql`select from private.access_acts where person = ${subject.id} and clerk = ${blocker.id} and act = 'block'`,
        ),
      ).toHaveLength(1)
  })

  test('an administrator closes their own account without a second one', async () => {
    await closeAccount(subject)

    expect(await roleOf(subject)).toBeUndefined()
  })
})

describe('in a bank with transfers', () => {
  beforeEach(() => enableTransfers(bank))

  async function sent({ isInFile = true } = {}) {
    await approvalAbove(null)
    const payer = await addHolder(bank)
    const { id } = await request(payer, await befriendElsewhere(payer), '100')
    const file = isInFile ? (await closeFile(bank.administrator)).number : 0
    await approvalAbove(50)
    return { payer, id, file }
  }
  const returnEntries = async (payer: Person) =>
    (await auditAbout(payer)).filter(({ action }) => action === 'return_transfer')

  test('the return of a transfer to another bank waits for an administrator once the transfer is in a file', async () => {
    const { payer, id } = await sent()

    expect(await returnTransfer(clerk, id)).toMatchObject({ status: 'done' })
    // A second call does not add a second request for the return.
    await returnTransfer(approver, id)
    const [asked] = await waitingOf(clerk)
    expect(await waitingOf(approver)).toEqual([])
    expect(asked).toMatchObject({ kind: 'return', amount: '100' })
    expect(await balanceOf(payer)).toBe('4900')
    await expect(decide(clerk, [asked?.id ?? ''], true)).rejects.toMatchObject({ sqlState: 'PT403' })

    expect(await decide(approver, [asked?.id ?? ''], true)).toMatchObject([{ status: 'done' }])

    expect(await balanceOf(payer)).toBe('5000')
    expect(await run(payer, sql`select corrected_id, reason from public.corrections`)).toEqual([
      { corrected_id: id, reason: 'Se pidió por error' },
    ])
    expect(await returnEntries(payer)).toMatchObject([
      { actor: clerk.id, session: null, after: { id, approved_by: approver.id, elsewhere: true } },
    ])
    expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
  })

  test('a declined return does not move money and can be requested again', async () => {
    const { payer, id } = await sent()
    await returnTransfer(clerk, id)
    const [asked] = await waitingOf(clerk)
    await decide(approver, [asked?.id ?? ''], false, 'El banco no la devolvió')

    expect(await balanceOf(payer)).toBe('4900')
    await returnTransfer(clerk, id)
    expect(await waitingOf(clerk)).toHaveLength(1)
  })

  test('a declined return of a clearing file can be requested again', async () => {
    const { file } = await sent()
    await returnFile(clerk, file)
    const [asked] = await waitingOf(clerk)
    await decide(approver, [asked?.id ?? ''], false, 'El banco no lo rechazó')

    expect(await returnFile(clerk, file)).toMatchObject({ is_waiting: true })
    expect(await waitingOf(clerk)).toHaveLength(1)
  })

  test('only a transfer can be returned', async () => {
    const { id } = await ask(deposit(customer, '5000'))

    await expect(returnTransfer(approver, id)).rejects.toMatchObject({
      sqlState: 'PT404',
      message: 'Esta transferencia no existe.',
    })
  })

  test.for([
    ['a transfer', ({ id }: { id: string }) => returnTransfer(clerk, id)],
    ['a clearing file', ({ file }: { file: number }) => returnFile(clerk, file)],
  ] as const)(
    'the return of %s adds no audit entry if its author is blocked before the decision',
    async ([, act]) => {
      const given = await sent()
      await act(given)
      const [asked] = await waitingOf(clerk)
      await blockByOperator(clerk)

      expect(await decide(approver, [asked?.id ?? ''], true)).toMatchObject([{ status: 'failed' }])

      expect(await balanceOf(given.payer)).toBe('4900')
      expect(
        await bank.owner.query(sql`
        select from ledger.audit
        where action in ('return_transfer', 'return_clearing_file')
          and (after ->> 'id' = ${given.id} or (after ->> 'number')::integer = ${given.file})`),
      ).toEqual([])
    },
  )

  const transferOf = async (amount: string) => {
    await approvalAbove(null)
    const { payer, payee, beneficiary } = await addPair(bank)
    await approvalAbove(1000)
    return { payer, payee, id: (await request(payer, beneficiary, amount)).id }
  }

  test('the transfers that an administrator approved count toward the limit', async () => {
    const [one, two, declined] = [await transferOf('500'), await transferOf('400'), await transferOf('600')]
    await decide(clerk, [declined.id], false)
    await decide(clerk, [one.id, two.id], true)

    await run(clerk, deposit(customer, '100'))
    expect(await balanceOf(customer)).toBe('100')
    await run(clerk, deposit(customer, '0.01'))
    expect(await waitingOf(clerk)).toHaveLength(1)
  })

  test('a transfer that was declined does not count toward the limit of an approval', async () => {
    const [declined, other] = [await transferOf('600'), await transferOf('500')]
    await decide(approver, [declined.id], false)

    const decided = await decide(clerk, [declined.id, other.id], true)

    expect(decided.map(({ status }) => status).toSorted()).toEqual(['declined', 'done'])
    expect(await balanceOf(other.payee)).toBe('500')
  })

  test('an act that an administrator approved does not count toward the limit', async () => {
    await approve(await ask(deposit(customer, '5000')))

    expect(await decide(approver, [(await transferOf('1000')).id], true)).toMatchObject([{ status: 'done' }])
  })

  test('a transfer above an administrator’s limit of the day needs a second approval, and counts for neither', async () => {
    const { payer, payee, id } = await transferOf('600')
    await run(clerk, deposit(customer, '500'))

    expect(await decide(clerk, [id], true)).toMatchObject([{ status: 'waiting', decided_by: null }])
    expect(await balanceOf(payee)).toBe('0')
    await expect(decide(clerk, [id], true)).rejects.toMatchObject({
      sqlState: 'PT403',
      message: 'Ya la aprobaste: falta la aprobación de otra persona.',
    })
    await run(approver, deposit(customer, '1000'))
    await bank.owner.query(
      sql`update public.requests set status = 'cancelled', ended_at = now() where status = 'waiting' and id <> ${id}`,
    )
    const { requests } = await waitingRequests(clerk)
    expect(requests.find((listed) => listed.id === id)).toMatchObject({
      obstacle: 'first',
      is_stuck: false,
      first_approved_by_name: population.administrator.fullName,
    })

    expect(await decide(approver, [id], true)).toMatchObject([{ status: 'done', decided_by: approver.id }])
    expect(await balanceOf(payee)).toBe('600')
    await run(clerk, deposit(customer, '500'))
    expect(await balanceOf(customer)).toBe('2000')
    expect((await auditAbout(payer)).filter(({ action }) => action === 'decide_request')).toMatchObject([
      { actor: clerk.id, after: { id, decision: 'first_approved' } },
      { actor: approver.id, after: { id, decision: 'approved', first_approved_by: clerk.id } },
    ])
  })

  test('an approval that needs a second one leaves a cancelled transfer as it is', async () => {
    const { payer, payee, id } = await transferOf('600')
    const other = await transferOf('600')
    await run(clerk, deposit(customer, '500'))
    await run(payer, sql`select public.cancel_transfer(${id})`)

    const decided = await decide(clerk, [id, other.id], true)

    expect(decided.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'waiting'])
    expect(
      await bank.owner.query(sql`select first_approved_by from public.requests where id = ${id}`),
    ).toEqual([{ first_approved_by: null }])
    expect(await balanceOf(payee)).toBe('0')
  })

  test('the first approval of an administrator who no longer is one does not count', async () => {
    const { id } = await transferOf('600')
    await run(clerk, deposit(customer, '500'))
    await decide(clerk, [id], true)
    await blockByOperator(clerk)
    await run(approver, deposit(customer, '500'))

    expect(await decide(approver, [id], true)).toMatchObject([{ status: 'waiting' }])
    expect(await decide(bank.administrator, [id], true)).toMatchObject([{ status: 'done' }])
  })

  test('another administrator can decline a transfer after the first approval', async () => {
    const { payee, id } = await transferOf('600')
    await run(clerk, deposit(customer, '500'))
    await decide(clerk, [id], true)

    expect(await decide(approver, [id], false)).toMatchObject([
      { status: 'declined', decided_by: approver.id },
    ])
    expect(await balanceOf(payee)).toBe('0')
  })

  test('a return is done at once before the transfer is in a file, and counts toward the limit', async () => {
    const { payer, id } = await sent({ isInFile: false })

    expect(await returnTransfer(clerk, id)).toMatchObject({ status: 'returned' })

    expect(await balanceOf(payer)).toBe('5000')
    await run(clerk, deposit(customer, '1'))
    expect(await waitingOf(clerk)).toHaveLength(1)
  })

  test.for([
    [
      'another administrator returns the transfer',
      (_: Person, id: string) => returnTransfer(bank.administrator, id),
    ],
    ['the payer closes the account', closeAccount],
  ] as const)('a return that is approved at the moment when %s does not deadlock', async ([, act]) => {
    for (let place = 0; place < rounds; place += 1) {
      const { payer, id } = await sent()
      await returnTransfer(clerk, id)
      const asked = (await waitingOf(clerk)).at(-1)

      const acts = [() => decide(approver, [asked?.id ?? ''], true), () => act(payer, id)]
      await Promise.all((place % 2 === 0 ? acts : acts.toReversed()).map((each) => each()))

      const ended = (await requestsOf(clerk)).find((each) => each.id === asked?.id)
      expect(['done', 'failed']).toContain(ended?.status)
    }
  })
})
