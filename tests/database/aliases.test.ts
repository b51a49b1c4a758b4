// Customers may choose an alias, by which other customers name them as a beneficiary. An alias never refers to anyone
// except the customer who first chose it.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { letPass, partsOfDay } from './counters.ts'
import { useBank } from './database.ts'
import { type Person, ageProof, closeAccount, run } from './people.ts'
import { enableTransfers, request, stored } from './transfers.ts'
import { add, addHolder, confirm, setAlias } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

/** Confirms a new beneficiary with this address. */
const name = async (payer: Person, address: string) => confirm(payer, (await add(payer, address)).id)

/** Moves the times at which the customer chose and tried aliases into the past. */
async function age(person: Person, days: number): Promise<void> {
  await bank.owner.query(
    sql`update private.aliases set chosen_at = chosen_at - make_interval(days => ${days}) where user_id = ${person.id}`,
  )
  await letPass(bank, 'alias tried', person.id, days * (partsOfDay + 1))
}

test('a customer can pay another customer by alias', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  expect(await setAlias(luis, ' @Luis.P ')).toEqual({ alias: 'luis.p', changes_left: 2, is_taken: false })
  expect(await run(luis, sql`select alias from public.own_alias()`)).toEqual([{ alias: 'luis.p' }])

  const confirmed = await name(ana, '@LUIS.P')

  expect(confirmed).toMatchObject({ address: '@luis.p', payee_name: 'A••• P•••' })
  expect(await stored(bank, (await request(ana, confirmed.id, '1')).id)).toMatchObject({ payee: luis.id })
})

test('an unknown alias is confirmed with the same answer as an unknown e-mail address', async () => {
  const ana = await addHolder(bank)
  const unconfirmed = await addHolder(bank)
  await setAlias(unconfirmed, 'sin-confirmar')
  await bank.asService(sql`update auth.users set email_confirmed_at = null where id = ${unconfirmed.id}`)

  for (const address of ['@nadie', '@sin-confirmar', 'nadie@banco.example'])
    expect(await name(ana, address)).toMatchObject({ confirmed_at: expect.any(String), payee_name: null })
})

test('a released alias does not belong to any customer, and only its former owner can choose it again', async () => {
  const [ana, luis, eva] = [await addHolder(bank), await addHolder(bank), await addHolder(bank)]
  await setAlias(luis, 'primero')
  const { id } = await name(ana, '@primero')
  expect(await setAlias(luis, 'segundo')).toEqual({ alias: 'segundo', changes_left: 1, is_taken: false })

  expect(await setAlias(eva, 'primero')).toEqual({ alias: null, changes_left: 3, is_taken: true })
  expect(await name(eva, '@primero')).toMatchObject({ payee_name: null })
  // The beneficiary still refers to the account to which it referred at the confirmation.
  expect(await stored(bank, (await request(ana, id, '1')).id)).toMatchObject({ payee: luis.id })
  expect(await setAlias(luis, null)).toEqual({ alias: null, changes_left: 1, is_taken: false })
  expect(await name(eva, '@segundo')).toMatchObject({ payee_name: null })
  expect(await setAlias(luis, 'primero')).toEqual({ alias: 'primero', changes_left: 1, is_taken: false })
})

test('a customer cannot choose the alias of a closed account', async () => {
  const [luis, eva] = [await addHolder(bank), await addHolder(bank)]
  await setAlias(luis, 'de-luis')
  await closeAccount(luis)

  expect(await setAlias(eva, 'de-luis')).toMatchObject({ alias: null, is_taken: true })
})

test('a customer cannot choose an alias that looks like the alias of another customer', async () => {
  const [ana, eva] = [await addHolder(bank), await addHolder(bank)]
  await setAlias(ana, 'anita.p')

  for (const alias of ['anita.p', 'anita-p', 'an1tap', 'an-lt4.p'])
    expect(await setAlias(eva, alias)).toMatchObject({ alias: null, is_taken: true })
  expect(await setAlias(ana, 'anitap')).toMatchObject({ alias: 'anitap', is_taken: false })
})

