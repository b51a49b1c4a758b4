import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { WebSocket } from 'ws'
import { socketUrl } from './raw-socket.ts'

test.each([
  [
    'a valid key',
    { vsn: '2.0.0', apikey: 'wrong' },
    401,
    {
      error: 'Invalid API key',
      hint: 'Double check your Supabase `anon` or `service_role` API key.',
    },
  ],
  ['a key', { vsn: '2.0.0', apikey: '' }, 401, { error: 'No API key found in request' }],
  ['a version of the protocol', { vsn: null }, 400, { error: 'Unsupported protocol version' }],
  ['the newest version of the protocol', { vsn: '1.0.0' }, 400, { error: 'Unsupported protocol version' }],
])('a socket without %s is refused', async (_name, query, status, body) => {
  expect(await refusalOf(new WebSocket(socketUrl(query)))).toMatchObject({ status, body })
})

test('a page cannot open a socket with the service key', async () => {
  const { url, serviceRoleKey } = inject('server')

  const refusal = await refusalOf(
    new WebSocket(socketUrl({ vsn: '2.0.0', apikey: serviceRoleKey }), { origin: url }),
  )

  expect(refusal.status).toBe(401)
})

test('only a request to the realtime path can be upgraded to a socket', async () => {
  const { url } = inject('server')

  const paths = ['/health', '/realtime/v1/websockets?vsn=2.0.0', '/rest/v1/transactions', '/%zz?%zz']
  const answers = await Promise.all(
    paths.map((path) => refusalOf(new WebSocket(url.replace('http', 'ws') + path))),
  )

  // Requests for these paths get the same statuses without an upgrade.
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 400])
})

test('a request for the socket without an upgrade gets 426, and other realtime paths get 404', async () => {
  const { url } = inject('server')

  const plain = await fetch(`${url}/realtime/v1/websocket`)
  const other = await fetch(`${url}/realtime/v1/api/broadcast`, { method: 'POST' })

  expect({ status: plain.status, body: await plain.json() }).toEqual({
    status: 426,
    body: { error: 'This address speaks WebSocket' },
  })
  expect({ status: other.status, body: await other.json() }).toEqual({
    status: 404,
    body: { error: 'Not found' },
  })
})

async function refusalOf(socket: WebSocket): Promise<{ status: number | undefined; body: unknown }> {
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  return { status: response.statusCode, body: await json(response) }
}
