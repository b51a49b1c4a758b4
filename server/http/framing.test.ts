import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { addFramingCheck } from './framing.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Sends the bytes; answers the statuses and the paths that were read until the connection ended. */
async function send(bytes: string): Promise<{ statuses: Set<string>; read: string[] }> {
  const read: string[] = []
  const app = fastify({ http: { requireHostHeader: false } })
  closers.push(() => app.close())
  addFramingCheck(app)
  app.all('/*', (request) => {
    read.push(request.url)
    return 'read'
  })
  await app.listen({ port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, 'localhost')
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  socket.write(bytes)
  await once(socket, 'close')
  return { statuses: new Set(received.match(/(?<=HTTP\/1\.1 )\d+/g)), read }
}

const host = 'Host: banco.example\r\n'
const next = `GET /next HTTP/1.1\r\n${host}Connection: close\r\n\r\n`

test.each([
  ['without a host', 'GET /first HTTP/1.1\r\n'],
  ['with two hosts', `GET /first HTTP/1.1\r\n${host}${host}`],
  ['of a version that is none', `GET /first HTTP/0.9\r\n${host}`],
  ['of a version that is another protocol', `GET /first HTTP/2.0\r\n${host}`],
  ['without a version', `GET /first\r\n${host}`],
])('a request %s is refused, and nothing is read after it', async (_name, head) => {
  const { statuses, read } = await send(`${head}\r\n${next}`)

  expect(statuses).toEqual(new Set(['400']))
  expect(read).toEqual([])
})

test.each([
  ['the old version', 'chunked', 'HTTP/1.0'],
  ['an unsupported coding', 'gzip, chunked', 'HTTP/1.1'],
])('chunks in %s are refused, and nothing is read after them', async (_name, coding, version) => {
  const head = `POST /first ${version}\r\n${host}Connection: keep-alive\r\nTransfer-Encoding: ${coding}\r\n\r\n`
  const { statuses, read } = await send(`${head}0\r\n\r\n${next}`)

  expect(statuses).toEqual(new Set(['400']))
  expect(read).toEqual([])
})

test.each([
  ['in the old version, without a host', 'GET /first HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['in chunks', `GET /first HTTP/1.1\r\n${host}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`],
])('a request %s is read, and the next one too', async (_name, request) => {
  expect((await send(request + next)).read).toEqual(['/first', '/next'])
})
