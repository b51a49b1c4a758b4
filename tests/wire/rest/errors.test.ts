// The form of refusals, the refusals that need PostgreSQL, and the details that refusals must not reveal. The tests in
// server/rest prove which request gets which code and message.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, inject, test } from 'vitest'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
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

test.each<Raw>([
  [400, 'PGRST100', '"failed to parse filter (near.5)" (line 1', 'GET /transactions?amount=near.5'],
  ...['POST', 'PATCH', 'DELETE'].map((method): Raw => [
    400,
    'PGRST102',
    'Content-Type not acceptable: ;;',
    `${method} /transactions?id=eq.x`,
    posted('{}', { 'content-type': ';;' }),
  ]),
  [404, 'PGRST125', 'Invalid path specified in request URL', 'GET /a/b'],
  [404, 'PGRST202', 'Could not find the function', 'POST /rpc/is_admin', posted({})],
  [404, 'PGRST205', "Could not find the table 'public.pg_class'", 'GET /pg_class'],
  [400, '22P02', 'invalid input syntax for type uuid: "five"', 'GET /transactions?id=eq.five'],
  [400, '23502', 'null value in', 'POST /transactions', posted({ ...recorded, amount: null })],
  [409, '23505', 'duplicate key', 'POST /transactions', posted(recorded)],
  [400, '23514', 'El monto debe ser', 'POST /transactions', posted({ ...recorded, amount: -1 })],
  [403, '42501', 'permission denied', 'POST /budgets', posted({ balance: 5 })],
  [400, '42804', 'argument of IS TRUE must be type boolean, not type text', 'GET /transactions?type=is.true'],
  [404, '42883', 'operator does not exist: numeric ~~ unknown', 'GET /transactions?amount=like.5*'],
  [
    400,
    '42P10',
    'there is no unique',
    'POST /transactions?on_conflict=amount',
    posted(recorded, { prefer: 'resolution=merge-duplicates' }),
  ],
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
