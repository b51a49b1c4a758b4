// Receipts of transactions. transfer-receipts.test.ts tests the receipts of transfers.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ReceiptAnswer } from '@finanzas/contract/papers/receipt.ts'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, correct, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

const restore = (id: string) => sql`select public.restore_transaction(${id})`

/** SQL statements that record a dated transaction: an expense by the customer, or a deposit by the bank. */
const spend = ({ id }: Person, amount: string, date: string): SqlStatement<{ id: string }> =>
  sql`insert into public.transactions (user_id, type, description, amount, date, category)
      values (${id}, 'expense', 'Café', ${amount}, ${date}, 'Comida') returning id`
const pay = ({ id }: Person, amount: string, date: string): SqlStatement<{ id: string }> =>
  sql`select private.register_transaction(${id}, 'deposit', ${amount}, 'Nómina', ${date}, 'Deposito') ->> 'id' as id`

const receipt = (
  reader: Person,
  id: string,
  { owner = null, seq = null }: { owner?: Person | null; seq?: number | null } = {},
) =>
  call<ReceiptAnswer>(
    reader,
    sql`public.receipt(${id}, ${owner?.id ?? null}, ${seq}, ${owner === null ? null : 'in_person'})`,
  )

test('a receipt shows its owner the data of the journal entry', async () => {
  const customer = await bank.addCustomer()
  const id = await record(bank.administrator, pay(customer, '1450.50', '2026-11-02 10:00-05'))
  const [entry] = await run(
    customer,
    sql`select seq::int, hash, to_jsonb(dated_at) as dated_at, to_jsonb(recorded_at) as recorded_at from public.journal_entries`,
  )

  await bank.owner.query(sql`
    update public.account_holders set full_name = 'Ana Pérez', document_kind = 'CC', document_number = '1032456701'
    where user_id = ${customer.id}`)
  const [holder] = await run(customer, sql`select account_number from public.account_holders`)

  const answer = await receipt(customer, id)

  expect(answer).toMatchObject({
    account: customer.id,
    holder_name: 'Ana Pérez',
    holder_account_number: holder?.['account_number'],
    holder_document_kind: 'CC',
    holder_document_number: '1032456701',
    transaction_id: id,
    type: 'deposit',
    amount: 1450.5,
    recorded_by: 'bank',
    description: 'Nómina',
    state: 'valid',
    reason: null,
    seq: entry?.['seq'],
    hash: entry?.['hash'],
    dated_at: entry?.['dated_at'],
    recorded_at: entry?.['recorded_at'],
  })
})

test('a receipt shows whether its transaction is valid, corrected or itself a correction', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const reversal = await record(bank.administrator, correct(customer, mistake, 'Monto equivocado', '10'))
  const [{ replacement_id: replacement } = { replacement_id: '' }] = await run(
    customer,
    sql<{ replacement_id: string }>`select replacement_id from public.corrections`,
  )

  const states = await Promise.all([mistake, reversal, replacement].map((id) => receipt(customer, id)))

  expect(states.map(({ state, reason, amount }) => [state, reason, amount])).toEqual([
    ['corrected', 'Monto equivocado', 100],
    ['correction', 'Monto equivocado', 100],
    ['valid', null, 10],
  ])
})

test('a receipt shows whether a correction was itself corrected', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const first = await record(bank.administrator, correct(customer, mistake, 'Duplicado'))
  const second = await record(bank.administrator, correct(customer, first, 'No era un duplicado'))
  const states = async (ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => receipt(customer, id)))).map(({ state, reason }) => [state, reason])

  expect(await states([mistake, first, second])).toEqual([
    ['valid', null],
    ['cancelled', 'No era un duplicado'],
    ['correction', 'No era un duplicado'],
  ])

  const third = await record(bank.administrator, correct(customer, second, 'Sí era un duplicado'))
  expect(await states([mistake, first, second, third])).toEqual([
    ['corrected', 'Duplicado'],
    ['correction', 'Duplicado'],
    ['cancelled', 'Sí era un duplicado'],
    ['correction', 'Sí era un duplicado'],
  ])
})

test('a receipt shows that its transaction is unlisted until the customer restores the transaction', async () => {
  const customer = await bank.addCustomer()
  const banked = await record(bank.administrator, deposit(customer, '100'))
  const own = await record(customer, expense(customer, '5'))
  for (const id of [banked, own]) await run(customer, remove(id))
  const gone = [await receipt(customer, banked), await receipt(customer, own)]
  await run(customer, restore(own))

  expect(gone.map(({ state, recorded_by, description }) => [state, recorded_by, description])).toEqual([
    ['unlisted', 'bank', null],
    ['deleted', 'customer', null],
  ])
  expect(await receipt(customer, own)).toMatchObject({ state: 'valid', description: 'Café' })
})

test('a receipt has the amended amount and date, unless the customer requests it for an earlier entry', async () => {
  const customer = await bank.addCustomer()
  const id = await record(customer, spend(customer, '40.25', '2026-11-02 12:00-05'))
  const before = await receipt(customer, id)
  await run(
    customer,
    sql`select public.amend_expense(${id}, '{"amount": 4.03, "date": "2026-10-31 12:00-05"}')`,
  )

  const after = await receipt(customer, id)
  expect(after).toMatchObject({
    type: 'expense',
    amount: 4.03,
    seq: 3,
    state: 'valid',
    recorded_by: 'customer',
    dated_at: '2026-10-31T17:00:00+00:00',
  })

  expect(await receipt(customer, id, { seq: before.seq })).toEqual({ ...before, state: 'amended' })
  await expect(receipt(customer, id, { seq: 2 })).rejects.toMatchObject({ sqlState: 'PT404' })
})

test('a receipt that an administrator reads adds an audit entry, and another customer cannot read the receipt', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const id = await record(bank.administrator, deposit(customer, '100'))

  await expect(receipt(other, id, { owner: customer })).rejects.toMatchObject({ sqlState: '42501' })
  await expect(receipt(other, id)).rejects.toMatchObject({ sqlState: 'PT404' })
  await expect(receipt(bank.administrator, randomUUID(), { owner: customer })).rejects.toMatchObject({
    sqlState: 'PT404',
  })
  expect(await receipt(bank.administrator, id, { owner: customer })).toMatchObject({ account: customer.id })
  const [entry] = await bank.owner.query(
    sql`select action, actor, after from ledger.audit where target = ${customer.id} order by id desc limit 1`,
  )
  expect(entry).toEqual({
    action: 'issue_receipt',
    actor: bank.administrator.id,
    after: { id, reason: 'in_person' },
  })
  for (const reason of [null, '', 'porque sí'])
    await expect(
      call(bank.administrator, sql`public.receipt(${id}, ${customer.id}, null, ${reason})`),
    ).rejects.toMatchObject({ sqlState: 'PT422' })
})

test('a receipt still shows the data of the journal entry after the account is closed', async () => {
  const customer = await bank.addCustomer()
  const id = await record(bank.administrator, deposit(customer, '100'))
  const { hash } = await receipt(customer, id)
  await run(bank.administrator, sql`select private.delete_user(${customer.id})`)

  expect(await receipt(bank.administrator, id, { owner: customer })).toMatchObject({
    hash,
    amount: 100,
    holder_email: null,
    holder_account_number: null,
    recorded_by: null,
    state: null,
  })
})
