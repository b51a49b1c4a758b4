// A client that closes its connection while the server prepares its paper.
import { afterAll, expect, test } from 'vitest'
import { openThrottle } from '#server/throttle/throttle.ts'
import { databaseOfFile, openSurfaces, tokensIn } from '#testing/surfaces.ts'

const { database } = await databaseOfFile()
const begun = Promise.withResolvers<AbortSignal>()
const surfaces = await openSurfaces(database, {
  throttle: openThrottle(database),
  papers: {
    // A paper that is never ready.
    write: (_csv, _key, left) => {
      begun.resolve(left)
      return new Promise((_resolve, reject) =>
        left.addEventListener('abort', () => reject(left.reason as Error)),
      )
    },
    close: () => Promise.resolve(),
  },
})
afterAll(() => surfaces.close())

test('the work on a paper stops when its client leaves, and the next paper of the same person is made', async () => {
  const address = await surfaces.listen()
  const { email, password } = await surfaces.newCustomer()
  const signedIn = await surfaces.ask('/token?grant_type=password', { body: { email, password } })
  const { access_token: token } = tokensIn(signedIn)
  const ask = (format: string, signal?: AbortSignal) =>
    fetch(`${address}/functions/v1/statement`, {
      method: 'POST',
      headers: { apikey: surfaces.apiKeys.anonKey, authorization: `Bearer ${token}` },
      body: JSON.stringify({ month: '2026-01', format }),
      ...(signal !== undefined && { signal }),
    })
  const client = new AbortController()
  const left = expect(ask('pdf', client.signal)).rejects.toThrow()
  const signal = await begun.promise
  expect((await ask('csv')).status).toBe(503)
  expect(signal.aborted).toBe(false)

  client.abort()

  await left
  await expect.poll(async () => (await ask('csv')).status).toBe(200)
  expect(signal.reason).toMatchObject({ name: 'ClientLeft' })
})
