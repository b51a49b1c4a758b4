// Customers keep a list of the people that they pay. The addition of a person reveals nothing about the address. The
// confirmation reveals only the first letters of the name, and the number of additions per day is limited.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { letPass, partsOfDay } from './counters.ts'
import { useBank } from './database.ts'
import { ageProof, balanceOf, deposit, run } from './people.ts'
import { enableTransfers, request, stored } from './transfers.ts'
import {
  type Beneficiary,
  add,
  addHolder,
  addressOf,
  befriend,
  confirm,
  removeBeneficiary,
} from './beneficiaries.ts'

const bank = useBank(enableTransfers)

const list = (person: Parameters<typeof run>[0]) =>
  run(person, sql<Beneficiary>`select * from public.beneficiaries where removed_at is null`)

test('adding a beneficiary gives the same answer for a known and an unknown e-mail address', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]

  const known = await add(ana, addressOf(luis))
  const unknown = await add(ana, 'nadie@banco.example')

  const { id: _, address: __, created_at: ___, ...ofKnown } = known as Beneficiary & { created_at: string }
  const {
    id: _1,
    address: _2,
    created_at: _3,
    ...ofUnknown
  } = unknown as Beneficiary & { created_at: string }
  expect(ofKnown).toEqual(ofUnknown)
  expect(ofKnown).toMatchObject({ confirmed_at: null, payee_name: null })
})

test('a confirmed beneficiary shows the first letters of the account holder’s name', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const { id } = await add(ana, ` ${addressOf(luis).toUpperCase()} `)

  expect(await confirm(ana, id)).toMatchObject({ address: addressOf(luis), payee_name: 'A••• P•••' })
})

test.for([
  ['Ana Pérez', 'A••• P•••'],
  ['  ñandú  ', 'ñ•••'],
  ['uno dos tres cuatro cinco', 'u••• d••• t••• c•••'],
  [null, '•••'],
])('the name %s is shown as %s', async ([name, masked]) => {
  expect(await bank.owner.query(sql`select private.mask_name(${name ?? null}) as masked`)).toEqual([
    { masked },
  ])
})

test('a beneficiary who is not a customer is confirmed without a name', async () => {
  const ana = await addHolder(bank)
  const unconfirmed = await bank.addCustomer()

  for (const address of ['nadie@banco.example', addressOf(unconfirmed)]) {
    const confirmed = await confirm(ana, (await add(ana, address)).id)

    expect(confirmed).toMatchObject({ confirmed_at: expect.any(String), payee_name: null })
    await expect(request(ana, confirmed.id, '1')).rejects.toMatchObject({
      sqlState: 'PT409',
      message: 'Este beneficiario no es cliente del banco.',
    })
  }
})

test('a confirmation is not repeated when the address gets an account later', async () => {
  const ana = await addHolder(bank)
  const later = await bank.addCustomer()
  const { id } = await add(ana, addressOf(later))
  await confirm(ana, id)

  await bank.asService(sql`update auth.users set email_confirmed_at = now() where id = ${later.id}`)

  expect(await confirm(ana, id)).toMatchObject({ payee_name: null })
  expect(await confirm(ana, id, true)).toMatchObject({ payee_name: 'A••• P•••' })
  await run(bank.administrator, deposit(ana, '5'))
  expect(await request(ana, id, '1')).toMatchObject({ status: 'done' })
  expect(await balanceOf(later)).toBe('1')
})

test('looking up an address again costs one of the five new beneficiaries of the day', async () => {
  const ana = await addHolder(bank)
  const { id } = await add(ana, 'nadie@banco.example')
  await confirm(ana, id)
  for (let attempt = 0; attempt < 4; attempt += 1) await confirm(ana, id, true)

  await expect(confirm(ana, id, true)).rejects.toMatchObject({ sqlState: 'PT429' })
  await expect(add(ana, 'otra@banco.example')).rejects.toMatchObject({ sqlState: 'PT429' })
  expect(await confirm(ana, id)).toMatchObject({ payee_name: null })
})

test('an address is not looked up again without recent re-authentication', async () => {
  const ana = await addHolder(bank)
  const { id } = await add(ana, 'nadie@banco.example')
  await confirm(ana, id)
  await ageProof(ana, 11)

  await expect(confirm(ana, id, true)).rejects.toMatchObject({ hint: 'reauthentication_needed' })
})

test('a beneficiary who was found is not looked up again', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const id = await befriend(ana, luis)

  for (let attempt = 0; attempt < 6; attempt += 1)
    expect(await confirm(ana, id, true)).toMatchObject({ payee_name: 'A••• P•••' })
})

