// After transfers and returns, all records of the money agree: the journal, the lists, the statements, the sums and the
// total of the bank. If the bank has not enabled transfers, every call is refused.
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { withOwnersRights } from '#server/backup/restore.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { schemaFiles } from '#tools/schema/files.ts'
import { settings } from './bank-settings.ts'
import { runWithoutTriggers, useBank } from './database.ts'
import { keepTables, putBack } from './kept-tables.ts'
import { nullCalls } from './null-calls.ts'
import { type Person, balanceOf, closeAccount, deposit, openSession, run } from './people.ts'
import { account, day, enableTransfers, request, returnTransfer, runDue, stored, sumOf } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, addPair, befriend, befriendElsewhere } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

test('all records of the money agree after transfers and returns', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const sum = await sumOf(bank)
  await request(payer, beneficiary, '10.01')
  const approved = await request(payer, beneficiary, '300')
  const declined = await request(payer, beneficiary, '200')
  const returned = await request(payer, beneficiary, '40')
  await decide(bank.administrator, [approved.id], true)
  await decide(bank.administrator, [declined.id], false)
  await returnTransfer(bank.administrator, returned.id)
  await returnTransfer(bank.administrator, approved.id)
  await request(payer, await befriend(payer, await addHolder(bank, '0')), '5')

  for (const [person, balance, income, spent] of [
    [payer, '4984.99', '5000', '15.01'],
    [payee, '10.01', '10.01', '0'],
  ] as const) {
    const [explained] = await run(
      person,
      sql<Record<string, string>>`
        select trim_scale(balance)::text as balance, trim_scale(deposits)::text as deposits,
          trim_scale(expenses)::text as expenses, trim_scale(corrections)::text as corrections
        from public.explain_balance()`,
    )
    expect(explained).toEqual({
      balance,
      deposits: income,
      expenses: spent === '0' ? '0' : `-${spent}`,
      corrections: '0',
    })
    const [month] = await run(
      person,
      sql<{ closing: string; listed: string }>`
        select s ->> 'closing' as closing,
          (select trim_scale(sum((e ->> 'amount')::numeric)) from json_array_elements(s -> 'entries') e)::text as listed
        from public.statement((now() at time zone 'America/Bogota')::date) s`,
    )
    expect([Number(month?.closing), month?.listed]).toEqual([Number(balance), balance])
    const [totals] = await run(
      person,
      sql<{ balance: number; spent: string }>`
        select (s ->> 'balance')::float as balance, (
          select trim_scale(coalesce(sum((d ->> 'spent')::numeric), 0))::text from json_array_elements(s -> 'days') d
        ) as spent
        from public.sum_transactions(daily_since => (now() at time zone 'America/Bogota')::date) s`,
    )
    expect(totals).toEqual({ balance: Number(balance), spent })
  }
  expect(await sumOf(bank)).toBe(sum)
  expect(await verifyLedger(withOwnersRights(bank.owner))).toMatchObject({ broken: null })
})

