// A customer must not have a name or an alias with which they could pretend to be the bank.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { addPerson, run } from './people.ts'
import { enableTransfers } from './transfers.ts'
import { addHolder, setAlias } from './beneficiaries.ts'

const bank = useBank()
beforeAll(async () => {
  await enableTransfers(bank)
  await setBrand('Cooperativa Ñandú')
})

const setBrand = (name: string) => bank.asService(settings({ brand_name: name }))

const refused = {
  sqlState: 'PT422',
  hint: 'reserved_name',
  message: 'Este nombre está reservado para el banco. Escribe otro.',
}

const signUp = (name: string) =>
  bank.asService(sql`
    insert into auth.users (email, raw_user_meta_data)
    values (${`${crypto.randomUUID()}@banco.example`}, jsonb_build_object('full_name', ${name}::text))`)

test.for([
  ['the name of the bank', 'Cooperativa Ñandú'],
  ['the name of the bank inside another name', 'Ana de la cooperativa  nandu S.A.S.'],
  ['the name of the bank with other spaces', 'Coo perativa.Ñandú'],
  ['a reserved word', 'Soporte Técnico'],
  ['a reserved word with digits', 'B4nco Amigo'],
  ['mathematical letters', '𝐁𝐚𝐧𝐜𝐨 𝐅𝐢𝐧𝐚𝐧𝐳𝐚𝐬'],
  ['letters of another alphabet', 'Ваnсо Finanzas'],
  ['Greek capitals', 'ΒΑΝCΟ Amigo'],
  ['small capitals', 'ʙᴀɴᴄᴏ Amigo'],
  ['letters in squares', '🅱🅰🅽🅲🅾 Amigo'],
  ['full-width letters', 'Ｂａｎｃｏ Amigo'],
  ['accented letters', 'BÂÑÇÖ Amigo'],
  ['accents and invisible characters', 'B\u200bá\u0301n\u00adco Amigo'],
])('a customer cannot sign up with %s', async ([, name = '']) => {
  await expect(signUp(name)).rejects.toMatchObject(refused)
})

test.for([
  'Ana Pérez',
  'Blanca Bancolombiana',
  'María Oficialdegui',
  'Bernardo Ayudante',
  'Olga Sistemática',
  '李小龙',
])('a customer can sign up as %s', async (name) => {
  await signUp(name)
})

test('a customer cannot change the name to a reserved one, and keeps the earlier name', async () => {
  const customer = await addHolder(bank, '0')

  await expect(
    bank.asService(sql`
      update auth.users set raw_user_meta_data = raw_user_meta_data || '{"full_name": "Banco Amigo"}'
      where id = ${customer.id}`),
  ).rejects.toMatchObject(refused)
  expect(
    await bank.owner.query(sql`select full_name from public.profiles where id = ${customer.id}`),
  ).toEqual([{ full_name: 'Ana Pérez' }])
})

test('an administrator of the bank can have a reserved name', async () => {
  const { id } = await addPerson(bank.database, 'admin')

  await bank.asService(sql`
    update auth.users set raw_user_meta_data = '{"full_name": "Soporte del Banco"}' where id = ${id}`)
})

test('staff can verify a customer whose legal name contains a reserved word', async () => {
  const { id } = await addHolder(bank, '0')

  await run(
    bank.administrator,
    sql`select public.correct_holder(${id}, 'Seguridad Andina Ltda.', 'NIT', '890903938-8', null)`,
  )

  expect(await bank.owner.query(sql`select full_name from public.profiles where id = ${id}`)).toEqual([
    { full_name: 'Seguridad Andina Ltda.' },
  ])
})

test.for(['ayuda.ana', 's0porte', 'cooperativa-nandu', 'el.banc0'])(
  'a customer cannot choose the alias %s, which looks like the bank',
  async (alias) => {
    await expect(setAlias(await addHolder(bank, '0'), alias)).rejects.toMatchObject({
      sqlState: 'PT422',
      message: 'Esta llave está reservada.',
    })
  },
)

test('the earlier name of the bank is free again after the bank has changed its name', async () => {
  await setBrand('Caja Sol Naciente')
  await signUp('Cooperativa Ñandú')
  await expect(signUp('Caja Sol Naciente')).rejects.toMatchObject(refused)
  await setBrand('Cooperativa Ñandú')
})

test('a short name of a bank is not reserved inside an alias', async () => {
  const choose = async (alias: string) => (await setAlias(await addHolder(bank, '0'), alias)).alias
  try {
    await setBrand('Sol')
    expect(await choose('marisol')).toBe('marisol')
    await setBrand('银行')
    expect(await choose('anita.p')).toBe('anita.p')
    await setBrand('Solar')
    await expect(choose('marisolar')).rejects.toMatchObject({ message: 'Esta llave está reservada.' })
  } finally {
    await setBrand('Cooperativa Ñandú')
  }
})

test('the letters of a short name of a bank may be apart in a name', async () => {
  try {
    await setBrand('Pesobol')
    await signUp('Peso Bolívar')
    await setBrand('Pesoboli')
    await expect(signUp('Peso Bolívar')).rejects.toMatchObject(refused)
  } finally {
    await setBrand('Cooperativa Ñandú')
  }
})
