/**
 * Clients that no browser and no program of ours is like, on one server: those that take their time, those that do
 * not stop, those whose requests can be read in two ways, and pages of other origins (security.md DO-01, DO-02,
 * HD-04, HD-06).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { AwakeClock } from '#testing/awake-clock.ts'
import { freePort } from '#testing/ports.ts'
import { anonKeyOf, clientOf } from './client.ts'
import { hiddenPath, refused, single } from './hidden-requests.ts'
import { hostileOrigins, listed, site } from './hostile-origins.ts'
import { type RawAnswer, answersOf, askRaw, firstAnswer, openRawConnection } from './raw-connection.ts'
import { programOfFile } from './server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }
const metricsPort = await freePort()
const program = programOfFile({
  SITE_URL: site,
  CORS_ORIGINS: listed,
  ADMIN_PASSWORD: administrator.password,
  METRICS_PORT: String(metricsPort),
  LOG_LEVEL: 'debug',
})
let url: string
let apiKey: string
let accessToken: string | undefined
beforeAll(async () => {
  url = program().url
  apiKey = await anonKeyOf(program())
  const { data } = await (await clientOf(program())).auth.signInWithPassword(administrator)
  accessToken = data.session?.access_token
})

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: banco.example\r\n${more}\r\n`
/** A request of an administrator, up to what is said of its body. */
const headOf = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: banco.example\r\napikey: ${apiKey}\r\n` +
  `Authorization: Bearer ${accessToken}\r\nContent-Type: application/json\r\n`

describe.concurrent('who takes their time', () => {
  const headMsMax = 8000
  const bodyMsMax = 12_000
  /** A connection that is open after this long has kept its place. */
  const patienceMs = 20_000
  const pieceMs = 1000
  const clock = new AwakeClock()

  /** What a client sends at once, and what it goes on sending, a piece a second. */
  type Manner = { readonly first: string; readonly pieces: Iterable<string> }

  const line = 'GET /rest/v1/transactions HTTP/1.1\r\n'
  /** Fifty of each. */
  const slowHeads: Record<string, Manner> = {
    'says nothing': { first: '', pieces: [] },
    'says half a line': { first: line.slice(0, 9), pieces: [] },
    'spells a line': { first: '', pieces: line },
    'spells a header': { first: `${line}Host: banco.example\r\n`, pieces: 'X-Slow: '.padEnd(40, 'x') },
    'asks once and spells another line': { first: ask('/health'), pieces: line },
  }
  const paths = [
    '/auth/v1/token',
    '/rest/v1/transactions',
    '/functions/v1/manage-users',
    '/storage/v1/object',
  ]

  test('over the head of a request is turned out after seconds, and nobody waits for it', async () => {
    const over = new AbortController()
    const slow = Promise.all(
      Object.entries(slowHeads).flatMap(([name, manner]) =>
        Array.from({ length: 50 }, async () => ({ name, ...(await holdPlace(manner)) })),
      ),
    ).finally(() => over.abort())
    const waits: number[] = []
    while (!over.signal.aborted) {
      waits.push(await wait('/health'), await wait('/config.json'))
      await pause(10)
    }
    const kept = (await slow).filter(({ ms }) => ms > headMsMax)

    expect(kept.map(({ name, ms }) => `${name}: ${Math.round(ms)} ms`)).toEqual([])
    expect(waits.length).toBeGreaterThan(100)
    // Of half of them: a machine that stalls makes the others wait (docs/decisions/0039).
    expect(waits.toSorted((a, b) => a - b)[waits.length / 2]).toBeLessThan(100)
  })

  test('and whoever has been served keeps the connection for longer than proxies keep theirs', async () => {
    const { headers } = await firstAnswer(url, ask('/health'))

    expect(headers.get('keep-alive')).toBe('timeout=75')
  })

  test('over a body is told so and turned out after seconds', async () => {
    const slowBodies = paths.flatMap((path): Manner[] => [
      { first: `${headOf(path)}Content-Length: 1000\r\n\r\n{`, pieces: ' '.repeat(60) },
      {
        first: `${headOf(path)}Transfer-Encoding: chunked\r\n\r\n`,
        pieces: Array<string>(60).fill('1\r\n \r\n'),
      },
    ])

    const places = await Promise.all(slowBodies.map((manner) => holdPlace(manner)))

    const answers = places.map(({ heard }) => answersOf(heard))
    expect(answers.map((each) => each.map(({ status }) => status))).toEqual(slowBodies.map(() => [408]))
    expect(answers.flat().filter(({ headers }) => headers.get('cache-control') !== 'no-store')).toEqual([])
    expect(places.filter(({ ms }) => ms > bodyMsMax)).toEqual([])
  })

  /** Goes on in that manner until the server ends it. The answer is when that was, and what it said. */
  async function holdPlace({ first, pieces }: Manner): Promise<{ ms: number; heard: string }> {
    const { socket, ended } = await openRawConnection(url)
    const since = clock.ms
    socket.write(first)
    const left = pieces[Symbol.iterator]()
    const speaking = setInterval(() => {
      const piece = left.next()
      if (piece.done !== true) socket.write(piece.value)
    }, pieceMs)
    const impatience = setTimeout(() => socket.destroy(), patienceMs)
    const heard = await ended
    clearInterval(speaking)
    clearTimeout(impatience)
    return { ms: clock.ms - since, heard }
  }

  /** How long another client waits for an answer, in milliseconds. */
  async function wait(path: string): Promise<number> {
    const since = performance.now()
    const answer = await fetch(url + path)
    await answer.text()
    expect(answer.status).toBe(200)
    return performance.now() - since
  }
})

describe('bodies', () => {
  const mebibyte = 1024 * 1024
  const memoryMax = 20 * mebibyte
  const atOnce = 16
  const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`
  /** Each with a body that it takes. */
  const takes: Record<string, object> = {
    '/auth/v1/recover': { email: 'nadie@banco.example' },
    '/rest/v1/transactions': { type: 'expense', description: 'Café', amount: 1 },
    '/functions/v1/manage-users': { action: 'delete', userId: '00000000-0000-4000-8000-000000000000' },
  }

  test.each(Object.keys(takes))('POST %s: a body without an end is refused with 413', async (path) => {
    const endless = () => sayForEver(`${headOf(path)}Transfer-Encoding: chunked\r\n\r\n`)
    // What a server takes for the first such bodies, it keeps for the next ones.
    await Promise.all(Array.from({ length: atOnce }, endless))
    const before = await residentBytes()

    const heard = await Promise.all(Array.from({ length: atOnce }, endless))

    // A client that goes on sending may miss it: the connection has ended.
    const statuses = heard.flatMap((stream) => answersOf(stream).map(({ status }) => status))
    expect(new Set(statuses)).toEqual(new Set([413]))
    expect((await residentBytes()) - before).toBeLessThan(memoryMax)
  })

  test.each(Object.entries(takes))('POST %s: a body that is packed is refused', async (path, body) => {
    const say = (packed: Buffer) =>
      askRaw(
        url,
        Buffer.concat([
          Buffer.from(`${headOf(path)}Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`),
          Buffer.from('Connection: close\r\n\r\n'),
          packed,
        ]),
      )
    const small = gzipSync(JSON.stringify(body))
    const bomb = gzipSync(Buffer.alloc(4 * mebibyte, ' '))
    await say(small)
    const before = await residentBytes()

    const answers = await Promise.all([small, ...Array<Buffer>(atOnce).fill(bomb)].map(say))

    expect(answers.map((each) => each.map(({ status }) => status))).toEqual(answers.map(() => [400]))
    expect((await residentBytes()) - before).toBeLessThan(memoryMax)
  })

  /** Sends chunks for as long as they are taken. The answer is what came back. */
  async function sayForEver(head: string): Promise<string> {
    const { socket, ended } = await openRawConnection(url)
    socket.write(head)
    const speak = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', speak)
    speak()
    return ended
  }

  /** The program's memory, as it tells the operator. */
  async function residentBytes(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
  }
})

