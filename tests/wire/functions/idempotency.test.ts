// The header `Idempotency-Key`. tests/database/idempotency.test.ts tests that a call with the same key takes effect
// only once.
import { request } from 'node:http'
import { describe, expect, inject, test } from 'vitest'
import { type Person, administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, newUser } from './invoke.ts'

const { url, anonKey } = inject('server')
const office = await administrator()
const headers = {
  apikey: anonKey,
  authorization: `Bearer ${office.session.access_token}`,
  'content-type': 'application/json',
}

const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const idsOf = async ({ client }: Person) =>
  ((await client.from('transactions').select('id')).data ?? []).map(({ id }) => String(id))

/** Calls a function and returns the status, type and text of its answer. */
async function raw(name: string, body: object, key: Record<string, string>) {
  const answer = await fetch(`${url}/functions/v1/${name}`, {
    method: 'POST',
    headers: { ...headers, ...key },
    body: JSON.stringify(body),
  })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

// These tests are not retried, because a duplicate is a bug even if it does not occur in a second attempt.
describe('a repeated call', { retry: 0 }, () => {
  test('of a deletion gets the first answer instead of 404', async () => {
    const customer = await signUpCustomer()
    const [body, key] = [{ action: 'delete', userId: customer.id.toUpperCase() }, newKey()]

    const first = await raw('manage-users', body, key)

    expect(first).toMatchObject({ status: 200, text: JSON.stringify({ id: customer.id }) })
    expect(await raw('manage-users', body, key)).toEqual(first)
    expect((await raw('manage-users', body, {})).status).toBe(404)
  })

  test('of a creation that was sent 20 times at once creates only one user', async () => {
    const [user, key] = [newUser(), newKey()]

    const answers = await Promise.all(Array.from({ length: 20 }, () => raw('manage-users', user, key)))
    answers.push(await raw('manage-users', user, key))

    const { data } = await newClient().auth.signInWithPassword(user)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`200 {"id":"${data.user?.id}"}`]),
    )
  })

  test('takes effect once even if its first answer was lost', async () => {
    const customer = await signUpCustomer()
    const key = newKey()
    // The server drops a queued call when the connection closes. On a busy machine the server may therefore drop the
    // first calls.
    const sendOnceMore = async () => {
      await sendAndHangUp(depositFor(customer.id), key)
      return idsOf(customer)
    }
    await expect.poll(sendOnceMore).toHaveLength(1)

    const again = await raw('manage-transactions', depositFor(customer.id), key)

    expect([JSON.parse(again.text).id]).toEqual(await idsOf(customer))
  })
})

test('a page of the site can send the header Idempotency-Key', async () => {
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

/** Sends a complete request and closes the connection before the answer arrives. */
function sendAndHangUp(body: object, key: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, ...key } }
    const sending = request(`${url}/functions/v1/manage-transactions`, options)
    sending.on('error', reject)
    sending.end(JSON.stringify(body), () => {
      sending.off('error', reject).on('error', () => undefined)
      sending.destroy()
      resolve()
    })
  })
}
