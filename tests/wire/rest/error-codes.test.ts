// Every code of wire-contract §2.3 that a request can reach: the same through the client and without it.
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, expect, inject, test } from 'vitest'
import { newClient, signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
let expense: { id: string }
beforeAll(async () => {
  customer = await signUpCustomer()
  const [recorded] = await recordExpenses(customer)
  if (recorded === undefined) throw new Error('The expense was not recorded.')
  expense = recorded
})

type Answer = { status: number; error: { code: string } | null }
type Call = [status: number, code: string, call: (client: SupabaseClient) => PromiseLike<Answer>]

const transactions = (client: SupabaseClient) => client.from('transactions')
const expenseAgain = () => ({
  user_id: customer.id,
  id: expense.id,
  type: 'expense',
  description: 'x',
  amount: 1,
})

test.each<Call>([
  [400, 'PGRST100', (client) => transactions(client).select('id,,amount')],
  [400, 'PGRST100', (client) => transactions(client).select().or('amount.near.5')],
  [405, 'PGRST101', (client) => client.rpc('delete_user', { user_id: 'x' }, { get: true })],
  [416, 'PGRST103', (client) => transactions(client).select('*', { count: 'exact' }).range(50, 60)],
  [406, 'PGRST106', (client) => client.schema('auth').from('users').select()],
  [406, 'PGRST107', (client) => transactions(client).select().geojson()],
  [400, 'PGRST108', (client) => transactions(client).select().eq('budgets.balance', 1)],
  [406, 'PGRST116', (client) => transactions(client).select().eq('amount', -1).single()],
  [400, 'PGRST108', (client) => client.from('profiles').select('id').order('user_safe(email)')],
  [400, 'PGRST123', (client) => transactions(client).select('amount.sum()')],
  [400, 'PGRST127', (client) => transactions(client).select().filter('description', 'match', 'a')],
  [400, 'PGRST200', (client) => transactions(client).select('id,budgets(balance)')],
  [404, 'PGRST202', (client) => client.rpc('nothing')],
  [400, 'PGRST204', (client) => transactions(client).insert({ colour: 'red' })],
  [404, 'PGRST205', (client) => client.from('movements').select()],
  [400, '21000', (client) => transactions(client).delete()],
  [400, '22P02', (client) => transactions(client).select().eq('id', 'five')],
  [400, '23502', (client) => transactions(client).insert({ ...expenseAgain(), amount: null })],
  [409, '23505', (client) => transactions(client).insert(expenseAgain())],
  [400, '23514', (client) => transactions(client).insert({ ...expenseAgain(), amount: -1 })],
  [400, '42703', (client) => transactions(client).select('colour')],
  [400, '42704', (client) => transactions(client).select('amount::regclass')],
  [404, '42883', (client) => transactions(client).select().like('amount', '5%')],
  [400, '42P10', (client) => transactions(client).upsert(expenseAgain(), { onConflict: 'amount' })],
  [403, '42501', (client) => client.from('budgets').insert({ balance: 5 })],
  [403, '42501', (client) => transactions(client).insert({ ...expenseAgain(), user_id: expense.id })],
])('the client is answered %i %s', async (status, code, call) => {
  const answer = await call(customer.client)

  expect({ status: answer.status, code: answer.error?.code }).toEqual({ status, code })
})

test('somebody who is not signed in is asked to sign in where a customer would be refused', async () => {
  const { status, error } = await newClient().from('budgets').select()

  expect([status, error?.code]).toEqual([401, '42501'])
})

type Raw = [
  status: number,
  code: string,
  method: string,
  path: string,
  more?: { body?: unknown; headers?: Record<string, string> },
]

test.each<Raw>([
  [400, 'PGRST100', 'GET', '/transactions?limit=x'],
  // Every column seven times over: more keys than one object is made of.
  [400, 'PGRST100', 'GET', '/transactions?select=*,*,*,*,*,*,*'],
  [414, 'PGRST100', 'GET', `/transactions?id=eq.${'x'.repeat(8192)}`],
  [405, 'PGRST101', 'PUT', '/rpc/delete_user', { body: {} }],
  [400, 'PGRST102', 'POST', '/transactions', { body: '{' }],
  [400, 'PGRST102', 'POST', '/transactions', { body: '[{"a":1},{"b":1}]' }],
  [400, 'PGRST102', 'POST', '/transactions', { body: 'a=1', headers: { 'content-type': 'text/plain' } }],
  [413, 'PGRST102', 'POST', '/transactions', { body: ' '.repeat(70_000) }],
  [416, 'PGRST103', 'GET', '/transactions?limit=-1'],
  [406, 'PGRST106', 'GET', '/users', { headers: { 'accept-profile': 'auth' } }],
  [406, 'PGRST107', 'GET', '/transactions', { headers: { accept: 'application/vnd.pgrst.plan' } }],
  [405, 'PGRST117', 'PUT', '/transactions', { body: {} }],
  [400, 'PGRST120', 'GET', '/profiles?select=id,user_safe(id)&user_safe=eq.1'],
  [400, 'PGRST122', 'GET', '/transactions', { headers: { prefer: 'handling=strict, colour=red' } }],
  [404, 'PGRST125', 'GET', '/a/b'],
  [404, 'PGRST126', 'GET', '/'],
  [
    400,
    'PGRST128',
    'POST',
    '/rpc/delete_user',
    { body: { user_id: 'x' }, headers: { prefer: 'handling=strict, max-affected=1' } },
  ],
  [401, 'PGRST301', 'GET', '/budgets', { headers: { authorization: 'Bearer x.y.z' } }],
])('%i %s answers %s %s', async (status, code, method, path, more) => {
  const answer = await rawRest(method, path, { as: customer, ...more })

  expect(answer.status).toBe(status)
  expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  expect(Object.keys(answer.body as object)).toEqual(['code', 'details', 'hint', 'message'])
  expect(answer.body).toMatchObject({ code })
  expect(answer.headers.get('www-authenticate') === null).toBe(status !== 401)
})

test('no refusal tells of the server: its SQL, its files or its version', async () => {
  const { url } = inject('server')
  const paths = ['?select=id,,', '?id=eq.five', '?colour=eq.1', '?order=date.up', '?select=x(y)']

  for (const path of paths) {
    const { text } = await rawRest('GET', `/transactions${path}`, { as: customer })
    expect(text).not.toMatch(/select .* from|json_agg|\.ts|node_modules|PostgreSQL \d/i)
    expect(text).not.toContain(url)
  }
})
