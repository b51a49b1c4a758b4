import { expect, test } from 'vitest'
import { type Person, administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke } from './invoke.ts'

const office = (await administrator()).client
const ana = await signUpCustomer()

const register = (body: object, client = office) => invoke(client, 'manage-transactions', body)
const listOf = async (person: Person) => (await person.client.from('transactions').select('*')).data ?? []
const balanceOf = async (person: Person) =>
  (await person.client.from('budgets').select('balance').eq('user_id', person.id).single()).data?.balance

test('a customer sees that a deposit registered by an administrator comes from the bank', async () => {
  const customer = await signUpCustomer()

  const answer = await register(
    depositFor(customer.id, { amount: 1250000.5, date: new Date().toISOString(), category: 'Deposito' }),
  )

  expect(answer.status).toBe(200)
  expect(await listOf(customer)).toEqual([
    expect.objectContaining({
      id: answer.body['id'],
      type: 'deposit',
      amount: 1250000.5,
      description: 'Nómina',
      category: 'Deposito',
      recorded_by: 'bank',
    }),
  ])
  expect(await balanceOf(customer)).toBe(1250000.5)
})

test('a customer cannot register a deposit', async () => {
  const answer = await register(depositFor(ana.id), ana.client)

  expect(answer).toEqual({ status: 403, body: { error: 'Solo un administrador puede hacer esto.' } })
  expect(await listOf(ana)).toEqual([])
})

test('a caller with only the public key cannot register a deposit', async () => {
  expect(await register(depositFor(ana.id), newClient())).toEqual({
    status: 401,
    body: { error: 'Inicia sesión para continuar.' },
  })
})

test('an administrator who signed out cannot register a deposit', async () => {
  const { client } = await administrator()
  const { data } = await client.auth.getSession()
  // Ends only this session, because other tests use the same administrator.
  await client.auth.signOut({ scope: 'local' })
  const ghost = newClient()
  ghost.functions.setAuth(data.session?.access_token ?? '')

  expect(await register(depositFor(ana.id), ghost)).toEqual({
    status: 401,
    body: { error: 'Tu sesión terminó. Vuelve a iniciar sesión.' },
  })
})

test.each([
  [
    'by the parser',
    { amount: 0.005 },
    400,
    'El monto debe ser mayor que cero, con dos decimales como máximo.',
  ],
  [
    'by a constraint',
    { date: '1999-12-31T00:00:00Z' },
    400,
    'La fecha debe estar entre hace diez años y mañana.',
  ],
  ['by the database', { user_id: crypto.randomUUID() }, 404, 'El usuario no existe.'],
])('a refusal %s has a sentence and moves no money', async (_by, change, status, error) => {
  expect(await register(depositFor(ana.id, change))).toEqual({ status, body: { error } })
  expect(await listOf(ana)).toEqual([])
})