describe('in a tampered bank', () => {
  type Sent = { payer: Person; id: string }
  /** Runs the script, and lets the list of staff agree with the accounts, so that it does not show the tampering. */
  const tamper = (script: string) =>
    runWithoutTriggers(
      bank,
      `${script};
      update private.listed_accounts a
      set balance = b.balance, is_overdrawn = b.balance < b.noted,
        last_at = coalesce((select max(t.date) from public.transactions t where t.user_id = b.user_id), '-infinity')
      from public.budgets b where b.user_id = a.user_id`,
    )
  const faultOf = async () => (await verifyLedger(bank.database)).broken
  const tables = [
    'ledger.journal',
    'public.budgets',
    'private.listed_accounts',
    'public.transactions',
    'public.corrections',
    'public.requests',
    'private.clearing_transfers',
  ]

  beforeEach(() => bank.owner.script(keepTables(tables)))
  afterEach(() => runWithoutTriggers(bank, `${putBack(tables)} drop schema kept cascade`))

  /**
   * Returns SQL that puts an account into the state before its latest posting. The account's chain, balance and list
   * still agree afterwards.
   */
  const unpost = (person: Person, id: string) => `
    delete from ledger.journal where user_id = '${person.id}' and transaction_id = '${id}';
    delete from public.transactions where user_id = '${person.id}' and id = '${id}';
    update public.budgets b set balance = coalesce((
      select j.balance_after from ledger.journal j where j.user_id = b.user_id order by j.seq desc limit 1), 0)
    where user_id = '${person.id}'`
  const set = (change: string, id: string) => `update public.requests set ${change} where id = '${id}'`

  test.for(['payer', 'payee'] as const)(
    'the verification finds a transfer that has no posting of the %s',
    async (side) => {
      const { payer, payee, beneficiary } = await addPair(bank)
      const { id } = await request(payer, beneficiary, '50')
      expect(await faultOf()).toBeNull()

      await tamper(unpost({ payer, payee }[side], id))

      expect(await faultOf()).toEqual({ customerId: { payer, payee }[side].id, seq: null, fault: 'transfer' })
    },
  )

  test('the verification finds a transfer whose posting has another amount', async () => {
    const { payer, payee, beneficiary } = await addPair(bank)
    const { id } = await request(payer, beneficiary, '50')

    await tamper(`
      update ledger.journal j set delta = 60, balance_after = 60 where user_id = '${payee.id}';
      update ledger.journal j set hash = ledger.entry_hash(j) where user_id = '${payee.id}';
      update public.transactions set amount = 60 where user_id = '${payee.id}';
      update public.budgets set balance = 60 where user_id = '${payee.id}'`)

    expect(await faultOf()).toEqual({ customerId: payee.id, seq: 1, fault: 'transfer' })
    expect(await stored(bank, id)).toMatchObject({ amount: 50 })
  })

  test.for([
    ['a declined one', `status = 'declined'`],
    ['a waiting one', `status = 'waiting', ended_at = null`],
    ['a returned one without corrections', `status = 'returned'`],
    ['another amount', 'amount = amount + 0.01'],
    ['another payee', 'payee = gen_random_uuid()'],
    ['another payer', 'payer = gen_random_uuid()'],
    ['one to another bank', `payee = null, details = '{}'`],
  ] as const)('the verification finds a done transfer that was changed to %s', async ([, change]) => {
    const { payer, beneficiary } = await addPair(bank)
    const { id } = await request(payer, beneficiary, '50')

    await tamper(set(change, id))

    expect(await faultOf()).toMatchObject({ fault: 'transfer' })
  })

  test.for([
    ['that has no posting of the payer', ({ payer, id }: Sent) => unpost(payer, id)],
    [
      'that is not in the clearing',
      ({ id }: Sent) => `delete from private.clearing_transfers where transfer_id = '${id}'`,
    ],
    [
      'that has another amount in the clearing',
      ({ id }: Sent) => `update private.clearing_transfers set amount = 51 where transfer_id = '${id}'`,
    ],
    [
      'that was changed to a transfer to a customer',
      ({ id }: Sent) => set(`payee = gen_random_uuid(), details = null`, id),
    ],
    ['that was changed to declined', ({ id }: Sent) => set(`status = 'declined'`, id)],
  ] as const)('the verification finds a transfer to another bank %s', async ([, scriptOf]) => {
    const payer = await addHolder(bank)
    const { id } = await request(payer, await befriendElsewhere(payer), '50')
    expect(await faultOf()).toBeNull()

    await tamper(scriptOf({ payer, id }))

    expect(await faultOf()).toMatchObject({ fault: 'transfer' })
  })

  test('the verification finds a declined transfer whose state was changed to done', async () => {
    const { payer, beneficiary } = await addPair(bank)
    const { id } = await request(payer, beneficiary, '500')
    await decide(bank.administrator, [id], false)

    await tamper(set(`status = 'done'`, id))

    expect(await faultOf()).toMatchObject({ fault: 'transfer' })
  })

  test('the verification finds a transfer that was returned on one side only', async () => {
    const { payer, payee, beneficiary } = await addPair(bank)
    const { id } = await request(payer, beneficiary, '50')
    await returnTransfer(bank.administrator, id)
    expect(await faultOf()).toBeNull()
    const [correction] = await bank.owner.query(
      sql<{ id: string }>`select id from public.corrections where user_id = ${payee.id}`,
    )

    await tamper(`
      ${unpost(payee, correction?.id ?? '')};
      delete from public.corrections where user_id = '${payee.id}'`)

    expect(await faultOf()).toMatchObject({ customerId: payee.id, fault: 'transfer' })
  })

  test('the verification accepts a customer’s expense with the id of a transfer that did not move money', async () => {
    const { payer, beneficiary } = await addPair(bank)
    const ids = [(await request(payer, beneficiary, '500')).id, (await request(payer, beneficiary, '500')).id]
    await decide(bank.administrator, ids, false)
    for (const id of ids)
      await run(
        payer,
        sql`
          insert into public.transactions (user_id, id, type, description, amount)
          values (${payer.id}, ${id}, 'expense', 'Pan', 500)`,
      )
    await run(payer, sql`delete from public.transactions where id = ${ids[0] ?? ''}`)

    expect(await faultOf()).toBeNull()
    await run(bank.administrator, sql`select private.delete_user(${payer.id})`)
    expect(await faultOf()).toBeNull()
  })

  test('the verification accepts a returned transfer of closed accounts', async () => {
    const { payer, payee, beneficiary } = await addPair(bank)
    const { id } = await request(payer, beneficiary, '50')
    await returnTransfer(bank.administrator, id)
    for (const { id: user } of [payee, payer])
      await run(bank.administrator, sql`select private.delete_user(${user})`)

    expect(await faultOf()).toBeNull()
  })
})

