// Amounts that are no money are refused by the database, and nothing of them stays.
import { beforeAll, expect, test } from 'vitest'
import { type Person, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>> & Person
beforeAll(async () => {
  customer = await signUpCustomer()
})

test.each([
  ['0', '23514'],
  ['-0', '23514'],
  ['-5', '23514'],
  ['0.001', '23514'],
  ['10.005', '23514'],
  ['1000000000000', '23514'],
  ['1e15', '23514'],
  ['"NaN"', '23514'],
  ['"Infinity"', '23514'],
  ['"-Infinity"', '23514'],
  ['""', '22P02'],
  ['"doce"', '22P02'],
  ['"1,5"', '22P02'],
  ['"١٢"', '22P02'],
  ['true', '22P02'],
  ['[]', '22P02'],
  ['{}', '22P02'],
  ['null', '23502'],
  ['NaN', 'PGRST102'],
])('the amount %s is refused with %s', async (amount, code) => {
  const { status, body } = await rawRest('POST', '/transactions', {
    as: customer,
    body: JSON.stringify(expenseOf(customer)).replace('12.5', amount),
  })

  expect(status).toBe(400)
  expect(body).toMatchObject({ code, hint: null })
  expect(await countTransactions(customer)).toBe(0)
})

test('a number too large for any column is refused', async () => {
  const { status } = await rawRest('POST', '/transactions', {
    as: customer,
    body: JSON.stringify(expenseOf(customer)).replace('12.5', '1e400000'),
  })

  expect(status).toBe(400)
  expect(await countTransactions(customer)).toBe(0)
})

test.each(['1e2', '"1e2"', '100.00', '"100"'])('the amount %s is one hundred', async (amount) => {
  const payer = await signUpCustomer()

  const { body } = await rawRest('POST', '/transactions?select=amount', {
    as: payer,
    headers: { prefer: 'return=representation' },
    body: JSON.stringify(expenseOf(payer)).replace('12.5', amount),
  })

  expect(body).toEqual([{ amount: 100 }])
})

test.each([
  ['type', 'loan', '23514'],
  ['description', '', '23514'],
  ['description', 'x'.repeat(201), '23514'],
  ['description', 'a\u202Eb', '23514'],
  ['description', 'a\u0000b', '22P05'],
  ['description', null, '23502'],
  ['category', 'x'.repeat(51), '23514'],
  ['date', 'ayer', '22007'],
  ['date', '2026-13-01', '22008'],
  ['date', '1900-01-01', '23514'],
  ['id', 'no-uuid', '22P02'],
])('the %s %j is refused with %s', async (field, value, code) => {
  const { error, status } = await customer.client
    .from('transactions')
    .insert({ ...expenseOf(customer), [field]: value })

  expect([400, 403]).toContain(status)
  expect(['42501', code]).toContain(error?.code)
  expect(await countTransactions(customer)).toBe(0)
})

test('an expense that would take the balance below the least that own expenses may is refused', async () => {
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
  [{ amount: '0' }, 'El monto debe ser mayor que cero, con dos decimales como máximo.'],
  [{ description: ' ' }, 'Escribe una descripción de 200 caracteres como máximo.'],
  [{ category: 'x'.repeat(51) }, 'La categoría no es válida.'],
])('%o is refused in a sentence', async (change, message) => {
  const { error } = await customer.client.from('transactions').insert(expenseOf(customer, change))

  expect(error).toMatchObject({ code: '23514', message })
})
