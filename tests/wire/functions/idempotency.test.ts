// `Idempotency-Key`: a call that is sent twice takes effect once. Seen red with: the header ignored; createUser
// without its claim; the key claimed in a database transaction of its own, before that of the effect.
import { request } from 'node:http'
import type { Session } from '@supabase/supabase-js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Person, administrator, newClient, newEmail, signUpCustomer } from '#tests/wire/people.ts'
import { invoke } from './invoke.ts'

const { url, anonKey } = inject('server')
let office: Person & { session: Session }

beforeAll(async () => {
  office = await administrator()
})

const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const depositFor = (customer: Person, amount = '10') => ({
  action: 'create',
  transactionData: { user_id: customer.id, amount, description: 'Nómina', type: 'deposit' },
})
const newUser = (email = newEmail()) => ({
  action: 'create',
  email,
  password: 'una clave larga',
  user_metadata: { full_name: 'Inés Mora' },
})
const register = (body: object, headers: Record<string, string> = {}, client = office.client) =>
  invoke(client, 'manage-transactions', body, headers)
const manage = (body: object, headers: Record<string, string> = {}) =>
  invoke(office.client, 'manage-users', body, headers)
const idsOf = async ({ client }: Person) =>
  ((await client.from('transactions').select('id')).data ?? []).map(({ id }) => String(id))

/** The bytes of an answer, with its status. */
async function raw(name: string, body: object, headers: Record<string, string>) {
  const answer = await fetch(`${url}/functions/v1/${name}`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${office.session.access_token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

// Not tried again: a second transaction is a finding, though the next try make one only.
describe('the same call again is answered the same, byte for byte', { retry: 0 }, () => {
  test('a registered transaction: there is one', async () => {
    const customer = await signUpCustomer()
    const key = newKey()

    const first = await raw('manage-transactions', depositFor(customer), key)
    const second = await raw('manage-transactions', depositFor(customer), key)

    expect(first).toMatchObject({ status: 200, type: 'application/json' })
    expect(second).toEqual(first)
    expect(await idsOf(customer)).toEqual([JSON.parse(first.text).id])
  })

  test('a created user: there is one, not an address that is taken', async () => {
    const [user, key] = [newUser(), newKey()]

    const first = await raw('manage-users', user, key)
    const second = await raw('manage-users', user, key)

    expect(first.status).toBe(200)
    expect(second).toEqual(first)
    expect((await newClient().auth.signInWithPassword(user)).data.user?.id).toBe(JSON.parse(first.text).id)
  })

  test('a deleted user: the second time is no 404', async () => {
    const customer = await signUpCustomer()
    const [body, key] = [{ action: 'delete', userId: customer.id.toUpperCase() }, newKey()]

    const first = await raw('manage-users', body, key)

    expect(first).toMatchObject({ status: 200, text: JSON.stringify({ id: customer.id }) })
    expect(await raw('manage-users', body, key)).toEqual(first)
    expect((await manage(body)).status).toBe(404)
  })

  test('100 times at once: one transaction, one answer', async () => {
    const customer = await signUpCustomer()
    const key = newKey()

    const answers = await Promise.all(
      Array.from({ length: 100 }, () => raw('manage-transactions', depositFor(customer), key)),
    )

    const [id, ...more] = await idsOf(customer)
    expect(more).toEqual([])
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`200 {"id":"${id}"}`]),
    )
  })

  test('20 times at once, while passwords are hashed: one user, one answer', async () => {
    const [user, key] = [newUser(), newKey()]

    const answers = await Promise.all(Array.from({ length: 20 }, () => raw('manage-users', user, key)))

    const { data } = await newClient().auth.signInWithPassword(user)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`200 {"id":"${data.user?.id}"}`]),
    )
  })

  test('when the first answer was cut off on its way', async () => {
    const customer = await signUpCustomer()
    const key = newKey()
    await sendAndHangUp(depositFor(customer), key)
    await expect.poll(() => idsOf(customer)).toHaveLength(1)

    const again = await register(depositFor(customer), key)

    expect([again.body['id']]).toEqual(await idsOf(customer))
  })

  /** Sends the whole request, and is gone before the answer. */
  function sendAndHangUp(body: object, headers: Record<string, string>): Promise<void> {
    return new Promise((resolve, reject) => {
      const sending = request(`${url}/functions/v1/manage-transactions`, {
        method: 'POST',
        headers: { apikey: anonKey, authorization: `Bearer ${office.session.access_token}`, ...headers },
      })
      sending.on('error', reject)
      sending.end(JSON.stringify(body), () => {
        sending.off('error', reject).on('error', () => undefined)
        sending.destroy()
        resolve()
      })
    })
  }
})

describe('what is not the same call', () => {
  test('another body under a used key is refused, and nothing happens', async () => {
    const customer = await signUpCustomer()
    const key = newKey()
    await register(depositFor(customer), key)

    expect(await register(depositFor(customer, '11'), key)).toEqual({
      status: 422,
      body: { error: 'Esta clave de idempotencia ya se usó con otra solicitud.' },
    })
    expect(await idsOf(customer)).toHaveLength(1)
  })

  test('the same body under another key, or under none, is another transaction', async () => {
    const customer = await signUpCustomer()

    await register(depositFor(customer), newKey())
    await register(depositFor(customer), newKey())
    await register(depositFor(customer))
    await register(depositFor(customer))

    expect(await idsOf(customer)).toHaveLength(4)
  })

  test('a refusal is not kept: corrected, the call under the same key is done', async () => {
    const customer = await signUpCustomer()
    const key = newKey()

    expect((await register(depositFor(customer, '0.005'), key)).status).toBe(400)
    expect((await register(depositFor({ ...customer, id: crypto.randomUUID() }), key)).status).toBe(404)

    expect((await register(depositFor(customer), key)).status).toBe(200)
    expect(await idsOf(customer)).toHaveLength(1)
  })

  test('a customer with an administrator’s key and body is refused as ever', async () => {
    const customer = await signUpCustomer()
    const key = newKey()
    await register(depositFor(customer), key)

    expect((await register(depositFor(customer), key, customer.client)).status).toBe(403)
    expect((await register(depositFor(customer), key, newClient())).status).toBe(401)
  })

  test('another administrator’s key of the same name is their own', async () => {
    const [customer, colleague] = await Promise.all([signUpCustomer(), signUpCustomer()])
    await office.client.from('profiles').update({ role: 'admin' }).eq('id', colleague.id)
    const key = newKey()

    await register(depositFor(customer), key)
    await register(depositFor(customer), key, colleague.client)

    expect(await idsOf(customer)).toHaveLength(2)
  })

  test.each([[''], ['a b'], ['a'.repeat(256)], ['clave-número']])('the key %j is refused', async (key) => {
    const customer = await signUpCustomer()

    const answer = await raw('manage-transactions', depositFor(customer), { 'idempotency-key': key })

    expect(answer).toMatchObject({ status: 400, text: '{"error":"La clave de idempotencia no es válida."}' })
    expect(await idsOf(customer)).toEqual([])
  })

  test('a key of 255 visible characters is taken', async () => {
    const customer = await signUpCustomer()

    expect((await register(depositFor(customer), { 'Idempotency-Key': '~'.repeat(255) })).status).toBe(200)
  })
})

test('a page of the site may send the header', async () => {
  const preflight = await fetch(`${url}/functions/v1/manage-transactions`, {
    method: 'OPTIONS',
    headers: {
      origin: url,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key')
})
