import { describe, expect, test } from 'vitest'
import { type FunctionName, answerCall } from './call.ts'
import { FunctionError, errorOfDatabase, notSignedIn } from './errors.ts'
import type { Denied, FunctionRuntime } from './runtime.ts'

const id = '6f1de5a0-3f0e-4b68-8d3a-2d1c1b0a9f8e'
const deposit = (amount: unknown = '10') => ({
  action: 'create',
  transactionData: { user_id: id, amount, description: 'Nómina', type: 'deposit' },
})

test.each(['10.000000000000000001', '0.0099999999999999999999', '100.00999999999999999e0'])(
  'an amount of %s is refused, not rounded to one that is near',
  async (amount) => {
    // JavaScript reads each as a number with two decimals at most.
    const body = JSON.stringify(deposit('AMOUNT')).replace('"AMOUNT"', amount)
    const { answer, recorded } = await call('manage-transactions', body)

    expect([answer.status, recorded]).toEqual([400, []])
  },
)

test('a body that is not JSON is refused', async () => {
  const { answer } = await call('manage-users', '{"action":')

  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ error: 'El cuerpo no es JSON.' })
})

test('an account is erased with its password only', async () => {
  const erase = async (body: object) => (await call('delete-account', body)).answer.status

  expect(await erase({ password: 'correcta' })).toBe(200)
  expect(await erase({ password: 'otra' })).toBe(403)
  expect(await erase({})).toBe(400)
  expect(await erase({ password: '' })).toBe(400)
  expect(await erase({ password: 'correcta', userId: id })).toBe(400)
  expect(await erase({ password: 12345678 })).toBe(400)
  expect(await erase({ password: 'x'.repeat(500) })).toBe(400)
})

describe('an idempotency key', () => {
  const withKey = (key: string) => call('manage-transactions', deposit(), {}, key)

  test.each(['', 'a b', 'a'.repeat(256), 'clave-número'])('%j is refused', async (key) => {
    const { answer, recorded } = await withKey(key)

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: 'La clave de idempotencia no es válida.' })
    expect(recorded).toEqual([])
  })

  test('of 255 visible characters is taken', async () => {
    expect((await withKey('~'.repeat(255))).answer.status).toBe(200)
  })

  test('that was used is answered as it was the first time', async () => {
    const detail = JSON.stringify({ status: 200, response: '{"id":"before"}' })
    const { answer } = await call('manage-transactions', deposit(), failing('FZ208', detail))

    expect([answer.status, await answer.text()]).toEqual([200, '{"id":"before"}'])
  })

  test('whose first call is in progress is answered 409', async () => {
    expect((await call('manage-transactions', deposit(), failing('55P03'))).answer.status).toBe(409)
  })
})

describe('what an admitted caller may not do is logged', () => {
  test('with the action, the user concerned and the code', async () => {
    const { answer, denied } = await call('manage-transactions', deposit(), failing('42501'))

    expect(answer.status).toBe(403)
    expect(denied).toEqual([{ action: 'register_transaction', target: id, code: '42501' }])
  })

  test('but not a body that cannot be read, an outage, or a caller who is not admitted', async () => {
    const malformed = await call('manage-users', {})
    const outage = await call('manage-transactions', deposit(), {
      recordTransaction: () => Promise.reject(new FunctionError(503, 'x')),
    })
    const anonymous = await call('manage-users', {}, { admit: () => Promise.reject(notSignedIn()) })

    expect([malformed, outage, anonymous].map(({ answer }) => answer.status)).toEqual([400, 503, 401])
    expect([malformed, outage, anonymous].flatMap(({ denied }) => denied)).toEqual([])
  })
})

test('a refusal for want of a proof carries the code by which the page asks for the password', async () => {
  const refused = { ...failing('42501'), databaseErrorOf: () => refusalWith('reauthentication_needed') }
  const { answer } = await call('manage-transactions', deposit(), refused)

  expect([answer.status, await answer.json()]).toEqual([
    403,
    { error: 'No.', code: 'reauthentication_needed' },
  ])
})

const refusalWith = (hint: string) => ({
  sqlState: '42501',
  message: 'No.',
  detail: null,
  hint,
  constraint: null,
})

test.each(['22008', '22003', '22P02', '22P05'])('a value that no column takes (%s) is no bug', (sqlState) => {
  const error = errorOfDatabase(
    { sqlState, message: 'as PostgreSQL says it', detail: null, hint: null, constraint: null },
    null,
  )

  expect(error).toMatchObject({ status: 400, message: 'Un dato de la solicitud no es válido.' })
})

/** A runtime whose database fails with this state. */
function failing(sqlState: string, detail: string | null = null): Partial<FunctionRuntime> {
  return {
    recordTransaction: () => Promise.reject(new Error('the database')),
    databaseErrorOf: (error) =>
      error instanceof FunctionError
        ? null
        : { sqlState, message: 'No.', detail, hint: null, constraint: null },
  }
}

async function call(
  name: FunctionName,
  body: object | string,
  runtime: Partial<FunctionRuntime> = {},
  idempotencyKey: string | null = null,
): Promise<{ answer: Response; recorded: unknown[]; denied: Denied[] }> {
  const recorded: unknown[] = []
  const denied: Denied[] = []
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const answer = await answerCall(
    name,
    { idempotencyKey, body: bytes },
    {
      admit: () => Promise.resolve(),
      fingerprint: () => '11'.repeat(32),
      recordTransaction(transaction) {
        recorded.push(transaction)
        return Promise.resolve(id)
      },
      correctTransaction(correction) {
        recorded.push(correction)
        return Promise.resolve(id)
      },
      createUser: () => Promise.resolve(id),
      deleteUser: () => Promise.resolve(),
      changeAccess: () => Promise.resolve(),
      isOwnPassword: (password) => Promise.resolve(password === 'correcta'),
      eraseOwnAccount: () => Promise.resolve(),
      databaseErrorOf: () => null,
      errorOf: () => null,
      logDenied: (each) => denied.push(each),
      ...runtime,
    },
  )
  return { answer, recorded, denied }
}
