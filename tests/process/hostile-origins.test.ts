/** Sends requests from web pages whose origins resemble the two permitted origins (security.md HD-04). */
import { expect, test } from 'vitest'
import { programOfFile } from './programs.ts'
import { type RawAnswer, firstAnswer, handshake } from './raw-connection.ts'

const site = 'https://banco.example'
const listed = 'https://panel.example:8443'
const program = programOfFile({ SITE_URL: site, CORS_ORIGINS: listed, AUTH_RATE_LIMITS: '' })

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

/** Origins that a web page or another program may send. Text after a line break becomes an additional header. */
const hostileOrigins = [
  'null',
  'NULL',
  '*',
  '',
  // Other hosts with similar names.
  'https://evil.example',
  'https://banco.example.evil.example',
  'https://banco.example-evil.example',
  'https://evilbanco.example',
  'https://evil-banco.example',
  'https://evil.banco.example',
  'https://www.banco.example',
  'https://banco.examplé',
  'https://bancо.example',
  'https://xn--banc-0tb.example',
  'https://banco.exampl',
  'https://banco.example2',
  'https://banco-example',
  'https://bancoxexample',
  'https://example',
  'https://[::1]',
  // The permitted host with a different scheme, port, spelling or suffix.
  'http://banco.example',
  'wss://banco.example',
  'file://banco.example',
  'chrome-extension://banco.example',
  'banco.example',
  '//banco.example',
  'https:banco.example',
  'https://banco.example.',
  'https://BANCO.example',
  'HTTPS://banco.example',
  'https://banco.example:443',
  'https://banco.example:8443',
  'https://banco.example/',
  'https://banco.example/evil',
  'https://banco.example?evil',
  'https://banco.example#evil',
  'https://banco.example%00.evil.example',
  'https://banco.example%0d%0aX-Evil:%20yes',
  'https://banco.example\tevil',
  'https://banco.example@evil.example',
  'https://evil@banco.example',
  'https://user:password@banco.example',
  'https://evil.example#banco.example',
  'https://evil.example/banco.example',
  String.raw`https://evil.example\banco.example`,
  // Headers that list two origins, and the second permitted host with a different port.
  'https://banco.example https://evil.example',
  'https://banco.example, https://evil.example',
  'https://banco.example,https://panel.example:8443',
  'https://panel.example',
  'https://panel.example:443',
  'https://panel.example:84433',
  // Origins that are permitted only if SITE_URL has its default value.
  'http://localhost:3000',
  'http://127.0.0.1',
  // Requests with two origins, and requests with the headers that proxies use to pass the original host.
  `${site}\r\nOrigin: https://evil.example`,
  `https://evil.example\r\nOrigin: ${site}`,
  'https://evil.example\r\nX-Forwarded-Host: evil.example',
  'https://evil.example\r\nForwarded: host=evil.example;proto=https',
]

test.for(hostileOrigins)('a page of %j cannot use any surface', async (origin) => {
  expect(await letIn(origin)).toEqual([])
})

test.for([site, listed])('a page of %s can use every surface', async (origin) => {
  expect(await letIn(origin)).toHaveLength(3 * paths.length + 1)
})

/** Sends requests that a web page of this origin could send, and returns the requests that the server permits. */
async function letIn(origin: string): Promise<string[]> {
  const apikey = await program().anonKey()
  const common = `Host: evil.example\r\napikey: ${apikey}\r\nOrigin: ${origin}\r\n`
  const isReadable = ({ headers }: RawAnswer) =>
    [...headers.keys()].some((name) => name.startsWith('access-control-')) ||
    (origin.length > 1 && [...headers.values()].some((value) => value.includes(origin)))
  const isTaken = (answer: RawAnswer) => isReadable(answer) || answer.status !== 403
  const attempts = [
    ...paths.flatMap((path) => [
      { line: `GET ${path}`, more: 'Content-Length: 0\r\n', isLetIn: isReadable },
      { line: `POST ${path}`, more: 'Content-Length: 0\r\n', isLetIn: isReadable },
      { line: `OPTIONS ${path}`, more: 'Access-Control-Request-Method: POST\r\n', isLetIn: isTaken },
    ]),
    { line: 'GET /realtime/v1/websocket?vsn=2.0.0', more: handshake, isLetIn: isTaken },
  ]
  const verdicts = await Promise.all(
    attempts.map(async ({ line, more, isLetIn }) =>
      isLetIn(await firstAnswer(program().url, `${line} HTTP/1.1\r\n${common}${more}\r\n`)) ? [line] : [],
    ),
  )
  return verdicts.flat()
}
