// Every code in docs/wire.md that a request can cause, and the details that refusals must not reveal. The tests in
// server/rest prove which request gets which code. formats.test.ts covers PGRST116, and keys-and-tokens.test.ts covers
// PGRST301.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { hasOwner } from '#tests/wire/owner-sql.ts'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { type Library, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

const recorded = { id: randomUUID(), type: 'expense', description: 'Almuerzo', amount: 12.5 }
let customer: SignedIn
beforeAll(async () => {
  customer = await signUpCustomer()
  const { error } = await customer.client.from('transactions').insert(recorded)
  if (error !== null) throw error
})

type Raw = [
  status: number,
  code: string,
  message: string,
  request: string,
  more?: { body?: unknown; headers?: Record<string, string> },
]

const posted = (body: unknown, headers: Record<string, string> = {}) => ({ body, headers })
const merge = { prefer: 'resolution=merge-duplicates' }
const strict = { prefer: 'handling=strict, max-affected=1' }

test.each<Raw>([
  [400, 'PGRST100', '"failed to parse filter (near.5)" (line 1', 'GET /transactions?amount=near.5'],
  [405, 'PGRST101', 'Cannot use the PUT method on RPC', 'PUT /rpc/end_sessions', posted({})],
  [400, 'PGRST102', 'All object keys must match', 'POST /transactions', posted('[{"a":1},{"b":1}]')],
  ...['POST', 'PATCH', 'DELETE'].map((method): Raw => [
    400,
    'PGRST102',
    'Content-Type not acceptable: ;;',
    `${method} /transactions?id=eq.x`,
    posted('{}', { 'content-type': ';;' }),
  ]),
  [416, 'PGRST103', 'Requested range not satisfiable', 'GET /transactions?limit=-1'],
  [406, 'PGRST106', 'Invalid schema: auth', 'GET /users', { headers: { 'accept-profile': 'auth' } }],
  [406, 'PGRST107', 'None of these', 'GET /budgets', { headers: { accept: 'application/vnd.pgrst.plan' } }],
  [400, 'PGRST108', "'budgets' is not an embedded resource", 'GET /transactions?budgets.balance=gt.1'],
  [405, 'PGRST117', 'Unsupported HTTP method: PUT', 'PUT /transactions', posted({})],
  [400, 'PGRST120', "Bad operator on the 'user_safe'", 'GET /profiles?select=user_safe(id)&user_safe=eq.1'],
  [400, 'PGRST122', 'Invalid preferences', 'GET /budgets', { headers: { prefer: 'handling=strict, a=b' } }],
  [400, 'PGRST123', 'Use of aggregate functions is not allowed', 'GET /transactions?select=amount.sum()'],
  [404, 'PGRST125', 'Invalid path specified in request URL', 'GET /a/b'],
  [404, 'PGRST126', 'Root endpoint metadata is disabled', 'GET /'],
  [400, 'PGRST127', 'Feature not implemented', 'GET /transactions?description=match.(a+)%2B'],
  [400, 'PGRST128', 'Function must return SETOF', 'POST /rpc/end_sessions', posted({ user_id: 'x' }, strict)],
  [400, 'PGRST200', 'Could not find a relationship', 'GET /transactions?select=id,budgets(balance)'],
  [404, 'PGRST202', 'Could not find the function', 'POST /rpc/is_admin', posted({})],
  [400, 'PGRST204', "Could not find the '__proto__'", 'POST /transactions', posted('{"__proto__":{}}')],
  [404, 'PGRST205', "Could not find the table 'public.pg_class'", 'GET /pg_class'],
  [400, '21000', 'DELETE requires a WHERE clause', 'DELETE /transactions?select=id'],
  [400, '22P02', 'invalid input syntax for type uuid: "five"', 'GET /transactions?id=eq.five'],
  [400, '23502', 'null value in', 'POST /transactions', posted({ ...recorded, amount: null })],
  [409, '23505', 'duplicate key', 'POST /transactions', posted(recorded)],
  [400, '23514', 'El monto debe ser', 'POST /transactions', posted({ ...recorded, amount: -1 })],
  [403, '42501', 'permission denied', 'POST /budgets', posted({ balance: 5 })],
  [400, '42703', 'column transactions.colour does not exist', 'GET /transactions?or=(colour.eq.red)'],
  [400, '42704', 'type "regclass" does not exist', 'GET /transactions?select=amount::regclass'],
  [400, '42804', 'argument of IS TRUE must be type boolean, not type text', 'GET /transactions?type=is.true'],
  [404, '42883', 'operator does not exist: numeric ~~ unknown', 'GET /transactions?amount=like.5*'],
  [400, '42P10', 'there is no unique', 'POST /transactions?on_conflict=amount', posted(recorded, merge)],
])('%i %s with “%s” is the answer to %s', async (status, code, message, request, more) => {
  const [method = '', path = ''] = request.split(' ')

  const answer = await rawRest(method, path, { as: customer, ...more })

  expect(answer.status).toBe(status)
  expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(answer.body as object)).toEqual(['code', 'details', 'hint', 'message'])
  expect(answer.body).toMatchObject({ code, message: expect.stringContaining(message) })
  expect(answer.headers.get('www-authenticate') === null).toBe(status !== 401)
  // Refusals must not reveal the server's SQL, files or version.
  expect(answer.text).not.toMatch(/select .* from|json_agg|\.ts|node_modules|PostgreSQL \d/i)
  expect(answer.text).not.toContain(inject('server').url)
})

