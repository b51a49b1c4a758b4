// Receipts of transfers: both customers get a receipt, which contains only facts that their own page shows.
import { expect, test } from 'vitest'
import { type ReceiptAnswer, checkReceipt, receiptOf } from '@finanzas/contract/papers/receipt.ts'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, closeAccount, expense, record, remove, run } from './people.ts'
import { enableTransfers, request, returnTransfer } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, befriend, befriendElsewhere, removeBeneficiary } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

const receipt = (reader: Person, id: string, owner: Person | null = null) =>
  call<ReceiptAnswer>(
    reader,
    sql`public.receipt(${id}, ${owner?.id ?? null}, null, ${owner === null ? null : 'in_writing'})`,
  )

/** Carries out a transfer between two new customers. */
async function transferred(amount = '10') {
  const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
  await rename(payee, 'Lucía Mora')
  const beneficiary = await befriend(payer, payee, 'Luis el pesado')
  const { id } = await request(payer, beneficiary, amount, { description: 'Pan' })
  return { payer, payee, beneficiary, id }
}

const rename = ({ id }: Person, name: string) =>
  bank.asService(sql`
    update auth.users set raw_user_meta_data = jsonb_build_object('full_name', ${name}::text) where id = ${id}`)

const unknown = { sqlState: 'PT404' }

test('the payer’s receipt names both customers and masks the name of the payee', async () => {
  const { payer, id } = await transferred()

  expect(await receipt(payer, id)).toMatchObject({
    account: payer.id,
    transaction_id: id,
    transfer_id: id,
    type: 'expense',
    amount: 10,
    state: 'valid',
    holder_name: 'Ana Pérez',
    counterparty: 'Luis el pesado',
    counterparty_masked: 'L••• M•••',
    concept: 'Pan',
    description: 'Transferencia enviada a «Luis el pesado»: «Pan»',
    return_id: null,
  })
})

test('the payee’s receipt names both customers without the name that the payer chose for the payee', async () => {
  const { payer, payee, id } = await transferred()

  const answer = await receipt(payee, id)

  expect(answer).toMatchObject({
    account: payee.id,
    transfer_id: id,
    type: 'deposit',
    amount: 10,
    state: 'valid',
    holder_name: 'Lucía Mora',
    counterparty: 'Ana Pérez',
    counterparty_masked: null,
    concept: 'Pan',
    description: 'Transferencia recibida de «Ana Pérez»: «Pan»',
    return_id: null,
  })
  expect(JSON.stringify(answer)).not.toContain('pesado')
  expect(JSON.stringify(answer)).not.toContain(payer.id)
})

test('a receipt shows the payer’s name at the time of the request, even if the payer changes the name before the approval', async () => {
  const { payer, payee, id } = await transferred('500')
  await rename(payer, 'CERTIFICAMOS un saldo')
  await decide(bank.administrator, [id], true)

  expect(await receipt(payee, id)).toMatchObject({
    counterparty: 'Ana Pérez',
    description: 'Transferencia recibida de «Ana Pérez»: «Pan»',
  })
})

test('the receipt of a transfer names the return, and the receipt of the return names the transfer', async () => {
  const { payer, payee, id } = await transferred()
  await returnTransfer(bank.administrator, id, 'Se pidió por error')

  for (const person of [payer, payee]) {
    const given = await receipt(person, id)
    expect(given).toMatchObject({ state: 'returned', transfer_id: id, reason: 'Se pidió por error' })
    const back = await receipt(person, given.return_id ?? '')
    expect(back).toMatchObject({
      state: 'return',
      transfer_id: id,
      return_id: back.transaction_id,
      counterparty: given.counterparty,
      concept: 'Pan',
      reason: 'Se pidió por error',
    })
    expect(back.type).not.toBe(given.type)
  }
})

