// The formats of answers that contain rows: numbers, times and single objects. server/rest/sql/statement.test.ts and
// tests/database/table-api-csv.test.ts test CSV.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

const asObject = { accept: 'application/vnd.pgrst.object+json' }

test('amounts keep all their digits, and times are in UTC with fractions of a second', async () => {
  const customer = await signUpCustomer()
  const description = `<b onclick="x()">Café & 'pan' 😀</b> \\ "`
  const expense = expenseOf(customer, { date: '2026-01-01T00:00:00.25-05:00', description, category: null })

  const { text, body } = await rawRest('POST', '/transactions', {
    as: customer,
    headers: { prefer: 'return=representation' },
    body: JSON.stringify(expense).replace('12.5', '999999999999.90'),
  })

  expect(text).toContain('"amount":999999999999.90')
  expect(body).toMatchObject([
    { amount: 999_999_999_999.9, date: '2026-01-01T05:00:00.25+00:00', description, category: null },
  ])
})

test('times are read and written in the time zone that the client prefers', async () => {
  const customer = await signUpCustomer()
  const prefer = 'return=representation, handling=strict, timezone=America/Bogota'
  const body = expenseOf(customer, { date: '2026-01-01T00:00:00' })
  const written = await rawRest('POST', '/transactions?select=date', {
    as: customer,
    body,
    headers: { prefer },
  })
  const read = (headers: Record<string, string>) =>
    rawRest('GET', '/transactions?select=date', { as: customer, headers })
  const inBogota = await read({ prefer: 'timezone=America/Bogota' })

  expect(written.body).toEqual([{ date: '2026-01-01T00:00:00-05:00' }])
  expect(inBogota.body).toEqual(written.body)
  expect(inBogota.headers.get('preference-applied')).toBe('timezone=America/Bogota')
  expect((await read({})).body).toEqual([{ date: '2026-01-01T05:00:00+00:00' }])
})

test('a request for one object gets 406 PGRST116 if no row matches', async () => {
  const customer = await signUpCustomer()

  const { status, headers, body } = await rawRest('GET', '/transactions', { as: customer, headers: asObject })

  expect(status).toBe(406)
  expect(headers.get('proxy-status')).toBe('PostgREST; error=PGRST116')
  expect(body).toEqual({
    code: 'PGRST116',
    details: 'The result contains 0 rows',
    hint: null,
    message: 'Cannot coerce the result to a single JSON object',
  })
  const one = await rawRest('GET', '/budgets?select=balance', { as: customer, headers: asObject })
  expect([one.status, one.body]).toEqual([200, { balance: 0 }])
  expect(one.headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8')
})

test('a write that requests one object but changes several rows is rolled back', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [{}, {}])
  const write = (method: string, path: string, body?: object) =>
    rawRest(method, path, { as: customer, headers: asObject, body })

  for (const { status, body } of [
    await write('DELETE', `/transactions?user_id=eq.${customer.id}`),
    await write('POST', '/transactions', [expenseOf(customer), expenseOf(customer)]),
  ]) {
    expect(status).toBe(406)
    expect(body).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' })
  }
  expect(await countTransactions(customer)).toBe(2)
})
