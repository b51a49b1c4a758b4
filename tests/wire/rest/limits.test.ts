// Nothing unbounded: each limit of security.md IN-03 at its edge and one past it, and the rows that one write may touch.
import type { Database } from '@finanzas/contract/database-types.ts'
import { restWriteRowsMax } from '@finanzas/contract/limits.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
})

const repeated = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator)
const urlOf = (bytes: number) => {
  const start = '/transactions?description=eq.'
  return start + 'x'.repeat(bytes - `/rest/v1${start}`.length)
}
const embeds = (depth: number): string => (depth === 0 ? 'id' : `user_safe(profiles(${embeds(depth - 1)}))`)

test.each([
  ['filters', 30, (n: number) => `/transactions?${repeated(n, 'amount=gt.0', '&')}`, 400],
  ['filters in a tree', 30, (n: number) => `/transactions?or=(${repeated(n, 'amount.gt.0')})`, 400],
  ['values of a list', 100, (n: number) => `/transactions?amount=in.(${repeated(n, '1')})`, 400],
  ['order terms', 5, (n: number) => `/transactions?order=${repeated(n, 'id')}`, 400],
  ['entries of a select list', 50, (n: number) => `/transactions?select=${repeated(n, 'amount->a')}`, 400],
  ['times of one column in a list', 4, (n: number) => `/transactions?select=${repeated(n, 'id')}`, 400],
  [
    'levels of a tree',
    10,
    (n: number) => `/transactions?or=${'(and'.repeat(n - 1)}(id.is.null)${')'.repeat(n - 1)}`,
    400,
  ],
  ['steps into JSON', 20, (n: number) => `/transactions?select=amount${'->a'.repeat(n)}`, 400],
  ['bytes of a URL', 8192, urlOf, 414],
])('%s: %i are read, one more is refused', async (_name, max, path, status) => {
  expect((await rawRest('GET', path(max), { as: customer })).status).toBe(200)
  expect((await rawRest('GET', path(max + 1), { as: customer })).status).toBe(status)
})

test('two embedded tables are read, at any depth, and a third is refused', async () => {
  const two = await rawRest('GET', `/profiles?select=${embeds(1)}`, { as: customer })
  const three = await rawRest('GET', `/profiles?select=${embeds(1)},again:user_safe(id)`, { as: customer })

  // A customer may not read profiles, which is what the database says once it is asked.
  expect([two.status, two.body]).toMatchObject([403, { code: '42501' }])
  expect([three.status, three.body]).toMatchObject([400, { code: 'PGRST100' }])
})

test('a body of 64 KiB is read, one byte more is refused', async () => {
  const body = JSON.stringify(expenseOf(customer))
  const send = (bytes: number) =>
    rawRest('POST', '/transactions', {
      as: customer,
      body: body.padEnd(bytes - Buffer.byteLength(body) + body.length),
    })

  expect((await send(65_536)).status).toBe(201)
  expect(await send(65_537)).toMatchObject({
    status: 413,
    body: { code: 'PGRST102', details: null, hint: null, message: 'The body is longer than 65536 bytes' },
  })
})

