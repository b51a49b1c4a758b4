/**
 * What others do does not use up somebody's limits: neither strangers behind the same address (security.md AN-07), nor
 * who holds the token of an ended session or the password without the second factor (DO-04).
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { migratedDirectory, programOfFile, startProgram, untilReady } from './server-program.ts'

const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }
const program = programOfFile({
  TRUST_PROXY: '127.0.0.1',
  ADMIN_EMAIL: administrator.email,
  ADMIN_PASSWORD: administrator.password,
})
const alone = { persistSession: false, autoRefreshToken: false }
let anonKey = ''
let serviceRoleKey = ''

beforeAll(async () => {
  const text = await readFile(join(program().dataDir, 'secrets.json'), 'utf8')
  ;({ anonKey, serviceRoleKey } = JSON.parse(text) as { anonKey: string; serviceRoleKey: string })
})

/** A request as it comes from the address. */
async function ask(from: string, path: string, { body, token }: { body?: object; token?: string } = {}) {
  const answer = await fetch(`${program().url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${token ?? anonKey}`,
      'content-type': 'application/json',
      'x-forwarded-for': from,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, string> }
}

const signIn = (from: string, email: string, password: string) =>
  ask(from, '/auth/v1/token?grant_type=password', { body: { email, password } })
const refresh = (from: string, token: string | undefined) =>
  ask(from, '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: token } })
const nobody = () => `${randomUUID()}@banco.example`

/** A confirmed customer. */
async function newCustomer() {
  const person = { email: nobody(), password: `clave ${randomUUID()}` }
  const operator = createClient(program().url, serviceRoleKey, { auth: alone })
  const { error } = await operator.auth.admin.createUser({ ...person, email_confirm: true })
  if (error !== null) throw new Error('The customer could not be made.', { cause: error })
  return person
}

test('who is known on a network signs in there, whatever strangers behind the same address try', async () => {
  const { email, password } = await newCustomer()
  expect((await signIn('198.51.100.1', email, password)).status).toBe(200)
  const tries: number[] = []
  for (let index = 0; index < 31; index += 1)
    tries.push((await signIn('198.51.100.1', nobody(), 'no es la clave')).status)
  expect(tries.at(-1)).toBe(429)

  expect((await signIn('198.51.100.1', email, password)).status).toBe(200)
})

test('a session refreshes, however often another one behind the same address does, and however many dead ones are tried there', async () => {
  const { email, password } = await newCustomer()
  const sessions = await Promise.all([1, 2, 3].map(() => signIn('198.51.100.3', email, password)))
  const [mine, busy, dead] = sessions.map(({ body }) => body)
  let token = busy?.['refresh_token']
  for (let index = 0; index < 31; index += 1)
    token = (await refresh('198.51.100.3', token)).body['refresh_token']
  await ask('198.51.100.3', '/auth/v1/logout?scope=local', { body: {}, token: dead?.['access_token'] ?? '' })
  const tries: number[] = []
  for (let index = 0; index < 151; index += 1)
    tries.push((await refresh('198.51.100.3', dead?.['refresh_token'])).status)
  expect(tries.at(-1)).toBe(503)

  expect((await refresh('198.51.100.3', mine?.['refresh_token'])).status).toBe(200)
})

test('who is known on a network gets a recovery link there, however many mails strangers behind it asked for', async () => {
  const { email, password } = await newCustomer()
  await signIn('198.51.100.4', email, password)
  const recover = (to: string) => ask('198.51.100.4', '/auth/v1/recover', { body: { email: to } })
  const tries: number[] = []
  for (let index = 0; index < 31; index += 1) tries.push((await recover(nobody())).status)
  expect(tries.at(-1)).toBe(429)

  expect((await recover(email)).status).toBe(200)
})

test('an ended session takes nothing of its owner’s, and leaves nothing in the log or the audit', async () => {
  const { email, password } = await newCustomer()
  const [ended, own] = await Promise.all([1, 2].map(() => signIn('198.51.100.5', email, password)))
  const [endedToken, ownToken] = [ended?.body['access_token'] ?? '', own?.body['access_token'] ?? '']
  await ask('198.51.100.5', '/auth/v1/logout?scope=local', { body: {}, token: endedToken })
  const erase = (token: string) =>
    ask('198.51.100.5', '/functions/v1/delete-account', { body: { password: '' }, token })

  const refused: number[] = []
  for (let wave = 0; wave < 31; wave += 1) {
    const answers = Array.from({ length: 20 }, () => erase(endedToken))
    refused.push(...(await Promise.all(answers)).map(({ status }) => status))
  }
  const mail = await ask('198.51.100.5', '/auth/v1/reauthenticate', { token: endedToken })

  expect(new Set(refused)).toEqual(new Set([401]))
  expect((await erase(ownToken)).status).toBe(400)
  expect(mail.status).toBe(403)
  expect((await ask('198.51.100.5', '/auth/v1/reauthenticate', { token: ownToken })).status).toBe(200)
  expect(program().output()).not.toContain('action denied')
})

test('the password alone takes nothing of the calls of an administrator who has a second factor', async () => {
  const client = createClient(program().url, anonKey, { auth: alone })
  await client.auth.signInWithPassword(administrator)
  await addApp({ client })
  const { data } = await client.auth.getSession()
  const byPassword = await signIn('198.51.100.6', administrator.email, administrator.password)
  const call = (token: string) =>
    ask('198.51.100.6', '/functions/v1/manage-users', { body: { action: 'list' }, token })

  const tries: number[] = []
  for (let wave = 0; wave < 31; wave += 1) {
    const answers = Array.from({ length: 20 }, () => call(byPassword.body['access_token'] ?? ''))
    tries.push(...(await Promise.all(answers)).map(({ status }) => status))
  }

  expect(new Set(tries)).toEqual(new Set([403]))
  expect((await call(data.session?.access_token ?? '')).status).toBe(400)
})

test('a server that no proxy was named to says once that one seems to be in front', async () => {
  const untold = await startProgram({ DATA_DIR: await migratedDirectory() })
  await untilReady(untold)
  const askThrough = () =>
    fetch(`${untold.url}/auth/v1/health`, { headers: { 'x-forwarded-for': '198.51.100.7' } })

  await askThrough()
  await askThrough()

  const warnings = () =>
    untold
      .output()
      .split('\n')
      .filter((line) => line.includes('X-Forwarded-For arrives, and TRUST_PROXY is not set'))
  await expect.poll(() => warnings().length).toBeGreaterThan(0)
  expect(warnings()).toHaveLength(1)
  expect(program().output()).not.toContain('X-Forwarded-For')
})
