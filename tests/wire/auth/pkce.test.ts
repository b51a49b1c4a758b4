// PKCE (RFC 7636): a link can sign in only the browser that requested the link, because only that browser has the
// verifier.
import { createHash, randomBytes } from 'node:crypto'
import { type SupabaseClient, createClient } from '@supabase/supabase-js'
import { expect, inject, test } from 'vitest'
import { newEmail } from '#testing/population.ts'
import { signUpCustomer } from '#tests/wire/people.ts'
import { followLink, followMail, waitForMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

/** Creates a real client that uses PKCE and keeps its verifier in separate storage. */
function pkceClient(): SupabaseClient {
  const { url, anonKey } = inject('server')
  const kept = new Map<string, string>()
  return createClient(url, anonKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    },
  })
}

function codeIn(page: string): string {
  return new URL(page).searchParams.get('code') ?? ''
}

/** Requests a recovery link with a known verifier and follows the link. Returns the code and the verifier. */
async function codeFor(
  challenge: (verifier: string) => { code_challenge: string; code_challenge_method?: string },
) {
  const { email } = await signUpCustomer()
  const verifier = randomBytes(32).toString('base64url')
  await rawAuth('POST', '/recover', { body: { email, ...challenge(verifier) } })
  const { page } = await followMail(email, 2)
  return { code: codeIn(page), verifier }
}

const s256 = (verifier: string) => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 's256',
})

function exchange(auth_code: string, code_verifier: string) {
  return rawAuth('POST', '/token?grant_type=pkce', {
    body: { auth_code, code_verifier },
  })
}

test('links for sign-up, sign-in and recovery return a code that the requesting client can exchange', async () => {
  const client = pkceClient()
  const email = newEmail()
  await client.auth.signUp({ email, password: 'una clave larga' })
  const signUp = await waitForMail(email)
  expect(new URL(signUp.link).searchParams.get('token')).toMatch(/^pkce_/)
  const opened = await followLink(signUp.link)
  expect(opened.fragment.toString()).toBe('')
  const signedUp = await client.auth.exchangeCodeForSession(codeIn(opened.page))
  expect(signedUp.data.session?.user.email).toBe(email)

  await client.auth.signInWithOtp({ email })
  const magic = await followMail(email, 2)
  expect((await client.auth.exchangeCodeForSession(codeIn(magic.page))).error).toBe(null)

  await client.auth.resetPasswordForEmail(email)
  const recovery = await followMail(email, 3)
  expect((await client.auth.exchangeCodeForSession(codeIn(recovery.page))).error).toBe(null)
  expect((await client.auth.updateUser({ password: 'una clave nueva' })).error).toBe(null)
})

test('the second link of an address change returns a code', async () => {
  const client = pkceClient()
  const { email, password } = await signUpCustomer()
  await client.auth.signInWithPassword({ email, password })
  const next = newEmail()
  await client.auth.updateUser({ email: next })
  await followMail(next)

  const { page } = await followMail(email, 2)

  const { data } = await client.auth.exchangeCodeForSession(codeIn(page))
  expect(data.session?.user.email).toBe(next)
})

test('a client without the verifier cannot exchange the code', async () => {
  const { code } = await codeFor(s256)

  const { status, body } = await exchange(code, randomBytes(32).toString('base64url'))

  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'bad_code_verifier' })
})

test('a code can be exchanged only once', async () => {
  const { code, verifier } = await codeFor(s256)

  const answers = await Promise.all([1, 2, 3].map(() => exchange(code, verifier)))

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  expect((await exchange(code, verifier)).body).toMatchObject({ code: 'flow_state_not_found' })
})

test('a new password voids codes that were not exchanged', async () => {
  const { email, password, session } = await signUpCustomer()
  const verifier = randomBytes(32).toString('base64url')
  await rawAuth('POST', '/recover', { body: { email, ...s256(verifier) } })
  const { page } = await followMail(email, 2)
  const changed = await rawAuth('PUT', '/user', {
    token: session.access_token,
    body: { password: 'otra clave larga', current_password: password },
  })
  expect(changed.status).toBe(200)

  const { status, body } = await exchange(codeIn(page), verifier)

  expect(status).toBe(404)
  expect(body).toMatchObject({ code: 'flow_state_not_found' })
})

test('a PKCE challenge without a method is compared with the unhashed verifier', async () => {
  const { code, verifier } = await codeFor((text) => ({ code_challenge: text }))

  expect((await exchange(code, verifier)).status).toBe(200)
})

test('the error of a used link is also in the query string, because pages that use PKCE read the query string', async () => {
  const { email } = await signUpCustomer()
  await pkceClient().auth.resetPasswordForEmail(email)
  await followMail(email, 2)

  const { page, fragment } = await followMail(email, 2)

  expect(new URL(page).searchParams.get('error_code')).toBe('otp_expired')
  expect(fragment.get('error_code')).toBe('otp_expired')
})
