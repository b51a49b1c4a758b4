/**
 * The signing secret changes (docs/decisions/0036): while the other one is accepted no session ends, nothing
 * new is signed with it, and what was sealed outlives both.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { startCluster } from '#testing/cluster.ts'
import { anonKeyOf, clientOf } from '#tests/process/client.ts'
import {
  type Program,
  emptyDirectory,
  migratedDirectory,
  startProgram,
  untilReady,
} from '#tests/process/server-program.ts'

const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }
const former = `the former secret of this test ${randomUUID()}`
const next = `the next secret of this test ${randomUUID()}`

type Tokens = { access_token: string; refresh_token: string }

/** The embedded bank of a directory with these secrets; its last server has ended. */
async function start(environment: Record<string, string>): Promise<Program> {
  const program = await startProgram({
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    AUTH_RATE_LIMITS: 'off',
    // The one address at which people reach them: what one of them signs is for all.
    SITE_URL: 'http://localhost',
    ...environment,
  })
  await untilReady(program)
  return program
}

async function end(program: Program): Promise<void> {
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}

async function signIn(program: Program): Promise<Tokens> {
  const { data, error } = await (await clientOf(program)).auth.signInWithPassword(administrator)
  if (data.session === null) throw new Error('Signing in failed.', { cause: error })
  return data.session
}

/** The status of a read with these keys. */
async function read(program: Program, apikey: string, token: string): Promise<number> {
  const headers = { apikey, authorization: `Bearer ${token}` }
  return (await fetch(`${program.url}/rest/v1/budgets?select=balance`, { headers })).status
}

