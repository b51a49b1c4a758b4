// Names and operators that do not exist, each with PostgREST's own code.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
})

test.each([
  ['/movements', 404, 'PGRST205', "Could not find the table 'public.movements' in the schema cache"],
  ['/journal', 404, 'PGRST205', "Could not find the table 'public.journal' in the schema cache"],
  ['/pg_class', 404, 'PGRST205', "Could not find the table 'public.pg_class' in the schema cache"],
  ['/transactions?select=colour', 400, '42703', 'column transactions.colour does not exist'],
  ['/transactions?colour=eq.red', 400, '42703', 'column transactions.colour does not exist'],
  ['/transactions?order=colour', 400, '42703', 'column transactions.colour does not exist'],
  ['/transactions?or=(colour.eq.red)', 400, '42703', 'column transactions.colour does not exist'],
  ['/transactions?amount=near.5', 400, 'PGRST100', '"failed to parse filter (near.5)" (line 1, column 1)'],
  ['/transactions?description=match.(a+)%2B', 400, 'PGRST127', 'Feature not implemented'],
  ['/transactions?order=date.up', 400, 'PGRST100', '"failed to parse order (date.up)" (line 1, column 5)'],
  [
    '/transactions?select=id,,date',
    400,
    'PGRST100',
    expect.stringContaining('failed to parse select parameter'),
  ],
  ['/transactions?limit=five', 400, 'PGRST100', expect.any(String)],
  ['/transactions?amount=like.5*', 404, '42883', 'operator does not exist: numeric ~~ unknown'],
  ['/transactions?id=eq.five', 400, '22P02', 'invalid input syntax for type uuid: "five"'],
  ['/transactions?type=is.true', 400, '42804', 'argument of IS TRUE must be type boolean, not type text'],
  [
    '/transactions?select=id,budgets(balance)',
    400,
    'PGRST200',
    "Could not find a relationship between 'transactions' and 'budgets' in the schema cache",
  ],
  [
    '/transactions?budgets.balance=gt.1',
    400,
    'PGRST108',
    "'budgets' is not an embedded resource in this request",
  ],
  ['/transactions?select=amount.sum()', 400, 'PGRST123', 'Use of aggregate functions is not allowed'],
  ['/transactions?select=amount::regclass', 400, '42704', 'type "regclass" does not exist'],
  ['/profiles?select=...user_safe(email)', 400, 'PGRST127', 'Feature not implemented'],
  ['/a/b', 404, 'PGRST125', 'Invalid path specified in request URL'],
  ['/', 404, 'PGRST126', 'Root endpoint metadata is disabled'],
])('GET %s answers %i %s', async (path, status, code, message) => {
  const answer = await rawRest('GET', path, { as: customer })

  expect(answer.status).toBe(status)
  expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(answer.body as object)).toEqual(['code', 'details', 'hint', 'message'])
  expect(answer.body).toMatchObject({ code, message, hint: code === 'PGRST108' ? expect.any(String) : null })
})

test('other schemas, methods and media types are refused', async () => {
  const attempts = [
    [
      await rawRest('GET', '/users', { as: customer, headers: { 'accept-profile': 'auth' } }),
      406,
      'PGRST106',
    ],
    [await rawRest('PUT', '/transactions', { as: customer, body: {} }), 405, 'PGRST117'],
    [
      await rawRest('GET', '/transactions', {
        as: customer,
        headers: { accept: 'application/vnd.pgrst.plan' },
      }),
      406,
      'PGRST107',
    ],
  ] as const

  for (const [answer, status, code] of attempts) {
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code })
  }
})

test('a URL of more than 8 KiB is refused', async () => {
  const { status } = await rawRest('GET', `/transactions?description=eq.${'x'.repeat(8192)}`, {
    as: customer,
  })

  expect(status).toBe(414)
})