test('20 levels of JSON and 200 keys are read, one more is refused', async () => {
  const nested = (levels: number) => `{"description":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))
  const codeOf = async (body: string) =>
    ((await rawRest('POST', '/transactions', { as: customer, body })).body as { code: string }).code

  // What is read goes on to the columns, or to the policy.
  expect(await codeOf(nested(20))).not.toBe('PGRST102')
  expect(await codeOf(nested(21))).toBe('PGRST102')
  expect(await codeOf(keys(200))).toBe('PGRST204')
  expect(await codeOf(keys(201))).toBe('PGRST102')
})

test('headers of 16 KiB are too many', async () => {
  const answer = (bytes: number) =>
    rawRest('GET', '/transactions', { as: customer, headers: { 'x-client-info': 'x'.repeat(bytes) } })

  expect((await answer(8192)).status).toBe(200)
  expect((await answer(16_384)).status).toBe(431)
})

const tooManyRows = (details: string) => ({
  code: 'PGRST124',
  details,
  hint: null,
  message: 'One write may touch at most 500 rows',
})

test('a deletion of 501 rows deletes none, one of 500 deletes them all', async () => {
  const payer = await signUpCustomer()
  const many = Array.from({ length: 250 }, () => ({ amount: 1 }))
  await recordExpenses(payer, many)
  await recordExpenses(payer, many)
  const [extra] = await recordExpenses(payer, [{ amount: 1 }])
  const balance = async () => (await payer.client.from('budgets').select('balance').single()).data?.balance
  const remove = (prefer: string, filter = '') =>
    rawRest('DELETE', `/transactions?user_id=eq.${payer.id}${filter}`, { as: payer, headers: { prefer } })

  for (const prefer of ['', 'return=representation', 'count=exact']) {
    const { status, body } = await remove(prefer)
    expect({ status, body }).toEqual({ status: 400, body: tooManyRows('The write touches 501 rows') })
  }
  expect(await countTransactions(payer)).toBe(501)
  expect(await balance()).toBe(-501)

  expect((await remove('', `&id=neq.${extra?.id}`)).status).toBe(204)
  expect(await countTransactions(payer)).toBe(1)
  expect(await balance()).toBe(-1)
})

test('a body of 501 rows is refused before the database sees it', async () => {
  const { status, body } = await rawRest('POST', '/transactions', {
    as: customer,
    // The database would find more to say about such rows.
    body: Array.from({ length: restWriteRowsMax + 1 }, () => ({ amount: 0 })),
  })

  expect(status).toBe(400)
  expect(body).toEqual(tooManyRows('The body has 501 rows'))
})

test('a deletion of more rows than the client allows deletes none, one of as many deletes them', async () => {
  const payer = await signUpCustomer()
  await recordExpenses(payer, [{ amount: 1 }, { amount: 2 }, { amount: 3 }])
  // The client's types know the preference where they know the server's version.
  const client = payer.client as unknown as SupabaseClient<Database>
  const remove = (max: number) => client.from('transactions').delete().gt('amount', 0).maxAffected(max)

  const { status, error } = await remove(2)
  expect({ status, error }).toEqual({
    status: 400,
    error: expect.objectContaining({
      code: 'PGRST124',
      message: 'Query result exceeds max-affected preference constraint',
      details: 'The query affects 3 rows',
    }),
  })
  expect(await countTransactions(payer)).toBe(3)

  expect((await remove(3)).status).toBe(204)
  expect(await countTransactions(payer)).toBe(0)
})

test('max-affected is obeyed in an update, and only under strict handling', async () => {
  const payer = await signUpCustomer()
  await recordExpenses(payer, [{ amount: 1 }, { amount: 2 }])
  const update = (limit: number, prefer: string) =>
    rawRest('PATCH', '/budgets?balance=lt.0', {
      as: payer,
      body: { monthly_limit: limit },
      headers: { prefer },
    })

  const obeyed = await update(5, 'handling=strict,max-affected=1')
  const undone = await update(6, 'handling=strict,max-affected=0')
  expect(obeyed.headers.get('preference-applied')).toBe('handling=strict, max-affected=1')
  expect(undone.body).toMatchObject({ code: 'PGRST124', details: 'The query affects 1 rows' })
  expect((await payer.client.from('budgets').select('monthly_limit')).data).toEqual([{ monthly_limit: 5 }])

  const lenient = await rawRest('DELETE', '/transactions?amount=gt.0', {
    as: payer,
    headers: { prefer: 'max-affected=1' },
  })
  expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([204, null])
})

test('DELETE without a filter answers 400 with code 21000 and deletes nothing', async () => {
  const payer = await signUpCustomer()
  await recordExpenses(payer)

  for (const path of ['/transactions', '/transactions?select=id', '/transactions?order=id']) {
    const { status, body } = await rawRest('DELETE', path, { as: payer })
    expect(status).toBe(400)
    expect(body).toEqual({
      code: '21000',
      details: null,
      hint: null,
      message: 'DELETE requires a WHERE clause',
    })
  }
  expect(await countTransactions(payer)).toBe(1)
})

test('PATCH without a filter answers 400 with code 21000', async () => {
  const { status, body } = await rawRest('PATCH', '/profiles', {
    as: await administrator(),
    body: { role: 'user' },
  })

  expect(status).toBe(400)
  expect(body).toMatchObject({ code: '21000', message: 'UPDATE requires a WHERE clause' })
})
