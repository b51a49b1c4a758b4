/**
 * Hostile clients of a server: they send data slowly, send endless bodies, or send ambiguous requests for a
 * WebSocket (security.md DO-01, DO-02, HD-03, HD-06).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { bodyBytesMax } from '@finanzas/contract/limits.ts'
import { AwakeClock } from '#testing/awake-clock.ts'
import { signIn } from '#testing/people.ts'
import { freePort } from '#testing/ports.ts'
import { answersOf, askRaw, firstAnswer, get, handshake, openRawConnection } from './raw-connection.ts'
import { programOfFile } from './programs.ts'

const metricsPort = await freePort()
const program = programOfFile({ METRICS_PORT: String(metricsPort) })
let url: string
let apiKey: string
let accessToken: string
beforeAll(async () => {
  url = program().url
  apiKey = await program().anonKey()
  accessToken = (await signIn(program())).session.access_token
})

/** Returns the request line and headers of an administrator's request, except the headers about its body. */
const headOf = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: banco.example\r\napikey: ${apiKey}\r\n` +
  `Authorization: Bearer ${accessToken}\r\nContent-Type: application/json\r\n`

describe.concurrent('a slow client', () => {
  const headMsMax = 8000
  const bodyMsMax = 12_000
  /** The test closes connections that are still open after this time. */
  const openMsMax = 20_000
  const partMs = 1000
  const clock = new AwakeClock()

  /** The bytes that a client sends immediately, and the parts that the client then sends, one per second. */
  type Sending = { readonly first: string; readonly parts: Iterable<string> }

  const line = 'GET /rest/v1/transactions HTTP/1.1\r\n'
  /** Ways to send headers slowly. The test opens fifty connections for each of these ways. */
  const slowHeads: Record<string, Sending> = {
    'sends nothing': { first: '', parts: [] },
    'sends half a line': { first: line.slice(0, 9), parts: [] },
    'sends a line character by character': { first: '', parts: line },
    'sends a header character by character': {
      first: `${line}Host: banco.example\r\n`,
      parts: 'X-Slow: '.padEnd(40, 'x'),
    },
    'sends one request and then a line character by character': { first: get('/health'), parts: line },
  }

  test('a client that sends its headers slowly is disconnected within seconds, and does not delay other clients', async () => {
    const over = new AbortController()
    const slow = Promise.all(
      Object.entries(slowHeads).flatMap(([name, way]) =>
        Array.from({ length: 50 }, async () => ({ name, ...(await sendSlowly(way)) })),
      ),
    ).finally(() => over.abort())
    let answered = 0
    while (!over.signal.aborted) {
      for (const path of ['/health', '/config.json']) {
        expect((await fetch(url + path)).status).toBe(200)
        answered += 1
      }
      await pause(10)
    }
    const kept = (await slow).filter(({ ms }) => ms > headMsMax)

    expect(kept.map(({ name, ms }) => `${name}: ${Math.round(ms)} ms`)).toEqual([])
    expect(answered).toBeGreaterThan(100)
  })

  test('a client can keep an idle connection open for 75 seconds, which is longer than proxies keep it open', async () => {
    expect((await firstAnswer(url, get('/health'))).headers.get('keep-alive')).toBe('timeout=75')
  })

  test('a client cannot keep a connection open with an unfinished body', async () => {
    const paths = [
      '/auth/v1/token',
      '/rest/v1/transactions',
      '/functions/v1/manage-users',
      '/storage/v1/object',
    ]
    const slowBodies = paths.flatMap((path): Sending[] => [
      { first: `${headOf(path)}Content-Length: 1000\r\n\r\n{`, parts: ' '.repeat(60) },
      {
        first: `${headOf(path)}Transfer-Encoding: chunked\r\n\r\n`,
        parts: Array<string>(60).fill('1\r\n \r\n'),
      },
    ])

    const connections = await Promise.all(slowBodies.map((way) => sendSlowly(way)))

    const answers = connections.map(({ received }) => answersOf(received))
    expect(answers.map((each) => each.map(({ status }) => status))).toEqual(slowBodies.map(() => [408]))
    expect(answers.flat().filter(({ headers }) => headers.get('cache-control') !== 'no-store')).toEqual([])
    expect(connections.filter(({ ms }) => ms > bodyMsMax)).toEqual([])
  })

  /**
   * Sends bytes in the given way until the server closes the connection. Returns the duration and the received
   * bytes.
   */
  async function sendSlowly({ first, parts }: Sending): Promise<{ ms: number; received: string }> {
    const { socket, ended } = await openRawConnection(url)
    const since = clock.ms
    socket.write(first)
    const left = parts[Symbol.iterator]()
    const sending = setInterval(() => {
      const part = left.next()
      if (part.done !== true) socket.write(part.value)
    }, partMs)
    const giveUp = setTimeout(() => socket.destroy(), openMsMax)
    const received = await ended
    clearInterval(sending)
    clearTimeout(giveUp)
    return { ms: clock.ms - since, received }
  }
})

describe('bodies', () => {
  const mebibyte = 1024 * 1024
  const memoryMax = 20 * mebibyte
  const atOnce = 16
  const part = `10000\r\n${' '.repeat(0x10000)}\r\n`
  /** Paths that accept a body, each with a valid body. */
  const bodies: Record<string, object> = {
    '/auth/v1/recover': { email: 'nadie@banco.example' },
    '/rest/v1/transactions': { type: 'expense', description: 'Café', amount: 1 },
    '/functions/v1/manage-users': { action: 'delete', userId: '00000000-0000-4000-8000-000000000000' },
  }

  test.each(Object.keys(bodies))(
    'POST %s refuses an endless body without using memory for it',
    async (path) => {
      const endless = () => sendForEver(`${headOf(path)}Transfer-Encoding: chunked\r\n\r\n`)
      // Warms up, because the server allocates memory for the first bodies and reuses it later.
      await Promise.all(Array.from({ length: atOnce }, endless))
      const before = await residentBytes()

      const received = await Promise.all(Array.from({ length: atOnce }, endless))

      // Some answers may be missing, because a client that is still sending does not always receive the answer before
      // the connection closes.
      expect(received.flatMap(answersOf).filter(({ status }) => status !== 413)).toEqual([])
      expect((await residentBytes()) - before).toBeLessThan(memoryMax)
    },
  )

  test.each(Object.entries(bodies))('POST %s refuses a compressed body', async (path, body) => {
    const send = (packed: Buffer) => {
      const lengths = `Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\nConnection: close\r\n\r\n`
      return askRaw(url, Buffer.concat([Buffer.from(headOf(path) + lengths), packed]))
    }
    const small = gzipSync(JSON.stringify(body))
    const bomb = gzipSync(Buffer.alloc(4 * mebibyte, ' '))
    await send(small)
    const before = await residentBytes()

    const answers = await Promise.all([small, ...Array<Buffer>(atOnce).fill(bomb)].map(send))

    expect(answers.map((each) => each.map(({ status }) => status))).toEqual(answers.map(() => [400]))
    expect((await residentBytes()) - before).toBeLessThan(memoryMax)
  })

  test.each(Object.keys(bodies))(
    'POST %s refuses a chunk above the limit of a body with 413',
    async (path) => {
      const chunk = `${(bodyBytesMax + 1).toString(16)}\r\n${' '.repeat(bodyBytesMax + 1)}`

      // Sends exactly as many bytes as the server reads. If the test sent more bytes, the operating system would reset
      // the connection, and the answer would be lost.
      const answers = await askRaw(url, `${headOf(path)}Transfer-Encoding: chunked\r\n\r\n${chunk}`)

      expect(answers).toMatchObject([{ status: 413 }])
    },
  )

  /** Sends chunks until the server closes the connection. Returns all received bytes. */
  async function sendForEver(head: string): Promise<string> {
    const { socket, ended } = await openRawConnection(url)
    socket.write(head)
    const sendMore = () => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', sendMore)
    sendMore()
    return ended
  }

  /** Reads the server's resident memory from its metrics. */
  async function residentBytes(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
  }
})

describe('requests for a WebSocket', () => {
  const host = 'Host: banco.example\r\n'
  const upgrade = (more: string, { version = 'HTTP/1.1', key = apiKey } = {}) =>
    `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${key} ${version}\r\n${handshake}${more}\r\n`

  test.each<[string, number, () => string]>([
    ['no host', 400, () => upgrade('')],
    ['two hosts', 400, () => upgrade(host + host)],
    ['HTTP/0.9', 400, () => upgrade(host, { version: 'HTTP/0.9' })],
    ['HTTP/1.0', 426, () => upgrade(host, { version: 'HTTP/1.0' })],
    ['a length', 426, () => `${upgrade(`${host}Content-Length: 5\r\n`)}hello`],
    ['chunks', 426, () => `${upgrade(`${host}Transfer-Encoding: chunked\r\n`)}0\r\n\r\n`],
    ['another protocol', 426, () => upgrade(host).replace('websocket\r', 'h2c\r')],
    ['a wrong WebSocket key', 426, () => upgrade(host).replace('dGhl', '')],
  ])(
    'the server refuses a request with %s, and reads nothing after the request',
    async (_name, status, request) => {
      const answers = await askRaw(url, request() + get('/storage/v1/hidden'))

      expect(answers).toEqual([expect.objectContaining({ status })])
    },
  )

  test('an upgrade request gets a 426 while another answer is pending, because a proxy could confuse the answers', async () => {
    const { socket, received } = await openRawConnection(url)
    socket.write(get('/ready') + upgrade(host))

    await expect.poll(() => answersOf(received()).map(({ status }) => status)).toEqual([200, 426])
    socket.destroy()
  })

  test('an upgrade request with a wrong API key is refused, with the security headers and a log line', async () => {
    const [answer] = await askRaw(url, upgrade(host, { key: 'wrong' }))

    expect(answer?.status).toBe(401)
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
    const id = answer?.headers.get('x-request-id') ?? 'none'
    await expect.poll(() => program().output()).toMatch(new RegExp(`"reqId":"${id}".*"request refused"`))
  })

  test.each([
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    ['an expectation', get('/health', 'Expect: nothing\r\nConnection: close\r\n')],
  ])('the answer to a request with %s has the security headers', async (_name, sent) => {
    const [answer] = await askRaw(url, sent)

    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
  })
})
