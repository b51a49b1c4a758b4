// What is refused names nothing that a request could not name itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { type Library, canHaveLibrary, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

// The embedded engine cannot be given tables of a test's own.
describe.skipIf(!canHaveLibrary)('hidden tables', () => {
  let l: Library
  let customer: Awaited<ReturnType<typeof signUpCustomer>>
  beforeAll(async () => {
    ;[l, customer] = await Promise.all([createLibrary(), signUpCustomer()])
  })
  afterAll(() => removeLibrary(l))

  test('a function that looks into a schema of its own does not tell of it', async () => {
    const { status, text, body } = await rawRest('POST', `/rpc/${l.read_secret}`, { as: customer, body: {} })

    expect(status).toBe(403)
    expect(body).toEqual({ code: '42501', message: 'permission denied', details: null, hint: null })
    expect(text).not.toContain(l.secrets)
  })

  test('a refusal about a table that requests name says which', async () => {
    const { body } = await rawRest('POST', `/${l.reviews}`, { as: customer, body: { id: 1, book: 999 } })

    expect(body).toMatchObject({
      code: '23503',
      details: `Key is not present in table "${l.books}".`,
    })
  })
})

test('a name that is nearly right gets no hint of the right one', async () => {
  const customer = await signUpCustomer()

  for (const path of ['/transaction', '/budget?select=x', '/transactions?select=amoun', '/rpc/delete_use']) {
    const { body } = await rawRest(path.startsWith('/rpc') ? 'POST' : 'GET', path, { as: customer })
    expect(body).toMatchObject({ hint: null })
  }
})

test('a key without the hash of its body is refused in a sentence, and nothing hidden is named or shown', async () => {
  const [office, customer] = await Promise.all([administrator(), signUpCustomer()])
  const posting = {
    user_id: customer.id,
    type: 'deposit',
    amount: '10',
    description: 'Nómina',
    date: new Date().toISOString(),
    category: null,
  }

  for (const body_hash of [null, 'no', 'ab']) {
    const { status, body } = await rawRest('POST', '/rpc/register_transaction', {
      as: office,
      body: { ...posting, idempotency_key: crypto.randomUUID(), body_hash },
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      code: '22023',
      message: 'Una clave de idempotencia va con el SHA-256 del cuerpo: 64 dígitos hexadecimales.',
      details: null,
      hint: null,
    })
  }
})
