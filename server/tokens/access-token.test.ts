import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { TokenKey, readAccessTokenClaims } from './access-token.ts'
import { deriveApiKeys } from './api-keys.ts'
import { readCaller } from './caller.ts'

const secret = 'a test secret of more than 32 characters'
const siteUrl = 'http://localhost'
const sub = '00000000-0000-4000-8000-000000000001'
const session = '00000000-0000-4000-9000-000000000001'
let nowMs: number
let key: TokenKey

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  key = await TokenKey.of(secret, { siteUrl, now: () => nowMs })
})

const claims = (change: object = {}) => ({
  iss: `${siteUrl}/auth/v1`,
  sub,
  aud: 'authenticated' as const,
  exp: 1_800_003_600,
  iat: 1_800_000_000,
  email: 'ana@banco.example',
  phone: '',
  app_metadata: {},
  user_metadata: {},
  role: 'authenticated' as const,
  aal: 'aal1' as const,
  amr: [],
  session_id: session,
  is_anonymous: false,
  ...change,
})

/** Returns a token with the given header and claims, signed with the right secret. */
function forge(head: object, payload: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode(head)}.${encode(payload)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

test('a signed token is verified and read', async () => {
  expect(await key.verify(await key.sign(claims()))).toEqual({ ok: true, claims: claims() })
})

test('a key accepts tokens of the previous secret, and signs new tokens with the current secret', async () => {
  const both = await TokenKey.of('another secret of more than 32 characters', {
    siteUrl,
    previousSecret: secret,
    now: () => nowMs,
  })
  const expired = await key.sign(claims({ exp: 1_799_999_000 }))

  expect(await both.verify(await key.sign(claims()))).toEqual({ ok: true, claims: claims() })
  expect(await both.verify(expired)).toMatchObject({ ok: false, reason: 'expired' })
  expect(await key.verify(await both.sign(claims()))).toMatchObject({ ok: false, reason: 'signature' })
})

test('a token is accepted until 30 seconds after its expiry, even if it is cached', async () => {
  const token = await key.sign(claims())
  nowMs = 1_800_003_629_000
  expect((await key.verify(token)).ok).toBe(true)

  nowMs = 1_800_003_631_000
  expect(await key.verify(token)).toMatchObject({ ok: false, reason: 'expired' })
  expect(await (await TokenKey.of(secret, { siteUrl, now: () => nowMs })).verify(token)).toMatchObject({
    ok: false,
    reason: 'expired',
  })
})

test.each([
  [
    'another key',
    async () => (await TokenKey.of('another secret of more than 32 characters', { siteUrl })).sign(claims()),
  ],
  ['no signature', () => `${forge({ alg: 'HS256' }, claims()).split('.').slice(0, 2).join('.')}.`],
  ['the algorithm none', () => forge({ alg: 'none' }, claims())],
  ['another algorithm', () => forge({ alg: 'HS512' }, claims())],
  ['a critical extension', () => forge({ alg: 'HS256', crit: ['x'], x: 1 }, claims())],
  ['no expiry', () => forge({ alg: 'HS256' }, claims({ exp: undefined }))],
  ['an expiry that is text', () => forge({ alg: 'HS256' }, claims({ exp: '1900000000' }))],
  ['not yet valid', () => forge({ alg: 'HS256' }, claims({ nbf: 1_900_000_000 }))],
  ['issued in 31 seconds', () => forge({ alg: 'HS256' }, claims({ iat: 1_800_000_031 }))],
  ['two parts', () => 'abc.def'],
  ['no token', () => ''],
])('a token with %s is refused', async (_what, make) => {
  expect((await key.verify(await make())).ok).toBe(false)
})

test('a token from a server whose clock is 30 seconds ahead is accepted', async () => {
  expect((await key.verify(forge({ alg: 'HS256' }, claims({ iat: 1_800_000_030 })))).ok).toBe(true)
})

test('a key in a token’s header is ignored', async () => {
  const token = forge({ alg: 'HS256', kid: '../../etc/passwd', jku: 'https://evil.example' }, claims())

  expect((await key.verify(token)).ok).toBe(true)
})

test.each([
  ['padding at its end', (token: string) => `${token}=`],
  ['padding inside', (token: string) => token.replaceAll('.', '=.')],
  ['stray bits in its last character', (token: string) => token.slice(0, -1) + strayBits(token.slice(-1))],
])('a token with %s is malformed although it decodes to the same bytes', async (_what, rewrite) => {
  const token = await key.sign(claims({}))
  expect(await key.verify(token)).toMatchObject({ ok: true })

  expect(await key.verify(rewrite(token))).toMatchObject({ ok: false, reason: 'malformed' })
})

/**
 * Returns the next character of the base64url alphabet. If 32 bytes are encoded, the last character and its successor
 * differ only in the two unused bits.
 */
function strayBits(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(character) + 1] ?? 'A'
}

test.each([
  ['no subject', { sub: undefined }],
  ['a subject that is not an id', { sub: 'ana' }],
  ['another site', { iss: 'http://localhost:3001/auth/v1' }],
  ['no site', { iss: undefined }],
  ['no time at which it was issued', { iat: undefined }],
  ['no session', { session_id: undefined }],
  ['another audience', { aud: 'other' }],
  ['a list of audiences', { aud: ['authenticated'] }],
  ['the role postgres', { role: 'postgres' }],
  ['the service role and a subject', { role: 'service_role' }],
])('a token with %s does not identify a user', (_what, change) => {
  expect(readAccessTokenClaims(claims(change) as never, key.issuer)).toBeNull()
})

test('the service key is accepted as the bearer token only if it is also the API key', async () => {
  const { serviceRoleKey, anonKey } = await deriveApiKeys(key)

  expect(await readCaller(key, serviceRoleKey, 'anon')).toMatchObject({ ok: false })
  expect(await readCaller(key, serviceRoleKey, 'service_role')).toEqual({
    ok: true,
    caller: { role: 'service_role' },
  })
  expect(await readCaller(key, anonKey, 'anon')).toEqual({ ok: true, caller: { role: 'anon' } })
  expect(await readCaller(key, null, 'anon')).toEqual({ ok: true, caller: { role: 'anon' } })
})

test('servers with the same secret derive the same API keys', async () => {
  expect(await deriveApiKeys(key)).toEqual(await deriveApiKeys(await TokenKey.of(secret, { siteUrl })))
})
