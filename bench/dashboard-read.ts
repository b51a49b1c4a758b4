/** The read that every sign-in begins with, as HTTP has it and as the database gets it. */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import type { Database, SqlStatement } from '#server/database/database.ts'
import { asCaller, scopeStatement } from '#server/database/scope.ts'
import { parseRequest } from '#server/rest/parse.ts'
import { planRequest } from '#server/rest/plan.ts'
import { createSchemaCache } from '#server/rest/schema-cache.ts'
import { statementOf } from '#server/rest/sql.ts'
import { TokenKey } from '#server/tokens/access-token.ts'
import { deriveApiKeys } from '#server/tokens/api-keys.ts'
import { customerId, customersCount, sessionId } from './customers.ts'

/** Customers that take part in a run, spread over all of them. */
const readers = Array.from({ length: 32 }, (_, index) => 1 + Math.floor((index * customersCount) / 32))

const lifeSeconds = 3600

function claimsOf(number: number): AccessTokenClaims {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: 'bench',
    sub: customerId(number),
    aud: 'authenticated',
    exp: now + lifeSeconds,
    iat: now,
    email: `c${number}@banco.example`,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { full_name: 'Cliente' },
    role: 'authenticated',
    aal: 'aal1',
    amr: [],
    session_id: sessionId(number),
    is_anonymous: false,
  }
}

const pathOf = (number: number) =>
  `/rest/v1/transactions?select=*&user_id=eq.${customerId(number)}&order=date.desc&limit=5`

/** Complete HTTP requests, one for each reader. */
export async function httpRequests(jwtSecret: string, port: number): Promise<string[]> {
  const key = await TokenKey.of(jwtSecret)
  const { anonKey } = await deriveApiKeys(key)
  return Promise.all(
    readers.map(async (number) =>
      [
        `GET ${pathOf(number)} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `apikey: ${anonKey}`,
        `Authorization: Bearer ${await key.sign(claimsOf(number))}`,
        'Accept: */*',
        'Accept-Profile: public',
        '\r\n',
      ].join('\r\n'),
    ),
  )
}

/** What the server sends to the database for each reader: the scope, then the read. */
export async function sqlBatches(database: Database): Promise<SqlStatement[][]> {
  const schemas = createSchemaCache(database)
  return Promise.all(
    readers.map(async (number) => {
      const parsed = parseRequest({
        method: 'GET',
        table: 'transactions',
        url: pathOf(number),
        headers: {},
        body: undefined,
      })
      const plan = await schemas.plan((schema) => planRequest(schema, parsed))
      const scope = asCaller({ role: 'authenticated', claims: claimsOf(number) }, 'read')
      return [scopeStatement(scope), statementOf(plan)]
    }),
  )
}
