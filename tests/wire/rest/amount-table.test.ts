/**
 * Sixty and more amounts through the wire (security.md MO-02): each is stored to the hundredth or refused,
 * never rounded. Seen red: with the column as numeric(14,2), which rounds eight of them to money.
 */
import { beforeAll, expect, test } from 'vitest'
import { type Person, administrator, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

/** JSON as it stands in the body, and the amount that is stored. */
const stored: [string, number][] = [
  ['0.01', 0.01],
  ['1e-2', 0.01],
  ['0.10', 0.1],
  ['0.29', 0.29],
  ['0.57', 0.57],
  ['1', 1],
  ['1.0', 1],
  ['1.100', 1.1],
  ['1.15', 1.15],
  ['4.35', 4.35],
  ['9.99', 9.99],
  ['12.5', 12.5],
  ['1e2', 100],
  ['1.5E1', 15],
  ['1005.01', 1005.01],
  ['123456.78', 123_456.78],
  ['999999.99', 999_999.99],
  ['90071992547.41', 90_071_992_547.41],
  ['999999999999', 999_999_999_999],
  ['999999999999.9', 999_999_999_999.9],
  ['999999999999.98', 999_999_999_999.98],
  ['999999999999.99', 999_999_999_999.99],
  ['"0.01"', 0.01],
  ['"12.34"', 12.34],
  ['"1e2"', 100],
  ['"999999999999.99"', 999_999_999_999.99],
]

const refused: string[] = [
  '0',
  '-0',
  '0.00',
  '-5',
  '-0.01',
  '0.001',
  '0.004',
  '0.005',
  '0.009',
  '1e-3',
  '1.999',
  '10.005',
  '12.345',
  '12.340000000001',
  '999999999999.991',
  '999999999999.999',
  '1000000000000',
  '1e12',
  '1e15',
  '1e308',
  '"1e400000"',
  `0.${'0'.repeat(300)}1`,
  '9'.repeat(300),
  '"007"',
  '"01"',
  '"+8.5"',
  '" 1"',
  '"1 "',
  '"0x1F"',
  '"0b11"',
  '"1_000"',
  '".5"',
  '"5."',
  '"NaN"',
  '"Infinity"',
  '"-Infinity"',
  '"inf"',
  '""',
  '" "',
  '"doce"',
  '"1,5"',
  '"1.000,50"',
  '"1 000"',
  '"$5"',
  '"1.2.3"',
  '"+-1"',
  '"١٢"',
  '"１２"',
  'true',
  'null',
  '[5]',
  '{}',
  'NaN',
  'Infinity',
  '+5',
  '.5',
  '01',
]

let customer: Awaited<ReturnType<typeof signUpCustomer>> & Person
const depositedHundredths = 5n * 99_999_999_999_999n
beforeAll(async () => {
  customer = await signUpCustomer()
  // Own expenses alone may not take a balance so far.
  const { client } = await administrator()
  const deposit = { user_id: customer.id, type: 'deposit', amount: '999999999999.99', category: null }
  for (let deposits = 0; deposits < 5; deposits += 1) {
    const { error } = await client.rpc('register_transaction', {
      ...deposit,
      description: 'Nómina',
      date: new Date().toISOString(),
    })
    if (error !== null) throw new Error('The deposit was refused.', { cause: error })
  }
})

const record = (amount: string) =>
  rawRest('POST', '/transactions?select=amount', {
    as: customer,
    headers: { prefer: 'return=representation' },
    body: JSON.stringify(expenseOf(customer)).replace('12.5', amount),
  })

test('the table has sixty values and more', () => {
  expect(stored.length + refused.length).toBeGreaterThanOrEqual(60)
})

test.each(stored)('the amount %s is stored as %d', async (amount, value) => {
  const { status, body } = await record(amount)

  expect(body).toEqual([{ amount: value }])
  expect(status).toBe(201)
})

test.each(refused)('the amount %s is refused, and nothing of it stays', async (amount) => {
  const before = await countTransactions(customer)

  const { status } = await record(amount)

  expect(status).toBe(400)
  expect(await countTransactions(customer)).toBe(before)
})

test('what was stored adds up to the balance, to the hundredth', async () => {
  const { data } = await customer.client.from('budgets').select('balance').single()

  const hundredths = stored.reduce((sum, [, value]) => sum + BigInt(Math.round(value * 100)), 0n)
  expect(BigInt(Math.round((data as { balance: number }).balance * 100))).toBe(
    depositedHundredths - hundredths,
  )
})