describe('requests that hide others', () => {
  /** The system spreads connections over 32 listening sockets by chance; some 500 of them leave none out. */
  const triesOfEach = 4
  const afterPath = '/storage/v1/after'
  const after = ask(afterPath, 'Connection: close\r\n')

  test('what can be read in two ways is refused, and its connection ended', async () => {
    const wrong = await those(refused, ([answer, ...more]) => {
      const { status = 0, headers } = answer ?? {}
      return status >= 400 && status < 500 && headers?.get('connection') === 'close' && more.length === 0
    })

    expect(wrong).toEqual([])
    expect(await pathsInLog()).not.toContain(hiddenPath)
  })

  test('what can be read in one way is one request, and the next one is the next', async () => {
    const wrong = await those(single, ([answer, next, ...more]) => {
      const isLast = answer?.headers.get('connection') === 'close'
      return answer !== undefined && (isLast ? next === undefined : next?.status === 404) && more.length === 0
    })

    expect(wrong).toEqual([])
    const paths = await pathsInLog()
    expect(paths).toContain(afterPath)
    expect(paths).not.toContain(hiddenPath)
  })

  /** The names of the requests with another answer than this, and that answer. */
  async function those(
    requests: Readonly<Record<string, string>>,
    isRight: (answers: readonly RawAnswer[]) => boolean,
  ): Promise<string[]> {
    const tries = Object.entries(requests).flatMap((entry) => Array<typeof entry>(triesOfEach).fill(entry))
    const heard = await Promise.all(
      tries.map(async ([name, request]) => ({ name, answers: await heardAfter(request) })),
    )
    const wrong = heard
      .filter(({ answers }) => !isRight(answers))
      .map(
        ({ name, answers }) =>
          `${name}: ${answers.map(({ status, body }) => `${status} ${body.slice(0, 80)}`).join(', ')}`,
      )
    return [...new Set(wrong)]
  }

  /** What is answered to the request and to one more after it, on a connection that has been used. */
  async function heardAfter(request: string): Promise<RawAnswer[]> {
    const { socket, ended } = await openRawConnection(url)
    socket.write(ask('/health'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.write(request + after)
    const [first, ...rest] = answersOf(await ended)
    expect(first?.status).toBe(200)
    return rest
  }

  /** The paths of all requests that were read so far. */
  async function pathsInLog(): Promise<string[]> {
    const last = `/storage/v1/last-${Date.now()}`
    await firstAnswer(url, ask(last))
    await expect.poll(() => program().output()).toContain(last)
    return [
      ...program()
        .output()
        .matchAll(/"path":"([^"]*)"/g),
    ].map(([, path = '']) => path)
  }
})

describe('requests for a socket', () => {
  const handshake =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const host = 'Host: banco.example\r\n'
  const upgrade = (more: string, { version = 'HTTP/1.1', key = apiKey } = {}) =>
    `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${key} ${version}\r\n${handshake}${more}\r\n`

  test('one that can be read in two ways gets none, and nothing is read after it', async () => {
    const refusals = {
      'no host': upgrade(''),
      'two hosts': upgrade(host + host),
      'HTTP/0.9': upgrade(host, { version: 'HTTP/0.9' }),
      'HTTP/1.0': upgrade(host, { version: 'HTTP/1.0' }),
      'a length': `${upgrade(`${host}Content-Length: 5\r\n`)}hello`,
      chunks: `${upgrade(`${host}Transfer-Encoding: chunked\r\n`)}0\r\n\r\n`,
      'another protocol': upgrade(host).replace('websocket\r', 'h2c\r'),
      'a wrong key of the handshake': upgrade(host).replace('dGhl', ''),
    }

    const heard = await Promise.all(
      Object.entries(refusals).map(async ([name, said]) => [name, await askRaw(url, said + ask(hiddenPath))]),
    )

    const expected = Object.keys(refusals).map((name) => [
      name,
      [expect.objectContaining({ status: /host|0\.9/.test(name) ? 400 : 426 })],
    ])
    expect(heard).toEqual(expected)
  })

  test('one that comes while an answer is awaited gets none: who is between would mistake one for the other', async () => {
    const { socket, heard } = await openRawConnection(url)
    socket.write(ask('/ready') + upgrade(host))

    await expect.poll(() => answersOf(heard()).map(({ status }) => status)).toEqual([200, 426])
    socket.destroy()
  })

  test('a refused one is answered with the guarding headers, and is a line in the log', async () => {
    const [answer] = await askRaw(url, upgrade(host, { key: 'wrong' }))

    expect(answer?.status).toBe(401)
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
    const id = answer?.headers.get('x-request-id') ?? 'none'
    await expect.poll(() => program().output()).toMatch(new RegExp(`"reqId":"${id}".*"request refused"`))
  })

  test.each([
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    ['an expectation', ask('/health', 'Expect: nothing\r\nConnection: close\r\n')],
  ])('%s is answered with the guarding headers', async (_name, said) => {
    const [answer] = await askRaw(url, said)

    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('pages of other origins', () => {
  const paths = [
    '/auth/v1/settings',
    '/rest/v1/transactions',
    '/functions/v1/manage-users',
    '/realtime/v1/websocket',
    '/storage/v1/object',
    '/config.json',
    '/health',
    '/',
  ]

  test.each(hostileOrigins)('a page of %j is let in nowhere', async (origin) => {
    expect(await letIn(origin)).toEqual([])
  })

  test.each([
    ['two origins are none', `${site}\r\nOrigin: https://evil.example`],
    ['two origins are none, the other way round', `https://evil.example\r\nOrigin: ${site}`],
    ['nobody is let in by a proxy’s name for them', 'https://evil.example\r\nX-Forwarded-Host: evil.example'],
    ['nor by the standard one', 'https://evil.example\r\nForwarded: host=evil.example;proto=https'],
  ])('%s', async (_name, origin) => {
    expect(await letIn(origin)).toEqual([])
  })

  test.each([site, listed])('a page of %s is let in everywhere', async (origin) => {
    expect(await letIn(origin)).toEqual(attempts(origin).map(({ name }) => `${origin}: ${name}`))
  })

  type Attempt = {
    readonly name: string
    readonly said: string
    readonly isLetIn: (answer: RawAnswer) => boolean
  }

  /** Everything that the page of an origin may try; what follows the origin may hold further headers. */
  function attempts(origin: string): Attempt[] {
    const common = `Host: evil.example\r\napikey: ${apiKey}\r\nOrigin: ${origin}\r\n`
    const isReadable = ({ headers }: RawAnswer) =>
      [...headers.keys()].some((name) => name.startsWith('access-control-')) ||
      (origin.length > 1 && [...headers.values()].some((value) => value.includes(origin)))
    const isTaken = (answer: RawAnswer) => isReadable(answer) || answer.status !== 403
    const socket =
      `GET /realtime/v1/websocket?vsn=2.0.0 HTTP/1.1\r\n${common}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
    return [
      ...paths.flatMap((path): Attempt[] => [
        ...['GET', 'POST'].map((method) => ({
          name: `${method} ${path}`,
          said: `${method} ${path} HTTP/1.1\r\n${common}Content-Length: 0\r\n\r\n`,
          isLetIn: isReadable,
        })),
        {
          name: `preflight of ${path}`,
          said: `OPTIONS ${path} HTTP/1.1\r\n${common}Access-Control-Request-Method: POST\r\n\r\n`,
          isLetIn: isTaken,
        },
      ]),
      { name: 'a socket', said: socket, isLetIn: isTaken },
    ]
  }

  /** What of all that is let in. */
  async function letIn(origin: string): Promise<string[]> {
    const tried = attempts(origin)
    const verdicts = await Promise.all(
      tried.map(async ({ said, isLetIn }) => isLetIn(await firstAnswer(url, said))),
    )
    return tried.filter((_, index) => verdicts[index]).map(({ name }) => `${origin}: ${name}`)
  }
})
