/**
 * Tests the rotation of the signing secret (docs/decisions/0036). While the server still accepts the former secret,
 * existing sessions stay valid. The server signs only with the new secret. Sealed values stay readable during and after
 * the rotation.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { type SupabaseClient, createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { isolatedAuth, signIn } from '#testing/people.ts'
import { administrator } from '#testing/server.ts'
import {
  type Program,
  clusterOfFile,
  hasPostgres,
  migratedDirectory,
  startOn,
} from '#tests/process/programs.ts'

const former = { JWT_SECRET: `the former secret of this test ${randomUUID()}` }
const next = { JWT_SECRET: `the next secret of this test ${randomUUID()}` }
const both = { ...next, JWT_SECRET_PREVIOUS: former.JWT_SECRET }
const cluster = clusterOfFile()

type Tokens = { access_token: string; refresh_token: string }

/** Sends a read with the given API key and access token, and returns the status of the answer. */
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

function isSignedWith({ JWT_SECRET }: typeof next, token: string): boolean {
  const [header, payload, signature] = token.split('.')
  return createHmac('sha256', JWT_SECRET).update(`${header}.${payload}`).digest('base64url') === signature
}

test('sessions signed with the former secret stay valid until its removal, and new tokens use the new secret', async () => {
  const here = { DATA_DIR: await migratedDirectory() }
  const before = await startOn({ ...here, ...former })
  const formerKey = await before.anonKey()
  const [returning, absent] = [(await signIn(before)).session, (await signIn(before)).session]
  await before.stop()

  const during = await startOn({ ...here, ...both })
  const newKey = await during.anonKey()
  const isStillRead = await read(during, formerKey, returning.access_token)
  const renewed = await refresh(during, formerKey, returning)
  const isReadAnew = await read(during, newKey, renewed.tokens.access_token)
  await during.stop()

  expect(newKey).not.toBe(formerKey)
  expect([isStillRead, renewed.status, isReadAnew]).toEqual([200, 200, 200])
  expect([newKey, renewed.tokens.access_token].map((token) => isSignedWith(next, token))).toEqual([
    true,
    true,
  ])

  const after = await startOn({ ...here, ...next })
  expect(await read(after, newKey, renewed.tokens.access_token)).toBe(200)
  expect((await refresh(after, newKey, renewed.tokens)).status).toBe(200)
  expect(await read(after, formerKey, renewed.tokens.access_token)).toBe(401)
  expect(await read(after, newKey, absent.access_token)).toBe(401)
  expect(await refresh(after, newKey, absent)).toMatchObject({
    status: 400,
    tokens: { error_code: 'refresh_token_not_found' },
  })
})

/** Returns a signed-in client in which the recovery-code API is enabled. */
async function signInWithCodes(program: Program): Promise<SupabaseClient> {
  const auth = { ...isolatedAuth, experimental: { recoveryCodes: true } }
  const client = createClient(program.url, await program.anonKey(), { auth })
  expect((await client.auth.signInWithPassword(administrator)).error).toBeNull()
  return client
}

/** Adds an authenticator app and returns a function that verifies a client's second factor with the app's next code. */
async function addApp(client: SupabaseClient) {
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (app?.type !== 'totp') throw new Error('No app was added.')
  const phone = new AuthenticatorApp(app.totp.secret)
  const enter = async (by: SupabaseClient) =>
    by.auth.mfa.challengeAndVerify({ factorId: app.id, code: await phone.nextCode() })
  expect((await enter(client)).error).toBeNull()
  return enter
}

test('second factors and idempotency keys survive the rotation and the temporary loss of a secret', async () => {
  const here = { DATA_DIR: await migratedDirectory() }
  const before = await startOn({ ...here, ...former })
  const owner = await signInWithCodes(before)
  const enter = await addApp(owner)
  const { data: paper } = await owner.auth.mfa.recoveryCodes.generate()
  const { data: me } = await owner.auth.getUser()
  const transactionData = { user_id: me.user?.id, type: 'deposit', amount: 12.5, description: 'Nómina' }
  const call = {
    headers: { 'idempotency-key': randomUUID() },
    body: { action: 'create', transactionData },
  }
  const { data: deposited } = await owner.functions.invoke('manage-transactions', call)
  await before.stop()

  // A single server starts even if it does not know the bank's previous secrets.
  const lost = await startOn({ ...here, JWT_SECRET: `another secret ${randomUUID()}` })
  expect((await enter(await signInWithCodes(lost))).error).not.toBeNull()
  await lost.stop()

  await (await startOn({ ...here, ...both })).stop()
  const after = await startOn({ ...here, ...next })
  const again = await signInWithCodes(after)
  expect((await enter(again)).error).toBeNull()
  expect((await again.functions.invoke('manage-transactions', call)).data).toEqual(deposited)
  const other = await signInWithCodes(after)
  const typed = await other.auth.mfa.recoveryCodes.verify({ code: paper?.codes[0] ?? '' })
  expect(typed.error).toBeNull()
})

// The embedded engine supports only one server.
test.skipIf(!hasPostgres)(
  'several servers can change the secret one by one, and every session stays valid at every server',
  async () => {
    const startWith = (secrets: Record<string, string>) =>
      startOn({ DATABASE_URL: cluster().ownerUrl, ...secrets })
    // In the first step every server accepts the new secret. In the second step every server signs with the new secret.
    // In the third step every server stops accepting the former secret.
    const steps = [{ ...former, JWT_SECRET_PREVIOUS: next.JWT_SECRET }, both, next]
    const servers: [Program, Program] = [await startWith(former), await startWith(former)]
    let tokens: Tokens = (await signIn(servers[0])).session
    const refusals: string[] = []

    for (const [number, secrets] of steps.entries()) {
      for (const place of [0, 1] as const) {
        await servers[place].stop()
        servers[place] = await startWith(secrets)
        for (const server of servers) {
          const apikey = await server.anonKey()
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
  },
)
