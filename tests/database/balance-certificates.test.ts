// Certificates of the balance according to the bank.
import { expect, test } from 'vitest'
import type { CertificateAnswer } from '@finanzas/contract/papers/certificate.ts'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

const certificate = (
  reader: Person,
  {
    owner = null,
    seq = null,
    reason = null,
  }: { owner?: Person | null; seq?: number | null; reason?: string | null } = {},
) => call<CertificateAnswer>(reader, sql`public.balance_certificate(${owner?.id ?? null}, ${seq}, ${reason})`)

test('a certificate states the balance according to the bank without the customer’s own notes', async () => {
  const customer = await bank.addCustomer()
  const banked = await record(bank.administrator, deposit(customer, '100.10'))
  await run(customer, expense(customer, '12.50'))
  await run(customer, remove(banked))
  const [holder] = await run(customer, sql`select account_number from public.account_holders`)
  const [head] = await run(
    customer,
    sql`select seq::int, hash from public.journal_entries order by seq desc limit 1`,
  )

  const answer = await certificate(customer)

  expect(answer).toMatchObject({
    account: customer.id,
    holder_name: 'Ana Pérez',
    holder_is_verified: false,
    holder_email: `${customer.id}@banco.example`,
    holder_account_number: holder?.['account_number'],
    booked: 100.1,
    seq: head?.['seq'],
    hash: head?.['hash'],
    is_current: true,
  })
})

test('a certificate without entries states zero', async () => {
  const customer = await bank.addCustomer()

  expect(await certificate(customer)).toMatchObject({
    booked: 0,
    seq: 0,
    hash: '0'.repeat(64),
    is_current: true,
  })
})

test('an issued certificate can be compared later, and is no longer current after a posting of the bank', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  const issued = await certificate(customer)
  await run(customer, expense(customer, '12.50'))
  expect(await certificate(customer, { seq: issued.seq })).toMatchObject({ booked: 100, is_current: true })

  await run(bank.administrator, deposit(customer, '5'))

  expect(await certificate(customer, { seq: issued.seq })).toMatchObject({
    booked: 100,
    seq: issued.seq,
    hash: issued.hash,
    is_current: false,
  })
  expect(await certificate(customer)).toMatchObject({ booked: 105 })
})

test('staff make the certificate that the customer gets, with a reason and after they have opened the page', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  const asked = { owner: customer, reason: 'in_writing' }
  await expect(certificate(bank.administrator, asked)).rejects.toMatchObject({ sqlState: '42501' })
  await run(bank.administrator, sql`select public.open_customer(${customer.id})`)
  for (const reason of [null, '', 'porque sí'])
    await expect(certificate(bank.administrator, { owner: customer, reason })).rejects.toMatchObject({
      sqlState: 'PT422',
    })

  const { certified_at: _time, ...made } = await certificate(bank.administrator, asked)

  expect(await certificate(customer)).toMatchObject(made)
  expect(
    await bank.owner.query(
      sql`select action, after from ledger.audit where target = ${customer.id} order by id desc limit 1`,
    ),
  ).toEqual([{ action: 'issue_balance_certificate', after: { reason: 'in_writing' } }])
})

test('a customer cannot get the certificate of another customer', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]

  await expect(certificate(other, { owner: customer, reason: 'in_person' })).rejects.toMatchObject({
    sqlState: '42501',
  })
})