test('a later owner of a beneficiary’s address does not receive the transfers', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const id = await befriend(ana, luis)
  const other = await addHolder(bank)
  await bank.asService(
    sql`update auth.users set email = 'antes@banco.example' where id = ${luis.id}`,
    sql`update auth.users set email = ${addressOf(luis)} where id = ${other.id}`,
  )

  expect(await stored(bank, (await request(ana, id, '1')).id)).toMatchObject({ payee: luis.id })
})

test('a customer cannot confirm a beneficiary without recent re-authentication', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const { id } = await add(ana, addressOf(luis))
  await ageProof(ana, 11)

  await expect(confirm(ana, id)).rejects.toMatchObject({ sqlState: '42501', hint: 'reauthentication_needed' })
  await expect(request(ana, id, '1')).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'Confirma primero este beneficiario.',
  })
})

test('a customer cannot be their own beneficiary', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const refused = { sqlState: 'PT422', message: 'No puedes transferirte a tu propia cuenta.' }

  await expect(add(ana, addressOf(ana))).rejects.toMatchObject(refused)
  // The customer adds an address and later takes it as their own address.
  const { id } = await add(ana, 'nueva@banco.example')
  await bank.asService(sql`update auth.users set email = 'nueva@banco.example' where id = ${ana.id}`)
  await expect(confirm(ana, id)).rejects.toMatchObject(refused)
  expect(await add(luis, 'nueva@banco.example')).toMatchObject({ confirmed_at: null })
})

test('repeated calls with the same id add only one beneficiary', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const { id } = await add(ana, addressOf(luis))

  expect(await add(ana, addressOf(luis), { id })).toMatchObject({ id, name: 'Luis' })
  await expect(add(ana, addressOf(luis), { id, name: 'Otro' })).rejects.toMatchObject({ sqlState: 'PT409' })
  await expect(add(ana, addressOf(luis))).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'Ya tienes un beneficiario con este email o llave.',
  })
  expect(await list(ana)).toHaveLength(1)
})

test.for(['', 'sin arroba', 'a@b@c', 'a@\u0007b', `${'a'.repeat(320)}@b`])(
  'the address %j is refused',
  async (address) => {
    await expect(add(await addHolder(bank), address)).rejects.toMatchObject({ sqlState: '23514' })
  },
)

test('a customer adds at most five beneficiaries in 24 hours, even if they remove them', async () => {
  const ana = await addHolder(bank)
  for (let place = 0; place < 5; place += 1)
    await removeBeneficiary(ana, (await add(ana, `n${place}@banco.example`)).id)

  await expect(add(ana, 'n6@banco.example')).rejects.toMatchObject({
    sqlState: 'PT429',
    detail: expect.stringMatching(/^Retry-After: (?:8[6-9]\d{3}|90000)$/),
  })

  await letPass(bank, 'beneficiary', ana.id, partsOfDay)
  await expect(add(ana, 'n6@banco.example')).rejects.toMatchObject({ sqlState: 'PT429' })
  await letPass(bank, 'beneficiary', ana.id, 1)
  expect(await add(ana, 'n6@banco.example')).toMatchObject({ address: 'n6@banco.example' })
})

test('a customer keeps at most a hundred beneficiaries', async () => {
  const ana = await addHolder(bank)
  await bank.owner.query(sql`
    insert into public.beneficiaries (user_id, id, name, address, created_at)
    select ${ana.id}, gen_random_uuid(), 'Luis', n || '@banco.example', now() - interval '2 days' from generate_series(1, 100) n`)

  await expect(add(ana, 'uno-mas@banco.example')).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a removed beneficiary leaves the list and cannot be paid', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const id = await befriend(ana, luis)

  const removed = await removeBeneficiary(ana, id)

  expect(await removeBeneficiary(ana, id)).toEqual(removed)
  expect(await list(ana)).toEqual([])
  // Realtime announces the removal only to people who may read the row after the removal.
  const read = sql`select id from public.beneficiaries where id = ${id} and removed_at is not null`
  expect([await run(ana, read), await run(luis, read)]).toEqual([[{ id }], []])
  await expect(request(ana, id, '1')).rejects.toMatchObject({ sqlState: 'PT404' })
  await expect(confirm(ana, id)).rejects.toMatchObject({ sqlState: 'PT404' })
  expect((await add(ana, addressOf(luis))).id).not.toBe(id)
})

test('a removed beneficiary is purged after 24 hours', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  const [old, recent] = [await befriend(ana, luis), (await add(ana, 'otro@banco.example')).id]
  await removeBeneficiary(ana, old)
  await removeBeneficiary(ana, recent)
  await bank.owner.query(
    sql`update public.beneficiaries set removed_at = now() - interval '24 hours 1 second' where id = ${old}`,
  )

  await bank.asService(sql`select private.purge_expired(500)`)

  expect(await bank.owner.query(sql`select id from public.beneficiaries where user_id = ${ana.id}`)).toEqual([
    { id: recent },
  ])
})
