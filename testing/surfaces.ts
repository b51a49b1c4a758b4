/**
 * Serves `/auth/v1`, `/functions/v1` and `/rest/v1` without a network port, and keeps in memory the mails that they send.
 */
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { type InjectOptions, fastify } from 'fastify'
import { afterAll } from 'vitest'
import { createUser } from '#server/people/user-management.ts'
import { type Passwords, createPasswords } from '#server/people/password/passwords.ts'
import type { Mail } from '#server/mail/mail-page.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Throttle } from '#server/throttle/throttle.ts'
import { TokenKey } from '#server/tokens/access-token.ts'
import { deriveApiKeys } from '#server/tokens/api-keys.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { RefreshTokenKey } from '#server/tokens/refresh-token.ts'
import type { Database } from '#server/database/database.ts'
import { authSurface } from '#server/auth/surface.ts'
import { functionsSurface } from '#server/functions/surface.ts'
import { createSchemaCache } from '#server/rest/schema/cache.ts'
import { restSurface } from '#server/rest/surface.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'

const siteUrl = 'https://banco.example'
const secret = 'a secret of more than thirty-two characters'

export type Answer = { status: number; retryAfter: number; text: string; json: () => Record<string, unknown> }
export type Tokens = { access_token: string; refresh_token: string }
/** A request. `from` is the client's IP address. */
type Asked = { from?: string; body?: object; token?: string }

/** Opens a database for the current test file and closes it after the last test. */
export async function databaseOfFile(): Promise<TestDatabase> {
  const bank = await openTestDatabase()
  afterAll(() => bank.close())
  return bank
}

/** Hashes passwords at a very low cost, which saves time in tests. */
export const quickPasswords = createPasswords({
  lengthMin: 8,
  brandName: 'Banco Finanzas',
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
})

/** Returns a mailer that keeps the mails in the list. */
export function mailerInto(mails: Mail[]): Mailer {
  return {
    send: (mail) => Promise.resolve(void mails.push(mail)),
    deliverSoon: () => undefined,
    close: () => Promise.resolve(),
  }
}

type SurfaceOptions = {
  throttle: Throttle
  autoconfirm?: boolean
  passwords?: Passwords
  onStaffCall?: () => void
  /** Draws the papers; without it, the server's own writer does. */
  papers?: Parameters<typeof functionsSurface>[1]
}

/** Starts the API surfaces against a database. `close` does not close the database. */
export async function openSurfaces(database: Database, options: SurfaceOptions) {
  const mails: Mail[] = []
  const log: string[] = []
  const services = await servicesOf(database, mails, options)
  const app = fastify({
    logger: { stream: streamInto(log), level: 'warn' },
    routerOptions: { maxParamLength: 1000 },
  })
  void app.register(authSurface(services), { prefix: '/auth/v1' })
  void app.register(functionsSurface(services, options.papers), { prefix: '/functions/v1' })
  const { onStaffCall } = options
  const schemas = createSchemaCache(database)
  void app.register(
    restSurface({ ...services, schemas, ...(onStaffCall === undefined ? {} : { onStaffCall }) }),
    { prefix: '/rest/v1' },
  )

  const send = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    { from = '127.0.0.1', body, token }: Asked,
  ): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: path.startsWith('/functions') ? path : `/auth/v1${path}`,
      remoteAddress: from,
      headers: {
        apikey: services.apiKeys.anonKey,
        'x-supabase-api-version': '2024-01-01',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    const retryAfter = Number(answer.headers['retry-after'] ?? 0)
    return { status: answer.statusCode, retryAfter, text: answer.body, json: () => answer.json() }
  }

  return {
    mails,
    log,
    keys: services.keys,
    tokenKey: services.tokenKey,
    apiKeys: services.apiKeys,
    /** Sends a request without an API key. The path is relative to the server. */
    inject: (request: InjectOptions) => app.inject(request),
    /** Listens on a free port, for a test of connections. Returns the address. */
    listen: () => app.listen({ port: 0 }),
    close: () => app.close(),
    /**
     * Sends a `POST` if the request has a body, and a `GET` otherwise. The path is relative to `/auth/v1` unless it
     * begins with `/functions`.
     */
    ask: (path: string, request: Asked = {}) =>
      send(request.body === undefined ? 'GET' : 'POST', path, request),
    put: (path: string, request: Asked) => send('PUT', path, request),
    newCustomer: (role: 'user' | 'admin' = 'user') => newCustomer(services, role),
  }
}

async function servicesOf(
  database: Database,
  mails: Mail[],
  { throttle, autoconfirm = false, passwords = quickPasswords }: SurfaceOptions,
) {
  const tokenKey = await TokenKey.of(secret, { siteUrl })
  return {
    database,
    tokenKey,
    refreshTokenKey: RefreshTokenKey.of(secret),
    keys: deriveKeys(secret),
    apiKeys: { ...(await deriveApiKeys(tokenKey)), accepted: null },
    passwords,
    paperKey: null,
    mailer: mailerInto(mails),
    throttle,
    config: {
      siteUrl,
      isDefaultSite: false,
      port: 3000,
      brandName: 'Banco',
      displayCurrency: 'USD' as const,
      bankParticulars: {},
      supportContact: '',
      autoconfirm,
    },
  }
}

/** Returns a stream that adds each line to the list. */
function streamInto(lines: string[]): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
}

/** Creates a user with a confirmed address. */
async function newCustomer(
  { database, passwords }: { database: Database; passwords: Passwords },
  role: 'user' | 'admin',
) {
  const person = { email: `${randomUUID()}@banco.example`, password: `clave ${randomUUID()}` }
  const user = await createUser(database, {
    email: person.email,
    passwordHash: await passwords.hash(person.password, person),
    isConfirmed: true,
    userMetadata: {},
    appMetadata: { role },
    banSeconds: null,
  })
  if (user === null) throw new Error('The customer could not be made.')
  return { ...person, id: user.id }
}

/** Parses the tokens in an answer. */
export function tokensIn({ text }: Answer): Tokens {
  return JSON.parse(text) as Tokens
}
