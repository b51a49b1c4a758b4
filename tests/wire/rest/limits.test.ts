// The size of requests is limited (security.md IN-03). This file tests the limits that need a real request, and the
// limit on the number of written rows. The tests in server/rest cover the limits of the grammar and of bodies.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { type SignedIn, administrator, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: SignedIn
beforeAll(async () => {
  customer = await signUpCustomer()
})

test('a request with more than 50 entries in its select list is refused', async () => {
  // PostgreSQL cannot build a JSON object that has more than 50 entries.
  const read = (entries: number) =>
    rawRest('GET', `/transactions?select=${Array(entries).fill('amount->a').join(',')}`, { as: customer })

  expect([(await read(50)).status, (await read(51)).status]).toEqual([200, 400])
})

test('a body larger than 64 KiB is refused', async () => {
  const body = JSON.stringify(expenseOf(customer))
  const send = (bytes: number) =>
    rawRest('POST', '/transactions', {
      as: customer,
      body: body.padEnd(bytes - Buffer.byteLength(body) + body.length),
    })

  expect((await send(65_536)).status).toBe(201)
  expect(await send(65_537)).toMatchObject({
    status: 413,
    body: { code: 'PGRST102', details: null, hint: null, message: 'The body is longer than 65536 bytes' },
  })
})

/** Sends only the headers of an import whose body would have `bytes` bytes. */
function announceImport(bytes: number, as?: SignedIn): ClientRequest {
  const { url, anonKey } = inject('server')
  const request = httpRequest(`${url}/rest/v1/rpc/import_transactions`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${as?.session.access_token ?? anonKey}`,
      'content-type': 'application/json',
      'content-length': String(bytes),
      expect: '100-continue',
    },
  })
  // Ignores the error at the end of the test, when the unfinished request is destroyed.
  request.on('error', () => undefined)
  onTestFinished(() => void request.destroy())
  request.flushHeaders()
  return request
}

/** Returns the status of an answer that arrives before the body is sent. */
async function refusal(request: ClientRequest): Promise<number | undefined> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer.statusCode
}

function sendImport(as: SignedIn, bytes = 0) {
  const rows = [{ date: '2026-01-31', description: 'Café', amount: 1, category: null }]
  const body = JSON.stringify({ id: randomUUID(), rows })
  // Pads the body to one character less than `bytes`, because the accented letter takes two bytes.
  return rawRest('POST', '/rpc/import_transactions', { as, body: body.padEnd(bytes - 1) })
}

test('a customer cannot import more than 4 MiB, and an anonymous import is refused before its body is read', async () => {
  const bytesMax = 4 * 1024 * 1024
  const whole = await sendImport(customer, bytesMax)

  expect(whole.status).toBe(200)
  expect(await refusal(announceImport(bytesMax + 1, customer))).toBe(413)
  expect(await refusal(announceImport(bytesMax))).toBe(401)
})

function sendBatch(as: SignedIn, { id: user_id }: SignedIn) {
  const lines = [{ line: 1, user_id, amount: 1, description: 'Nomina' }]
  const body = JSON.stringify({ id: randomUUID(), title: 'Nomina', lines })
  return rawRest('POST', '/rpc/create_batch', { as, body: body.padEnd(1_000_000) })
}

/** Sends the first bytes of an import and then one byte per second until the end of the test. */
async function sendSlowly(as: SignedIn, beginning: number) {
  const request = announceImport(4_000_000, as)
  await once(request, 'continue')
  request.write('['.padEnd(beginning))
  const trickle = setInterval(() => request.write(' '), 1000)
  onTestFinished(() => clearInterval(trickle))
  return request
}

test('a slow body loses its slot to a new body, and administrators have separate slots', async () => {
  const slow = await Promise.all(Array.from({ length: 4 }, () => signUpCustomer()))
  const [bank, other] = await Promise.all([administrator(), signUpCustomer()])
  const requests: ClientRequest[] = []
  for (const sender of slow) requests.push(await sendSlowly(sender, 100_000))
  let lost: number | undefined
  for (const request of requests)
    void refusal(request).then(
      (status) => (lost ??= status),
      () => undefined,
    )

  // Each network has four slots for large bodies. The server must accept the fifth body and refuse one of the slow
  // bodies.
  let taken: number | undefined
  await expect
    .poll(
      async () => {
        taken = (await sendImport(other, 1_000_000)).status
        return lost
      },
      { interval: 200, timeout: 9000 },
    )
    .toBe(503)
  expect(taken).toBe(200)
  expect((await sendBatch(bank, other)).status).toBe(200)
})

test('a large body in an ended session is refused', async () => {
  const owner = await signUpCustomer()
  const stolen = { ...owner, session: { ...owner.session } }
  const { error } = await owner.client.auth.signOut({ scope: 'local' })
  expect(error).toBeNull()

  const request = await sendSlowly(stolen, 100_000)

  expect(await refusal(request)).toBe(401)
})

test('request headers of 16 KiB are refused', async () => {
  const answer = (bytes: number) =>
    rawRest('GET', '/transactions', { as: customer, headers: { 'x-client-info': 'x'.repeat(bytes) } })

  expect((await answer(8192)).status).toBe(200)
  expect((await answer(16_384)).status).toBe(431)
})

test('a write that exceeds the client’s max-affected is rolled back, but a smaller write takes effect', async () => {
  const payer = await signUpCustomer()
  await recordExpenses(payer, [{ amount: 1 }, { amount: 2 }, { amount: 3 }])
  const write = (max: number, method = 'DELETE', path = '/transactions?amount=gt.0', body?: object) =>
    rawRest(method, path, {
      as: payer,
      headers: { prefer: `handling=strict,max-affected=${max}` },
      ...(body && { body }),
    })
  const limit = (max: number) => write(max, 'PATCH', '/budgets?balance=lt.0', { monthly_limit: 5 })

  expect(await write(2)).toMatchObject({
    status: 400,
    body: {
      code: 'PGRST124',
      message: 'Query result exceeds max-affected preference constraint',
      details: 'The query affects 3 rows',
    },
  })
  expect(await limit(0)).toMatchObject({ status: 400, body: { details: 'The query affects 1 rows' } })
  expect(await countTransactions(payer)).toBe(3)
  expect((await payer.client.from('budgets').select('monthly_limit')).data).toEqual([{ monthly_limit: null }])

  const [limited, deleted] = [await limit(1), await write(3)]
  expect([limited.status, deleted.status]).toEqual([204, 204])
  expect(deleted.headers.get('preference-applied')).toBe('handling=strict, max-affected=3')
  expect(await countTransactions(payer)).toBe(0)
})