test('closing the payer’s account cancels the payer’s open transfers and deletes names and descriptions', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const open = await request(payer, beneficiary, '500', { description: 'Terapia' })
  const done = await request(payer, beneficiary, '5', { description: 'Farmacia' })

  await closeAccount(payer)

  const forgotten = {
    description: null,
    payer_name: null,
    payee_name: null,
    payer: payer.id,
    payee: payee.id,
  }
  expect(await stored(bank, open.id)).toMatchObject({ status: 'cancelled', ...forgotten })
  expect(await stored(bank, done.id)).toMatchObject({ status: 'done', ...forgotten })
  expect(await decide(bank.administrator, [open.id], true)).toMatchObject([{ status: 'cancelled' }])
  expect(await balanceOf(payee)).toBe('5')
})

test('open transfers fail and free their amount if the payee closes the account', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const open = await request(payer, beneficiary, '500')
  const planned = await request(payer, beneficiary, '5', { due_on: await day(bank, 1) })

  await closeAccount(payee)
  await runDue(bank, 1)

  for (const { id } of [open, planned])
    expect(await stored(bank, id)).toMatchObject({
      status: 'failed',
      reason: 'La cuenta de destino no puede recibir transferencias.',
    })
  expect(await account(payer)).toMatchObject({ balance: 5000, reserved: 0 })
  expect(await run(payer, sql`select payee_name from public.beneficiaries`)).toEqual([{ payee_name: null }])
  await expect(request(payer, beneficiary, '1')).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a payee cannot close an account while a return leaves the balance below zero', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '50')
  await request(payee, await befriend(payee, await addHolder(bank, '0')), '50')
  await returnTransfer(bank.administrator, id)
  expect(await balanceOf(payee)).toBe('-50')

  await expect(closeAccount(payee)).rejects.toMatchObject({ sqlState: 'PT409' })

  await run(bank.administrator, deposit(payee, '50'))
  await closeAccount(payee)
})

test('an account keeps its open transfers if its deletion is refused', async () => {
  const { beneficiary, payer } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')
  await bank.asService(
    sql`update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "admin"}' where id = ${payer.id}`,
    sql`update auth.users set banned_until = now() + interval '1 day' where id = ${bank.administrator.id}`,
  )

  await expect(closeAccount(payer)).rejects.toMatchObject({ sqlState: 'PT403' })

  expect(await stored(bank, id)).toMatchObject({ status: 'waiting' })
  await bank.asService(sql`update auth.users set banned_until = null where id = ${bank.administrator.id}`)
  // The block has ended the administrator's sessions.
  Object.assign(bank.administrator, await openSession(bank.administrator))
})

/** Functions of other subjects that handle transfers. */
const elsewhere = [
  'decide_requests',
  'list_waiting_requests',
  'list_decided_requests',
  'return_transfer',
  'return_clearing_file',
]

test('no function of transfers can be called while the bank has not enabled transfers', async () => {
  const sources = schemaFiles().filter(({ subject }) => subject === 'transfers')
  const ours = sources.flatMap(({ text }) =>
    [...text.matchAll(/^create function public\.(\w+)/gm)].map(([, name = '']) => name),
  )
  const calls = await nullCalls(bank.owner, [...ours, ...elsewhere])
  onTestFinished(() => enableTransfers(bank))
  await bank.asService(settings({ transferencias: 'off', notificaciones: 'off' }))

  expect(calls.length).toBeGreaterThanOrEqual(19)
  for (const { name, call } of calls)
    for (const person of [await bank.addCustomer(), bank.administrator])
      await expect(run(person, { text: `select ${call}`, values: [] }), name).rejects.toMatchObject({
        sqlState: 'PT404',
        message: 'Función no implementada.',
      })
})

test('a scheduled transfer is not carried out while the bank has not enabled transfers', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '5', { due_on: await day(bank, 1) })
  await bank.asService(settings({ transferencias: 'off', notificaciones: 'off' }))

  expect(await runDue(bank, 1)).toBe(0)

  await enableTransfers(bank)
  expect(await stored(bank, id)).toMatchObject({ status: 'scheduled' })
  expect(await balanceOf(payee)).toBe('0')
})
