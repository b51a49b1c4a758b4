/** A request of somebody's, as the bytes that HTTP has and as the statements that the database gets for it. */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import type { Database, SqlStatement } from '#server/database/database.ts'
import { asCaller, scopeStatement } from '#server/database/scope.ts'
import { parseRequest } from '#server/rest/parse/parse.ts'
import { planRequest } from '#server/rest/plan/plan.ts'
import { createSchemaCache } from '#server/rest/schema/cache.ts'
import { statementOf } from '#server/rest/sql/statement.ts'
import { TokenKey } from '#server/tokens/access-token.ts'
import { deriveApiKeys } from '#server/tokens/api-keys.ts'
import { customerId, emailOf, sessionId } from './customers.ts'

/** The key of every server under measurement; of no use elsewhere. */
export const jwtSecret = 'a secret for measurements, of no use elsewhere'

/** What servers under measurement are told to be known as, so that one token serves them all. */
export const siteUrl = 'http://bench.localhost'

const lifeSeconds = 3600

/** One request; `path` begins behind the origin. */
export type WireRequest = {
  readonly person: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON text. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The key of a server that is known by that address. */
export function tokenKeyOf(address: string): Promise<TokenKey> {
  return TokenKey.of(jwtSecret, { siteUrl: address })
}

/** What the access token of that person's session says; a server takes it with its key's issuer only. */
export function claimsOf(person: number, issuer = 'bench'): AccessTokenClaims {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    sub: customerId(person),
    aud: 'authenticated',
    exp: now + lifeSeconds,
    iat: now,
    email: emailOf(person),
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { full_name: 'Cliente' },
    role: 'authenticated',
    aal: 'aal1',
    amr: [],
    session_id: sessionId(person),
    is_anonymous: false,
  }
}

/** The headers of that person's requests: the API key and a token of their session. */
export async function headersOf(person: number): Promise<{ apikey: string; authorization: string }> {
  const key = await tokenKeyOf(siteUrl)
  const { anonKey } = await deriveApiKeys(key)
  return { apikey: anonKey, authorization: `Bearer ${await key.sign(claimsOf(person, key.issuer))}` }
}

/** The complete requests, heads and bodies. */
export async function httpTexts(requests: readonly WireRequest[]): Promise<string[]> {
  return Promise.all(
    requests.map(async ({ person, method, path, body = '', headers = {} }) => {
      const lines = { host: '127.0.0.1', accept: '*/*', ...(await headersOf(person)), ...headers }
      const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const type = body === '' ? {} : { 'content-type': 'application/json' }
      const head = Object.entries({ ...lines, ...type, ...length }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      return `${[`${method} ${path} HTTP/1.1`, ...head].join('\r\n')}\r\n\r\n${body}`
    }),
  )
}

/** What the table API sends to the database for each request: the scope, then the one statement. */
export async function batchesOf(
  database: Database,
  requests: readonly WireRequest[],
): Promise<SqlStatement[][]> {
  const schemas = createSchemaCache(database)
  return Promise.all(
    requests.map(async ({ person, method, path, body, headers = {} }) => {
      const [, table = ''] = /^\/rest\/v1\/(\w+)/.exec(path) ?? []
      const parsed = parseRequest({
        method,
        table,
        url: path,
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      const plan = await schemas.plan((schema) => planRequest(schema, parsed))
      const access = plan.action === 'read' ? 'read' : 'write'
      const scope = asCaller({ role: 'authenticated', claims: claimsOf(person) }, access)
      return [scopeStatement(scope), statementOf(plan)]
    }),
  )
}
