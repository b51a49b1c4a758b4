import { beforeAll, expect, test } from 'vitest'
import { type Person, administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { invoke } from './invoke.ts'

let office: Person['client']
let ana: Person

beforeAll(async () => {
  office = (await administrator()).client
  ana = await signUpCustomer()
})

const transaction = (change: object = {}) => ({
  action: 'create',
  transactionData: {
    user_id: ana.id,
    amount: 1250000.5,
    description: 'Nómina de noviembre',
    type: 'deposit',
    date: new Date().toISOString(),
    category: 'Deposito',
    ...change,
  },
})
const listOf = async (person: Person) => (await person.client.from('transactions').select('*')).data ?? []
const balanceOf = async (person: Person) =>
  (await person.client.from('budgets').select('balance').eq('user_id', person.id).single()).data?.balance

test('an administrator registers a deposit: the customer has it, recorded by the bank', async () => {
  const customer = await signUpCustomer()

  const answer = await invoke(office, 'manage-transactions', transaction({ user_id: customer.id }))

  expect(answer.status).toBe(200)
  expect(await listOf(customer)).toEqual([
    expect.objectContaining({
      id: answer.body['id'],
      type: 'deposit',
      amount: 1250000.5,
      description: 'Nómina de noviembre',
      category: 'Deposito',
      recorded_by: 'bank',
    }),
  ])
  expect(await balanceOf(customer)).toBe(1250000.5)
})

test('an expense that an administrator registers takes from the balance, below zero too', async () => {
  const customer = await signUpCustomer()

  await invoke(
    office,
    'manage-transactions',
    transaction({ user_id: customer.id, type: 'expense', amount: 30.1 }),
  )

  expect(await balanceOf(customer)).toBe(-30.1)
})

test('a customer is refused, and nothing moves', async () => {
  const answer = await invoke(ana.client, 'manage-transactions', transaction())

  expect(answer).toEqual({ status: 403, body: { error: 'Solo un administrador puede hacer esto.' } })
  expect(await listOf(ana)).toEqual([])
})

test('the public key alone is refused', async () => {
  const answer = await invoke(newClient(), 'manage-transactions', transaction())

  expect(answer).toEqual({ status: 401, body: { error: 'Inicia sesión para continuar.' } })
})

test('an administrator who signed out is refused at once', async () => {
  const { client } = await administrator()
  const { data } = await client.auth.getSession()
  // Only this sign-in: the other tests share the administrator.
  await client.auth.signOut({ scope: 'local' })
  const ghost = newClient()
  ghost.functions.setAuth(data.session?.access_token ?? '')

  const answer = await invoke(ghost, 'manage-transactions', transaction())

  expect(answer).toEqual({ status: 401, body: { error: 'Tu sesión terminó. Vuelve a iniciar sesión.' } })
})

// JavaScript reads each of these as a number with two decimals at most.
test.each(['10.000000000000000001', '0.0099999999999999999999', '100.00999999999999999e0'])(
  'an amount of %s is refused, not rounded to one that is near',
  async (amount) => {
    const customer = await signUpCustomer()
    const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

    const answer = await invoke(
      office,
      'manage-transactions',
      transaction({ user_id: customer.id, amount: rawJSON(amount) }),
    )

    expect(answer.status).toBe(400)
    expect(await listOf(customer)).toEqual([])
  },
)

test.each([
  ['0', 'El monto debe ser mayor que cero, con dos decimales como máximo.'],
  [-1, 'El monto debe ser mayor que cero, con dos decimales como máximo.'],
  ['NaN', 'El monto debe ser mayor que cero, con dos decimales como máximo.'],
  [0.005, 'El monto debe ser mayor que cero, con dos decimales como máximo.'],
  [1e12, 'El monto debe ser mayor que cero, con dos decimales como máximo.'],
])('an amount of %j is refused in a sentence, and nothing moves', async (amount, sentence) => {
  const answer = await invoke(office, 'manage-transactions', transaction({ amount }))

  expect(answer).toEqual({ status: 400, body: { error: sentence } })
  expect(await listOf(ana)).toEqual([])
})

test('a user who does not exist is named as the trouble', async () => {
  const answer = await invoke(office, 'manage-transactions', transaction({ user_id: crypto.randomUUID() }))

  expect(answer).toEqual({ status: 404, body: { error: 'El usuario no existe.' } })
})

test('a date that can only be a mistake is refused', async () => {
  const answer = await invoke(office, 'manage-transactions', transaction({ date: '1999-12-31T00:00:00Z' }))

  expect(answer).toEqual({
    status: 400,
    body: { error: 'La fecha debe estar entre hace diez años y mañana.' },
  })
})

test('a balance beyond what numbers can show exactly is refused', async () => {
  const customer = await signUpCustomer()
  const most = transaction({ user_id: customer.id, amount: '999999999999.99' })
  const answers = []
  for (let deposits = 0; deposits < 91; deposits += 1)
    answers.push(await invoke(office, 'manage-transactions', most))

  expect(answers.at(-1)).toEqual({
    status: 400,
    body: { error: 'El saldo quedaría fuera de lo que el banco puede registrar.' },
  })
  expect(answers.slice(0, -1).every(({ status }) => status === 200)).toBe(true)
})
