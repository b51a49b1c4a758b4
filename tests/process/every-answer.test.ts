/**
 * Answers of the server to every method on every kind of URL, and to URLs that scanners try (security.md HD-03, HD-07,
 * HD-08).
 */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { signIn } from '#testing/people.ts'
import { programOfFile } from './programs.ts'

const program = programOfFile()
let callers: Record<string, string>[]
beforeAll(async () => {
  const apikey = await program().anonKey()
  const { session } = await signIn(program())
  callers = [{}, { apikey, authorization: `Bearer ${session.access_token}` }]
})

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
/** Paths of all surfaces. Each way in which a surface answers or refuses a request occurs at least once. */
const surfacePaths = [
  ...under(
    '/auth/v1/',
    `signup token token?grant_type=password user reauthenticate recover otp resend verify verify?token=x&type=signup
    factors factors/1/challenge factors/recovery-codes settings health .well-known/jwks.json admin/users
    admin/generate_link invite authorize stop_notices?token=x unknown`,
  ),
  ...under(
    '/rest/v1/',
    `transactions transactions?id=eq.x budgets?select=balance profiles?limit=1 rpc/explain_balance rpc/export_my_data
    rpc/receipt rpc/unknown unknown a/b/c`,
  ),
  ...under('/functions/v1/', 'manage-users manage-transactions delete-account statement unknown'),
  ...under('/realtime/v1/', 'websocket api/broadcast'),
  ...under('/storage/v1/', 'bucket object/x'),
  '/graphql/v1',
]
const pagePaths = [
  '/',
  '/transacciones',
  '/config.json',
  '/manifest.webmanifest',
  '/health',
  '/ready',
  '/estado',
]
const otherPaths = [
  '/metrics',
  '/.well-known/finanzas-statement-keys.json',
  '/assets/none.js',
  '/%ff',
  '/a.b',
]

test('every answer has the security headers and the right media type and its status is below 500', async () => {
  const faults: string[] = []
  let answered = 0
  for (const path of [...surfacePaths, ...pagePaths, ...otherPaths])
    for (const method of methods)
      for (const headers of callers) {
        const answer = await ask(method, path, headers)
        const found = [
          ...(answer.status < 500 ? [] : ['status']),
          ...Object.entries(securityHeaders).flatMap(([name, value]) =>
            answer.headers[name] === value ? [] : [name],
          ),
          ...(pagePaths.includes(path) || isNeverStored(answer) ? [] : ['cache-control']),
          ...(hasMediaType(answer) ? [] : [`content-type ${answer.headers['content-type']}`]),
        ]
        if (found.length > 0) faults.push(`${method} ${path} ${answer.status}: ${found.join(', ')}`)
        answered += 1
      }

  expect(faults).toEqual([])
  expect(answered).toBeGreaterThan(900)
})

test('a scanner finds no file outside the built page', async () => {
  const page = (await ask('GET', '/')).body
  const found: string[] = []
  for (const path of scannedPaths()) {
    const { status, body } = await ask('GET', path)
    if (![400, 401, 404].includes(status) && !(status === 200 && body === page))
      found.push(`${path} ${status}`)
  }

  expect(found).toEqual([])
  expect(scannedPaths().length).toBeGreaterThan(500)
})

type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }

/** Sends a request. Unlike `fetch`, does not normalize the path. */
async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { hostname, port } = new URL(program().url)
  const sent = request({ hostname, port, method, path, headers })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

function isNeverStored({ headers }: Answer): boolean {
  return ['no-store', 'no-cache'].includes(headers['cache-control'] ?? '')
}

/** Returns whether the media type fits the body. JSON has no charset (RFC 8259), and an empty body needs no type. */
function hasMediaType({ headers, body }: Answer): boolean {
  if (body === '') return true
  const type = headers['content-type'] ?? ''
  if (/^application\/(?:[\w.+-]+\+)?json(?:; charset=utf-8)?$/.test(type)) return isJson(body)
  return /^text\/(?:html|plain|csv); ?charset=utf-8$/.test(type)
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

function under(prefix: string, paths: string): string[] {
  return ['', ...paths.split(/\s+/)].map((path) => prefix + path)
}

/** Returns the paths of files that servers expose by mistake, in the folders and encodings that scanners try. */
function scannedPaths(): string[] {
  const files = `.env .git/config .git/HEAD .npmrc .ssh/id_rsa package.json package-lock.json secrets.json
    data/secrets.json backup.key outbox server/main.ts server/settings/config.ts supabase/config.toml etc/passwd
    proc/self/environ wp-login.php phpinfo.php index.html.map web.config id_rsa dump.sql backup.tar.gz server-status
    actuator/env debug/pprof/heap`.split(/\s+/)
  const folders =
    `/ // /./ /../ /../../ /assets/../ /assets/../../ /assets/../../../ /..;/ /%2e%2e/ /%2e%2e%2f
    /..%2f..%2f /..%5c..%5c /assets/%2e%2e/%2e%2e/ /assets/..%2f..%2f..%2f /%252e%252e/ /.%00./ /admin/ /api/
    /static/../../`.split(/\s+/)
  return folders.flatMap((folder) => files.map((file) => folder + file))
}
