/**
 * Sends requests in which only some parsers find a second, hidden request (request smuggling). The parsers disagree
 * about where a body, a header or a line ends (RFC 9112 §11.2; security.md HD-06).
 */
import { expect, test } from 'vitest'
import { programOfFile } from './programs.ts'
import { type RawAnswer, answersOf, firstAnswer, get, openRawConnection } from './raw-connection.ts'

/** The path of the hidden request. This path identifies the request in the server's log. */
const hiddenPath = '/storage/v1/hidden'
const hidden = get(hiddenPath)
const size = hidden.length.toString(16)
const chunk = `${size}\r\n${hidden}\r\n`
const chunks = `${chunk}0\r\n\r\n`
/** A body that ends after its first five characters if a parser reads it as chunked. */
const overSoon = `0\r\n\r\n${hidden}`

/** Builds a request from a body and header lines, which must include their line endings. */
const post = (lines: string, body: string) =>
  `POST /functions/v1/nothing HTTP/1.1\r\nHost: banco.example\r\n${lines}\r\n${body}`
const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n`
const isChunked = 'Transfer-Encoding: chunked\r\n'

type Named = Readonly<Record<string, string>>

const named = (names: readonly string[], request: (name: string) => string): Named =>
  Object.fromEntries(names.map((name) => [JSON.stringify(name), request(name)]))

/** Requests that contain both Content-Length and Transfer-Encoding, or one of these headers twice. */
const twoEnds: Named = {
  'a length, then chunks': post(lengthOf(overSoon) + isChunked, overSoon),
  'chunks, then a length': post(isChunked + lengthOf(overSoon), overSoon),
  'chunks, then a length of zero': post(`${isChunked}Content-Length: 0\r\n`, chunks),
  'two lengths': post(`Content-Length: 0\r\n${lengthOf(hidden)}`, hidden),
  'two lengths in reverse order': post(`${lengthOf(hidden)}Content-Length: 0\r\n`, hidden),
  'the same length twice': post(lengthOf(hidden) + lengthOf(hidden), hidden),
  'chunks, then the coding identity': post(`${isChunked}Transfer-Encoding: identity\r\n`, chunks),
  'two lengths, the second in lower case': post(`${lengthOf(hidden)}content-length: 0\r\n`, hidden),
}

const lengths = named(
  [
    '',
    '-1',
    `-${hidden.length}`,
    `+${hidden.length}`,
    `0x${size}`,
    `${hidden.length}.0`,
    `${hidden.length}e0`,
    `${hidden.length};`,
    `0, ${hidden.length}`,
    `${hidden.length}, ${hidden.length}`,
    `0 ${hidden.length}`,
    `"${hidden.length}"`,
    '٥',
    'NaN',
    `${2n ** 64n + BigInt(hidden.length)}`,
    `${hidden.length}\0`,
    `${hidden.length}\v`,
  ],
  (length) => post(`Content-Length: ${length}\r\n`, hidden),
)

const codings = named(
  [
    '',
    'identity',
    'gzip',
    'xchunked',
    'chunkedx',
    'x chunked',
    'chunked x',
    'chun\tked',
    '"chunked"',
    'chunked;q=1',
    'chunked, identity',
    'chunked, gzip',
    'gzip, chunked',
    'chunked, chunked',
    'chunked\0',
    '\vchunked',
    'chunked\f',
    '\u00a0chunked',
  ],
  (coding) => post(`Transfer-Encoding: ${coding}\r\n`, chunks),
)

/**
 * Requests with a Content-Length and a malformed header line. Only some parsers read this line as
 * `Transfer-Encoding: chunked`.
 */
const headerLines = named(
  [
    'Transfer-Encoding : chunked\r\n',
    'Transfer-Encoding\t: chunked\r\n',
    'Transfer-Encoding\0: chunked\r\n',
    'Transfer-Encoding\r\n: chunked\r\n',
    'Transfer-Encoding:\r\n chunked\r\n',
    'Transfer-Encoding:\n chunked\r\n',
    'Transfer-Encoding: chunked\n',
    'Transfer-Encoding: chunked\r',
    'X: y\r\n Transfer-Encoding: chunked\r\n',
    'X: y\r\n\tTransfer-Encoding: chunked\r\n',
    'X: y\nTransfer-Encoding: chunked\r\n',
    'X: y\rTransfer-Encoding: chunked\r\n',
    'X: y\0\r\nTransfer-Encoding: chunked\r\n',
    'X\0: y\r\n',
    'Transfer Encoding: chunked\r\n',
    ' Transfer-Encoding: chunked\r\n',
    ': chunked\r\n',
    'Transfer-Encoding chunked\r\n',
    'Tränsfer-Encoding: chunked\r\n',
    'Transfer-Encoding(): chunked\r\n',
  ],
  (line) => post(line + lengthOf(overSoon), overSoon),
)

/** Requests with an invalid chunk size. */
const chunkSizes = named(
  [
    '',
    '-1',
    `+${size}`,
    `0x${size}`,
    ` ${size}`,
    `${size} `,
    `${size}\t`,
    `${size}g`,
    'g',
    '0 0',
    `f${'0'.repeat(15)}${size}`,
  ],
  (line) => post(isChunked, `${line}\r\n${hidden}\r\n0\r\n\r\n`),
)

const chunkEnds: Named = {
  'a size that ends in a line feed': post(isChunked, `${size}\n${hidden}\r\n0\r\n\r\n`),
  'a size that ends in a carriage return': post(isChunked, `${size}\r${hidden}\r\n0\r\n\r\n`),
  'an extension with a line feed': post(isChunked, `${size};a\n${hidden}\r\n0\r\n\r\n`),
  'an extension with a NUL': post(isChunked, `${size};a\0\r\n${hidden}\r\n0\r\n\r\n`),
  'data that is longer than its size': post(isChunked, `1\r\n${hidden}\r\n0\r\n\r\n`),
  'data that ends in a line feed': post(isChunked, `${size}\r\n${hidden}\n0\r\n\r\n`),
  'a last chunk that ends in line feeds': post(isChunked, `${chunk}0\n\n`),
  'a trailer that ends in a line feed': post(isChunked, `${chunk}0\r\nX: y\nContent-Length: 0\r\n\r\n`),
  'a trailer with a length': post(isChunked, `${chunk}0\r\nContent-Length: ${hidden.length}\r\n\r\n`),
  'a request in place of a trailer': post(isChunked, `${chunk}0\r\n${hidden}`),
}

const requestLines = named(
  [
    'GET /health HTTP/1.1\n',
    'GET /health HTTP/1.1\r',
    'GET /health HTTP/1.1 \r\n',
    'GET /health HTTP/1.10\r\n',
    'GET /health HTTP/1.2\r\n',
    'GET /health HTTP/0.9\r\n',
    'GET /health HTTP/2.0\r\n',
    'GET /health HTTP/11\r\n',
    'GET /health http/1.1\r\n',
    'GET /health XTTP/1.1\r\n',
    'GET /health\tHTTP/1.1\r\n',
    'GET\t/health HTTP/1.1\r\n',
    'GET /hea lth HTTP/1.1\r\n',
    'GET /health\0 HTTP/1.1\r\n',
    'GET\0 /health HTTP/1.1\r\n',
    'get /health HTTP/1.1\r\n',
    'GETS /health HTTP/1.1\r\n',
    ' GET /health HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n',
    'GET health HTTP/1.1\r\n',
    '\0GET /health HTTP/1.1\r\n',
  ],
  (line) => `${line}Host: banco.example\r\n${lengthOf(hidden)}\r\n${hidden}`,
)

const versions: Named = {
  'no host': `POST /health HTTP/1.1\r\n${lengthOf(hidden)}\r\n${hidden}`,
  'two hosts': post(`Host: other.example\r\n${lengthOf(hidden)}`, hidden),
  'the same host twice': post(`Host: banco.example\r\n${lengthOf(hidden)}`, hidden),
  'no version': `GET /health\r\n\r\n${hidden}`,
  'no version, and headers': `GET /health\r\nHost: banco.example\r\n${lengthOf(hidden)}\r\n${hidden}`,
  'no version, after a line feed': `GET /health\nHost: banco.example\r\n${lengthOf(hidden)}\r\n${hidden}`,
  'chunks in the old version': post(isChunked, chunks).replace('HTTP/1.1', 'HTTP/1.0'),
  'chunks in the old version, kept alive': post(`Connection: keep-alive\r\n${isChunked}`, chunks).replace(
    'HTTP/1.1',
    'HTTP/1.0',
  ),
}

/** Unusual requests. According to the standard, each of them is a single valid request. */
const single: Named = {
  'a length': post(lengthOf(hidden), hidden),
  'a length with leading zeros': post(`Content-Length: 000${hidden.length}\r\n`, hidden),
  'a length between spaces': post(`Content-Length: \t ${hidden.length} \t\r\n`, hidden),
  chunks: post(isChunked, chunks),
  'chunks in capitals': post(isChunked.toUpperCase(), chunks),
  'a size with leading zeros': post(isChunked, `000${chunks}`),
  'a size with an extension': post(isChunked, `${size};a=b\r\n${hidden}\r\n0\r\n\r\n`),
  'a GET with a body': post(lengthOf(hidden), hidden).replace('POST', 'GET'),
  'a DELETE with a body': post(lengthOf(hidden), hidden).replace('POST', 'DELETE'),
  'leading empty lines': `\r\n\r\n${post(lengthOf(hidden), hidden)}`,
  'an absolute URL': post(lengthOf(hidden), hidden).replace('/functions', 'http://other.example/functions'),
  'the old version, kept alive': post(`Connection: keep-alive\r\n${lengthOf(hidden)}`, hidden).replace(
    'HTTP/1.1',
    'HTTP/1.0',
  ),
  'the old version': post('', hidden).replace('HTTP/1.1', 'HTTP/1.0'),
  'the old version, without a host': 'GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'a request that closes the connection': post('Connection: close\r\n', hidden),
  'an Expect header': post(`Expect: 100-continue\r\n${lengthOf(hidden)}`, hidden),
  'an upgrade to another protocol': post(`Connection: Upgrade\r\nUpgrade: h2c\r\n`, hidden),
  'an upgrade with a body': post(`Connection: Upgrade\r\nUpgrade: websocket\r\n${lengthOf(hidden)}`, hidden),
}

const program = programOfFile({ LOG_LEVEL: 'debug' })
const afterPath = '/storage/v1/after'

test('an ambiguous request is refused and its connection is closed', async () => {
  const refused = {
    ...twoEnds,
    ...lengths,
    ...codings,
    ...headerLines,
    ...chunkSizes,
    ...chunkEnds,
    ...requestLines,
    ...versions,
  }
  const wrong = await answeredOtherwise(refused, ([answer, ...more]) => {
    const { status = 0, headers } = answer ?? {}
    return status >= 400 && status < 500 && headers?.get('connection') === 'close' && more.length === 0
  })

  expect(wrong).toEqual([])
  expect(await pathsInLog()).not.toContain(hiddenPath)
})

test('an unambiguous request is answered as a single request', async () => {
  const wrong = await answeredOtherwise(single, ([answer, next, ...more]) => {
    const isLast = answer?.headers.get('connection') === 'close'
    return answer !== undefined && (isLast ? next === undefined : next?.status === 404) && more.length === 0
  })

  expect(wrong).toEqual([])
  const paths = await pathsInLog()
  expect(paths).toContain(afterPath)
  expect(paths).not.toContain(hiddenPath)
})

/** Sends the requests, and returns the name and the answers of each request for which `isRight` returns false. */
async function answeredOtherwise(
  requests: Named,
  isRight: (answers: readonly RawAnswer[]) => boolean,
): Promise<string[]> {
  const received = await Promise.all(
    Object.entries(requests).map(async ([name, request]) => ({ name, answers: await answersAfter(request) })),
  )
  return received
    .filter(({ answers }) => !isRight(answers))
    .map(({ name, answers }) => `${name}: ${answers.map(({ status, body }) => `${status} ${body}`).join()}`)
}

/** Sends the given request and another request on a connection that was already used. Returns all answers. */
async function answersAfter(request: string): Promise<RawAnswer[]> {
  const { socket, ended } = await openRawConnection(program().url)
  socket.write(get('/health'))
  await new Promise((resolve) => socket.once('data', resolve))
  socket.write(request + get(afterPath, 'Connection: close\r\n'))
  const [first, ...rest] = answersOf(await ended)
  expect(first?.status).toBe(200)
  return rest
}

/** Returns the paths of all requests that the server has logged so far. */
async function pathsInLog(): Promise<string[]> {
  const last = `/storage/v1/last-${Date.now()}`
  await firstAnswer(program().url, get(last))
  await expect.poll(() => program().output()).toContain(last)
  const lines = program()
    .output()
    .matchAll(/"path":"([^"]*)"/g)
  return [...lines].map(([, path = '']) => path)
}