async function refresh(program: Program, apikey: string, { refresh_token }: Tokens) {
  const answer = await fetch(`${program.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  })
  return { status: answer.status, tokens: (await answer.json()) as Tokens }
}

function isSignedWith(secret: string, token: string): boolean {
  const [header, payload, signature] = token.split('.')
  return createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url') === signature
}

test('a former secret that is accepted signs nobody out and nothing new; once it is not, only what is new counts', async () => {
  const DATA_DIR = await migratedDirectory()
  const before = await start({ DATA_DIR, JWT_SECRET: former })
  const formerKey = await anonKeyOf(before)
  const [returning, absent] = [await signIn(before), await signIn(before)]
  await end(before)

  const during = await start({ DATA_DIR, JWT_SECRET: next, JWT_SECRET_PREVIOUS: former })
  const newKey = await anonKeyOf(during)
  const isStillRead = await read(during, formerKey, returning.access_token)
  const renewed = await refresh(during, formerKey, returning)
  const isReadAnew = await read(during, newKey, renewed.tokens.access_token)
  await end(during)

  expect(newKey).not.toBe(formerKey)
  expect(isSignedWith(next, newKey)).toBe(true)
  expect(isStillRead).toBe(200)
  expect(renewed.status).toBe(200)
  expect(isReadAnew).toBe(200)
  expect(isSignedWith(next, renewed.tokens.access_token)).toBe(true)

  const after = await start({ DATA_DIR, JWT_SECRET: next })
  expect(await read(after, newKey, renewed.tokens.access_token)).toBe(200)
  expect((await refresh(after, newKey, renewed.tokens)).status).toBe(200)
  expect(await read(after, formerKey, renewed.tokens.access_token)).toBe(401)
  expect(await read(after, newKey, absent.access_token)).toBe(401)
  expect(await refresh(after, newKey, absent)).toMatchObject({
    status: 400,
    tokens: { error_code: 'refresh_token_not_found' },
  })
}, 120_000)

test('apps, codes on paper and keys of calls that were sent outlive the secret under which they were made', async () => {
  const DATA_DIR = await migratedDirectory()
  const before = await start({ DATA_DIR, JWT_SECRET: former })
  const owner = createClient(before.url, await anonKeyOf(before), {
    auth: { persistSession: false, experimental: { recoveryCodes: true } },
  })
  await owner.auth.signInWithPassword(administrator)
  const { data: app } = await owner.auth.mfa.enroll({ factorType: 'totp' })
  if (app?.type !== 'totp') throw new Error('No app was added.')
  const phone = new AuthenticatorApp(app.totp.secret)
  await owner.auth.mfa.challengeAndVerify({ factorId: app.id, code: await phone.nextCode() })
  const { data: paper } = await owner.auth.mfa.recoveryCodes.generate()
  const { data: me } = await owner.auth.getUser()
  const call = { headers: { 'idempotency-key': randomUUID() }, body: depositFor(me.user?.id ?? '') }
  const { data: deposited } = await owner.functions.invoke('manage-transactions', call)
  await end(before)
  await end(await start({ DATA_DIR, JWT_SECRET: next, JWT_SECRET_PREVIOUS: former }))

  const after = await start({ DATA_DIR, JWT_SECRET: next })
  const again = await clientOf(after)
  await again.auth.signInWithPassword(administrator)
  const shown = await again.auth.mfa.challengeAndVerify({ factorId: app.id, code: await phone.nextCode() })
  const repeated = await again.functions.invoke('manage-transactions', call)
  const other = createClient(after.url, await anonKeyOf(after), {
    auth: { persistSession: false, experimental: { recoveryCodes: true } },
  })
  await other.auth.signInWithPassword(administrator)
  const typed = await other.auth.mfa.recoveryCodes.verify({ code: paper?.codes[0] ?? '' })

  expect(shown.error).toBe(null)
  expect(repeated.data).toEqual(deposited)
  expect(typed.error).toBe(null)
}, 120_000)

test('a secret that is lost for good keeps nobody from serving, and found again it opens what it sealed', async () => {
  const DATA_DIR = await migratedDirectory()
  const before = await start({ DATA_DIR, JWT_SECRET: former })
  const owner = await clientOf(before)
  await owner.auth.signInWithPassword(administrator)
  const { data: app } = await owner.auth.mfa.enroll({ factorType: 'totp' })
  if (app?.type !== 'totp') throw new Error('No app was added.')
  const phone = new AuthenticatorApp(app.totp.secret)
  await owner.auth.mfa.challengeAndVerify({ factorId: app.id, code: await phone.nextCode() })
  await end(before)

  const lost = await start({ DATA_DIR, JWT_SECRET: next })
  const reader = await clientOf(lost)
  const signedIn = await reader.auth.signInWithPassword(administrator)
  const refused = await reader.auth.mfa.challengeAndVerify({ factorId: app.id, code: await phone.nextCode() })
  await end(lost)

  expect(signedIn.error).toBe(null)
  expect(refused.error).not.toBe(null)

  const found = await clientOf(await start({ DATA_DIR, JWT_SECRET: former }))
  await found.auth.signInWithPassword(administrator)
  const shown = await found.auth.mfa.challengeAndVerify({ factorId: app.id, code: await phone.nextCode() })
  expect(shown.error).toBe(null)
}, 120_000)

// The embedded engine has one server.
describe.skipIf(findPostgresBinaries() === undefined)('several servers', () => {
  test('exchanged one after the other they change the secret, and a session is good at each of them all the time', async () => {
    const cluster = await startCluster({ isDurable: false })
    onTestFinished(() => cluster.stop())
    const place = { DATABASE_URL: cluster.ownerUrl }
    const startWith = async (secrets: Record<string, string>) =>
      start({ DATA_DIR: await emptyDirectory(), ...place, ...secrets })
    // First the coming one is accepted everywhere, then it signs everywhere, then the former one is forgotten.
    const steps = [
      { JWT_SECRET: former, JWT_SECRET_PREVIOUS: next },
      { JWT_SECRET: next, JWT_SECRET_PREVIOUS: former },
      { JWT_SECRET: next },
    ]
    const servers = [await startWith({ JWT_SECRET: former }), await startWith({ JWT_SECRET: former })]
    let tokens = await signIn(servers[0] as Program)
    const refusals: string[] = []

    for (const [number, secrets] of steps.entries()) {
      for (const place of [0, 1]) {
        await end(servers[place] as Program)
        servers[place] = await startWith(secrets)
        for (const server of servers) {
          const apikey = await anonKeyOf(server)
          const status = await read(server, apikey, tokens.access_token)
          const renewed = await refresh(server, apikey, tokens)
          tokens = renewed.tokens
          if (status !== 200 || renewed.status !== 200)
            refusals.push(`step ${number + 1}, server ${place + 1}: ${status}, ${renewed.status}`)
        }
      }
    }

    expect(refusals).toEqual([])
    expect(isSignedWith(next, tokens.access_token)).toBe(true)
  }, 240_000)
})

function depositFor(customer: string) {
  return {
    action: 'create',
    transactionData: { user_id: customer, type: 'deposit', amount: 12.5, description: 'Nómina' },
  }
}