test('the refusal of a misspelled name does not suggest the right name', async () => {
  for (const path of [
    '/transaction',
    '/budget?select=x',
    '/transactions?select=amoun',
    '/rpc/end_session_',
  ]) {
    const { body } = await rawRest(path.startsWith('/rpc') ? 'POST' : 'GET', path, { as: customer })
    expect(body).toMatchObject({ hint: null })
  }
})

test('every upload is refused in the same way as an upload to an unknown bucket', async () => {
  const bucket = customer.client.storage.from('fotos')

  const asForm = await bucket.upload('yo.png', new Blob(['x'], { type: 'image/png' }))
  const asBytes = await bucket.upload('yo.png', new Uint8Array([1]), { contentType: 'image/png' })

  expect([asForm.error?.message, asBytes.error?.message]).toEqual(['Bucket not found', 'Bucket not found'])
})

test.each(['GET', 'POST'])('%s /graphql/v1 is refused, because the server has no GraphQL', async (method) => {
  const answer = await fetch(`${inject('server').url}/graphql/v1`, {
    method,
    headers: { accept: 'text/html,*/*', 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{"query":"{ __typename }"}' }),
  })

  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({ errors: [{ message: 'There is no GraphQL here' }] })
})

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('objects with errors', () => {
  let l: Library
  beforeAll(async () => {
    l = await createLibrary()
  })
  afterAll(() => removeLibrary(l))

  test.each([
    [
      'a function that reads a hidden schema',
      403,
      '42501',
      'permission denied',
      () => `rpc/${l.read_secret}`,
    ],
    [
      'a function that reads a missing table',
      404,
      '42P01',
      'Undefined object',
      () => `rpc/${l.read_nothing}`,
    ],
    ['a policy that reads its own table', 500, 'PGRSTX00', 'Internal Server Error', () => l.circles],
  ])(
    '%s is answered with %i %s without the name of the object',
    async (_what, status, code, message, path) => {
      const answer = await rawRest('GET', `/${path()}`, { as: customer })

      expect(answer.status).toBe(status)
      expect(answer.body).toEqual({ code, details: null, hint: null, message })
    },
  )

  test('a refusal can contain the name of a table that the API serves', async () => {
    const { body } = await rawRest('POST', `/${l.reviews}`, { as: customer, body: { id: 1, book: 999 } })

    expect(body).toMatchObject({ code: '23503', details: `Key is not present in table "${l.books}".` })
  })
})
