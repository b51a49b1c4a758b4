// A customer decides which transfers they receive. The payer of a refused transfer does not learn the reason.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, ageProof, call, closeAccount, run } from './people.ts'
import { enableTransfers, request, returnTransfer } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, addPair, befriend, removeBeneficiary } from './beneficiaries.ts'

const bank = useBank()
beforeAll(() => enableTransfers(bank))

const receive = (person: Person, min: string | null, fromKnown = false) =>
  call<{ receive_min: number | null; receives_from_known: boolean }>(
    person,
    sql`public.set_transfer_reception(${min}, ${fromKnown})`,
  )

const refused = { status: 'failed', reason: 'La cuenta de destino no puede recibir transferencias.' }

test('a customer receives no transfer below their smallest amount', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  expect(await receive(payee, '5')).toMatchObject({ receive_min: 5, receives_from_known: false })

  expect(await request(payer, beneficiary, '4.99')).toMatchObject(refused)
  expect(await request(payer, beneficiary, '5')).toMatchObject({ status: 'done' })
  expect(await receive(payee, null)).toMatchObject({ receive_min: null })
  expect(await request(payer, beneficiary, '0.01')).toMatchObject({ status: 'done' })
})

test('a customer who receives only from known people gets no transfer from a stranger', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  await receive(payee, null, true)
  expect(await request(payer, beneficiary, '1')).toMatchObject(refused)

  const named = await befriend(payee, payer)
  expect(await request(payer, beneficiary, '1')).toMatchObject({ status: 'done' })
  await removeBeneficiary(payee, named)
  expect(await request(payer, beneficiary, '1')).toMatchObject(refused)
})

test.for([
  ['paid', false],
  ['paid, even if the bank returned the money', true],
] as const)(
  'a customer who receives only from known people gets transfers from a person whom they %s',
  async ([, isReturned]) => {
    const { payer, payee, beneficiary } = await addPair(bank)
    await request(payer, beneficiary, '10')
    const named = await befriend(payee, payer)
    const { id } = await request(payee, named, '1')
    if (isReturned) await returnTransfer(bank.administrator, id)
    await removeBeneficiary(payee, named)
    await receive(payee, null, true)

    expect(await request(payer, beneficiary, '1')).toMatchObject({ status: 'done' })
  },
)

test('an approved transfer that its payee does not receive moves no money', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')
  await receive(payee, '600')

  expect(await decide(bank.administrator, [id], true)).toMatchObject([refused])
})

test('the payer reads the same reason for a blocked account, a closed one and a refused transfer', async () => {
  const payer = await addHolder(bank)
  const payees = [await addHolder(bank, '0'), await addHolder(bank, '0'), await addHolder(bank, '0')] as const
  const ids = []
  for (const payee of payees) ids.push((await request(payer, await befriend(payer, payee), '500')).id)
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '1 day' where id = ${payees[0].id}`,
  )
  await closeAccount(payees[1])
  await receive(payees[2], null, true)
  await decide(bank.administrator, ids, true)

  expect(
    await run(
      payer,
      sql`select status, reason from public.requests where payer = ${payer.id} order by asked_at`,
    ),
  ).toEqual([refused, refused, refused])
})

test('a session without a recent proof of the password cannot change which transfers its customer receives', async () => {
  const customer = await addHolder(bank, '0')
  await ageProof(customer, 11)

  await expect(receive(customer, '1000')).rejects.toMatchObject({ hint: 'reauthentication_needed' })
})

test.for(['0', '-1', '0.001', 'NaN'])(
  'a customer cannot choose %s as the smallest amount',
  async (amount) => {
    await expect(receive(await addHolder(bank, '0'), amount)).rejects.toMatchObject({ sqlState: 'PT422' })
  },
)

test('the chain of a customer does not name the other customer of a transfer or the administrator', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  await request(payer, beneficiary, '1')
  const { id } = await request(payer, beneficiary, '500')
  await decide(bank.administrator, [id], true)

  for (const person of [payer, payee])
    expect(
      await run(
        person,
        sql`
          select j.actor from public.journal_entries j
          join public.transactions t on t.id = j.transaction_id where t.category = 'Transferencia'`,
      ),
    ).toEqual([{ actor: null }, { actor: null }])
})
