// Amounts that clients send to the API (security.md MO-02). Each amount is either stored exactly or refused, but never
// rounded.
import { beforeAll, expect, test } from 'vitest'
import { depositFor, invoke } from '#tests/wire/functions/invoke.ts'
import { type SignedIn, administrator, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

const words = (text: string) => text.split(' ')

/** Pairs of an amount, written as in the JSON body, and the number that the server stores. */
const stored = [
  ...words('0.01 1e-2 0.10 0.29 0.57 1 1.0 1.100 1.15 4.35 9.99 12.5 1e2 1.5E1 1005.01 123456.78 999999.99'),
  ...words('90071992547.41 999999999999 999999999999.9 999999999999.98 999999999999.99'),
  ...words('"0.01" "12.34" "1e2" "999999999999.99"'),
].map((json) => [json, Number(JSON.parse(json))] as const)

/** Amounts that are refused, grouped by the code of the refusal. */
const refused: Readonly<Record<string, readonly string[]>> = {
  '23514': [
    ...words('0 -0 0.00 -5 -0.01 0.001 0.004 0.005 0.009 1e-3 1.999 10.005 12.345 12.340000000001'),
    ...words('999999999999.991 999999999999.999 1000000000000 1e12 1e15 1e308'),
    ...words('"NaN" "Infinity" "-Infinity" "inf"'),
    `0.${'0'.repeat(300)}1`,
    '9'.repeat(300),
  ],
  '22003': ['1e400000', '"1e400000"'],
  '22P02': [
    ...words(
      '"007" "01" "+8.5" "0x1F" "0b11" "1_000" ".5" "5." "" "doce" "1,5" "1.000,50" "$5" "1.2.3" "+-1"',
    ),
    ...words('"١٢" "１２" true [] [5] {}'),
    '" 1"',
    '"1 "',
    '" "',
    '"1 000"',
  ],
  '23502': ['null'],
  PGRST102: words('NaN Infinity +5 .5 01'),
}
const refusedAmounts = Object.entries(refused).flatMap(([code, amounts]) =>
  amounts.map((amount) => [amount, code] as const),
)

let customer: SignedIn
const depositedHundredths = 5n * 99_999_999_999_999n
beforeAll(async () => {
  customer = await signUpCustomer()
  // Deposits money first, because an expense cannot lower a customer's balance below a minimum.
  const { client } = await administrator()
  const deposit = depositFor(customer.id, { amount: '999999999999.99' })
  for (let deposits = 0; deposits < 5; deposits += 1)
    expect((await invoke(client, 'manage-transactions', deposit)).status).toBe(200)
})

const record = (amount: string) =>
  rawRest('POST', '/transactions?select=amount', {
    as: customer,
    headers: { prefer: 'return=representation' },
    body: JSON.stringify(expenseOf(customer)).replace('12.5', amount),
  })

test.each(stored)('the amount %s is stored as %d', async (amount, value) => {
  const { status, body } = await record(amount)

  expect(body).toEqual([{ amount: value }])
  expect(status).toBe(201)
})

test.each(refusedAmounts)('the amount %s is refused with %s', async (amount, code) => {
  const { status, body } = await record(amount)

  expect(status).toBe(400)
  expect(body).toMatchObject({ code, hint: null })
})

test('stored amounts add up to the balance, and refused amounts have no effect', async () => {
  const { data } = await customer.client.from('budgets').select('balance').single()

  const hundredths = stored.reduce((sum, [, value]) => sum + BigInt(Math.round(value * 100)), 0n)
  expect(BigInt(Math.round((data as { balance: number }).balance * 100))).toBe(
    depositedHundredths - hundredths,
  )
  expect(await countTransactions(customer)).toBe(5 + stored.length)
})

test('a customer cannot record an expense that would lower the balance below the minimum', async () => {
  const spender = await signUpCustomer()
  const spend = (amount: number) =>
    spender.client.from('transactions').insert(expenseOf(spender, { amount: String(amount) }))
  await spend(999_999_999_999.99)

  const { error, status } = await spend(0.02)

  expect(status).toBe(400)
  expect(error).toMatchObject({
    code: 'FZ402',
    message: 'Tus gastos no pueden dejar el saldo por debajo de un billón negativo.',
  })
})

test.each([
  [{ description: ' ' }, '23514', 'Escribe una descripción de 200 caracteres como máximo.'],
  [{ description: 'a\u0000b' }, '22P05', 'unsupported Unicode escape sequence'],
  [{ category: 'x'.repeat(51) }, '23514', 'La categoría no es válida.'],
  [{ date: 'ayer' }, '22007', 'invalid input syntax for type timestamp with time zone: "ayer"'],
])('an expense with %o is refused with %s and a message', async (change, code, message) => {
  const { error, status } = await customer.client.from('transactions').insert(expenseOf(customer, change))

  expect([status, error]).toMatchObject([400, { code, message }])
})