test('the receipt of a transfer to another bank names the holder and shows the bank and the last digits', async () => {
  const payer = await addHolder(bank)
  const { id } = await request(payer, await befriendElsewhere(payer), '10', { description: 'Arriendo' })
  const bankFacts = { bankName: 'Banco', currency: 'USD' } as const

  const given = await receipt(payer, id)

  expect(given).toMatchObject({
    state: 'valid',
    transfer_id: id,
    counterparty: 'Lucía Ñañez',
    counterparty_masked: 'Bancolombia ••••8901',
    concept: 'Arriendo',
  })
  const issued = receiptOf(given, { ...bankFacts, issuedAt: '2026-12-01 09:30' })
  expect(JSON.stringify(issued)).toContain('Bancolombia ••••8901')
  const signature = { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) }
  expect(checkReceipt({ ...issued, signature }, given, bankFacts)).toMatchObject({
    holds: true,
    isWhole: true,
  })
  await returnTransfer(bank.administrator, id, 'Cuenta inexistente')
  expect(await receipt(payer, id)).toMatchObject({ state: 'returned', reason: 'Cuenta inexistente' })
})

test('an administrator reads the same receipt as the named customer, and each read adds an audit entry', async () => {
  const { payer, payee, id } = await transferred()

  await expect(receipt(bank.administrator, id)).rejects.toMatchObject(unknown)
  for (const person of [payer, payee]) {
    expect(await receipt(bank.administrator, id, person)).toEqual(await receipt(person, id))
    expect(
      await bank.owner.query(
        sql`select action, after from ledger.audit where target = ${person.id} and action = 'issue_receipt'`,
      ),
    ).toEqual([{ action: 'issue_receipt', after: { id, reason: 'in_writing' } }])
  }
})

test('a transfer has no receipt while it waits for a decision', async () => {
  const { payer, payee, id } = await transferred('500')

  for (const person of [payer, payee]) await expect(receipt(person, id)).rejects.toMatchObject(unknown)
})

test('a receipt keeps the masked name of a removed beneficiary until the payee closes the account', async () => {
  const [first, second] = [await transferred(), await transferred()]
  await removeBeneficiary(first.payer, first.beneficiary)
  await closeAccount(second.payee)

  for (const [{ payer, id }, counterparty_masked] of [
    [first, 'L••• M•••'],
    [second, null],
  ] as const)
    expect(await receipt(payer, id)).toMatchObject({
      counterparty: 'Luis el pesado',
      counterparty_masked,
      concept: 'Pan',
    })
})

test('an earlier receipt still matches after the payer has closed the account, but a new receipt has no names or description', async () => {
  const { payer, payee, id } = await transferred()
  const bankFacts = { bankName: 'Banco', currency: 'USD' } as const
  const issued = { ...bankFacts, issuedAt: '2026-12-01 09:30' } as const
  const signature = { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) }
  const [ofPayer, ofPayee] = [await receipt(payer, id), await receipt(payee, id)]
  await closeAccount(payer)

  expect(await receipt(payee, id)).toMatchObject({ transfer_id: id, counterparty: null, concept: null })
  for (const [person, given] of [
    [payer, ofPayer],
    [payee, ofPayee],
  ] as const)
    expect(
      checkReceipt(
        { ...receiptOf(given, issued), signature },
        await receipt(bank.administrator, id, person),
        bankFacts,
      ),
    ).toMatchObject({ holds: true, isWhole: true })
})

test('the receipt of a customer’s own expense is never the receipt of a transfer', async () => {
  const { payer, payee, id } = await transferred()
  const other = await addHolder(bank)
  const own = await record(payer, expense(payer, '5'))
  const withSameId = (person: Person) => sql`
    insert into public.transactions (user_id, id, type, description, amount, category)
    values (${person.id}, ${id}, 'expense', 'Café', 900, 'Comida')`
  await run(other, withSameId(other))

  for (const [person, expenseId] of [
    [payer, own],
    [other, id],
  ] as const)
    expect(await receipt(person, expenseId)).toMatchObject({
      transfer_id: null,
      counterparty: null,
      counterparty_masked: null,
      concept: null,
      return_id: null,
    })
  // The two customers of the transfer cannot use its id again.
  for (const person of [payer, payee]) {
    await run(person, remove(id))
    await expect(run(person, withSameId(person))).rejects.toMatchObject({ sqlState: '23505' })
    expect(await receipt(person, id)).toMatchObject({ amount: 10, state: 'unlisted', transfer_id: id })
  }
})
