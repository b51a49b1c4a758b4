// Account numbers, and the documents and telephones of account holders.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, run } from './people.ts'

const bank = useBank()

async function accountNumber(person: Person): Promise<string> {
  const [row] = await run(
    person,
    sql<{ number: string }>`
    select account_number as number from public.account_holders`,
  )
  return row?.number ?? ''
}

async function found(search: string): Promise<string[]> {
  const [row] = await run(
    bank.administrator,
    sql<{ ids: string[] }>`
      select to_jsonb(array(select c.id from unnest((public.list_customers(${search})).customers) c)) as ids`,
  )
  return row?.ids ?? []
}

const set = (person: Person, column: 'phone' | 'account_number', value: string) =>
  bank.owner.query({
    text: `update public.account_holders set ${column} = $1 where user_id = $2`,
    values: [value, person.id],
  })

const setDocument = (person: Person, kind: string, number: string) =>
  bank.owner.query(sql`
    update public.account_holders set full_name = 'Ana Pérez', document_kind = ${kind}, document_number = ${number} where user_id = ${person.id}`)

test('every user gets an account number of twelve digits that leaves the remainder one when divided by 97', async () => {
  const numbers = await Promise.all(
    [bank.administrator, await bank.addCustomer(), await bank.addCustomer()].map(accountNumber),
  )

  for (const number of numbers) {
    expect(number).toMatch(/^[1-9]\d{11}$/)
    expect(BigInt(number) % 97n).toBe(1n)
  }
})

test('the next account number cannot be derived from the previous account number', async () => {
  const made = await bank.owner.query(sql<{ number: string }>`
    select private.new_account_number() as number from generate_series(1, 200)`)
  const roots = made.map(({ number }) => Number(number.slice(0, 10)))

  expect(new Set(roots).size).toBe(200)
  // The smallest and the largest of 200 random numbers are near the ends of the range.
  expect(Math.min(...roots)).toBeLessThan(2_000_000_000)
  expect(Math.max(...roots)).toBeGreaterThan(9_000_000_000)
})

test.for([
  ['CC', '1032456789', true],
  ['CC', '01032456', false],
  ['CC', '1.032.456', false],
  ['CE', '345678', true],
  ['PA', 'AB123456', true],
  ['PA', 'ab123456', false],
  ['TI', '1032456789', true],
  ['TI', '103245', false],
  // The tax numbers of two banks and of the tax office.
  ['NIT', '890903938-8', true],
  ['NIT', '860002964-4', true],
  ['NIT', '800197268-4', true],
  ['NIT', '890903938-7', false],
  ['NIT', '890903938', false],
  ['DNI', '12345678', false],
] as const)('a document %s %s is accepted only if it is valid', async ([kind, number, isValid]) => {
  const customer = await bank.addCustomer()

  const stored = setDocument(customer, kind, number)

  if (isValid) await stored
  else await expect(stored).rejects.toMatchObject({ sqlState: '23514' })
  await bank.owner.query(sql`delete from auth.users where id = ${customer.id}`)
})

test('two customers cannot have the same document', async () => {
  const [ana, luis] = [await bank.addCustomer(), await bank.addCustomer()]
  await setDocument(ana, 'CC', '52123456')
  await setDocument(luis, 'CE', '52123456')

  await expect(setDocument(luis, 'CC', '52123456')).rejects.toMatchObject({
    constraint: 'account_holders_document_taken',
  })
})

test('a telephone number without a country code is not stored', async () => {
  const customer = await bank.addCustomer()
  await set(customer, 'phone', '+573001234567')

  await expect(set(customer, 'phone', '3001234567')).rejects.toMatchObject({ sqlState: '23514' })
})

test('staff find a customer by the complete number of the account or of the document', async () => {
  const customer = await bank.addCustomer()
  await setDocument(customer, 'NIT', '899999068-1')
  const number = await accountNumber(customer)
  const grouped = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

  for (const search of [number, grouped, '899.999.068-1', '899999068'])
    expect([search, await found(search)]).toEqual([search, [customer.id]])
  expect(await found(number.slice(0, 11))).toEqual([])
})