test.for([
  ['carmen', 'carrnen'],
  ['walter.8', 'vvalter.b'],
  ['gabo.2729', 'qabo.ztzg'],
])('%s looks like %s', async ([taken = '', alike = '']) => {
  await setAlias(await addHolder(bank), taken)

  expect(await setAlias(await addHolder(bank), alike)).toMatchObject({ alias: null, is_taken: true })
})

test('two aliases that end with different years do not count as similar', async () => {
  await setAlias(await addHolder(bank), 'rosa.1986')

  expect(await setAlias(await addHolder(bank), 'rosa.1988')).toMatchObject({ alias: 'rosa.1988' })
})

test.for(['', 'ab', 'ana@banco.co', '.ana', 'ana.', 'ana..p', '1ana', 'ana p', 'añita', 'a'.repeat(31)])(
  'the alias %j is refused',
  async (alias) => {
    await expect(setAlias(await addHolder(bank), alias)).rejects.toMatchObject({ sqlState: 'PT422' })
  },
)

test.for(['banco', 'mi-banco.ana', 'b4nc0', 'soporte1', 'adm.in', 'adrnin', 'el-8anco', 'ana.gmail.com'])(
  'the alias %s is reserved',
  async (alias) => {
    await expect(setAlias(await addHolder(bank), alias)).rejects.toMatchObject({
      sqlState: 'PT422',
      message: 'Esta llave está reservada.',
    })
  },
)

test('a customer chooses at most three new aliases in a year, and may return to an earlier alias', async () => {
  const ana = await addHolder(bank)
  for (const alias of ['uno.de.ana', 'dos.de.ana', 'tres.de.ana']) await setAlias(ana, alias)

  await expect(setAlias(ana, 'cuatro.de.ana')).rejects.toMatchObject({ sqlState: 'PT409' })
  expect(await setAlias(ana, 'uno.de.ana')).toMatchObject({ alias: 'uno.de.ana', changes_left: 0 })
  await age(ana, 364)
  await expect(setAlias(ana, 'cuatro.de.ana')).rejects.toMatchObject({ sqlState: 'PT409' })
  await age(ana, 1)
  expect(await setAlias(ana, 'cuatro.de.ana')).toMatchObject({ alias: 'cuatro.de.ana', changes_left: 2 })
})

test('a customer can find out at most ten times in 24 hours whether an alias is taken', async () => {
  const [ana, luis] = [await addHolder(bank), await addHolder(bank)]
  await setAlias(luis, 'ocupado')
  for (let tries = 0; tries < 10; tries += 1)
    expect(await setAlias(ana, 'ocupado')).toMatchObject({ is_taken: true })

  for (const alias of ['ocupado', 'quizas.libre'])
    await expect(setAlias(ana, alias)).rejects.toMatchObject({
      sqlState: 'PT429',
      detail: expect.stringMatching(/^Retry-After: (?:8[6-9]\d{3}|90000)$/),
    })
  await age(ana, 1)
  expect(await setAlias(ana, 'ocupado')).toMatchObject({ is_taken: true })
})

test('a customer can neither choose nor remove an alias without recent re-authentication', async () => {
  const ana = await addHolder(bank)
  await setAlias(ana, 'con.prueba')
  await ageProof(ana, 11)

  for (const alias of ['sin.prueba', null])
    await expect(setAlias(ana, alias)).rejects.toMatchObject({
      sqlState: '42501',
      hint: 'reauthentication_needed',
    })
})

test('a customer cannot add their own alias as a beneficiary', async () => {
  const ana = await addHolder(bank)
  const { id } = await add(ana, '@la.misma')
  await setAlias(ana, 'la.misma')
  const refused = { sqlState: 'PT422', message: 'No puedes transferirte a tu propia cuenta.' }

  await expect(confirm(ana, id)).rejects.toMatchObject(refused)
  await expect(add(await addHolder(bank), '@')).rejects.toMatchObject({ sqlState: '23514' })
  await expect(add(ana, '@la.misma')).rejects.toMatchObject(refused)
})
