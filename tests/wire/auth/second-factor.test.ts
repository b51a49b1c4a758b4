// Authenticator apps: the number of attempts is limited (security.md AN-08), and each code can be used only once (RFC
// 6238, section 5.2).
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { addApp, signUpWithApp } from '#tests/wire/authenticator-app.ts'
import { claimsOf, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { readMails, tokenIn, waitForMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

test('adding an app returns a QR code, a secret and an otpauth URL', async () => {
  const { client, email } = await signUpCustomer()

  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mi teléfono' })

  expect(error).toBe(null)
  expect(data?.type).toBe('totp')
  expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /)
  expect(data?.totp.secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(data?.totp.uri ?? '')
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toBe(`/Banco Finanzas:${email}`)
  expect(uri.searchParams.get('secret')).toBe(data?.totp.secret)
  // The app must stay unverified until its first correct code.
  const level = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
  expect((await client.auth.getUser()).data.user?.factors).toMatchObject([{ status: 'unverified' }])
})

test('the first code raises the session to aal2 with new tokens and ends all other sessions', async () => {
  const person = await signUpCustomer()
  const phone = await signIn(person)

  const { factorId } = await addApp(person)

  const { data } = await person.client.auth.getSession()
  expect(data.session?.refresh_token).not.toBe(person.session.refresh_token)
  const claims = claimsOf(data.session?.access_token)
  expect(claims).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'totp' }, { method: 'otp' }],
    session_id: claimsOf(person.session.access_token).session_id,
  })
  expect(data.session?.user.factors).toMatchObject([
    { id: factorId, factor_type: 'totp', status: 'verified' },
  ])
  expect((await phone.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  const refreshed = await person.client.auth.refreshSession()
  expect(claimsOf(refreshed.data.session?.access_token).aal).toBe('aal2')
})

test('a code and a challenge can each be used only once, even while the code is still valid', async () => {
  const { app, factorId, halfway } = await signUpWithApp()
  const { mfa } = halfway.client.auth
  const replayed = await mfa.challengeAndVerify({ factorId, code: app.lastCode() })
  const challengeId = (await mfa.challenge({ factorId })).data?.id ?? ''
  const fresh = await mfa.verify({ factorId, challengeId, code: await app.nextCode() })
  const again = await mfa.verify({ factorId, challengeId, code: app.codeAhead(0) })

  expect(replayed.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
  expect(fresh.error).toBe(null)
  expect(again.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
})

test('an unknown challenge and another session’s challenge are refused', async () => {
  const { app, factorId, halfway, ...person } = await signUpWithApp()
  const code = await app.nextCode()
  const answer = async (challengeId: string) =>
    (await halfway.client.auth.mfa.verify({ factorId, challengeId, code })).error
  const other = await signIn(person)
  const foreign = (await other.client.auth.mfa.challenge({ factorId })).data?.id ?? ''

  expect(await answer(randomUUID())).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
  expect(await answer('none')).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
  expect(await answer(foreign)).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
})

test('if two sessions send the same code simultaneously, only one of them gets access', async () => {
  const { app, factorId, halfway, ...person } = await signUpWithApp()
  const other = await signIn(person)
  const code = await app.nextCode()

  const answers = await Promise.all(
    [halfway, other].map(({ client }) => client.auth.mfa.challengeAndVerify({ factorId, code })),
  )

  expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
})

test('six simultaneous answers confirm an app once and send one mail with a working link', async () => {
  const person = await signUpCustomer()
  const { data } = await person.client.auth.mfa.enroll({ factorType: 'totp' })
  const factorId = data?.id ?? ''
  const app = new AuthenticatorApp(data?.totp.secret ?? '')
  const code = await app.nextCode()
  const token = person.session.access_token
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { body } = await rawAuth('POST', `/factors/${factorId}/challenge`, { body: {}, token })
      return { challenge_id: (body as { id: string }).id, code }
    }),
  )

  const shown = await Promise.all(
    answers.map((body) => rawAuth('POST', `/factors/${factorId}/verify`, { body, token })),
  )

  expect(shown.filter(({ status }) => status === 200)).toHaveLength(1)
  const { link } = await waitForMail(person.email, 2)
  const { token_hash } = tokenIn(link)
  const undone = await newClient().auth.verifyOtp({ type: 'recovery', token_hash })
  expect(undone).toMatchObject({ error: null, data: { session: null } })
  expect((await person.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  expect(await readMails(person.email)).toHaveLength(2)
})

test('after five wrong codes, the next attempt gets 429 with Retry-After', async () => {
  const { app, factorId, halfway } = await signUpWithApp()
  const { client, session } = halfway
  const { data } = await client.auth.mfa.challenge({ factorId })
  const verify = (code: string) =>
    rawAuth('POST', `/factors/${factorId}/verify`, {
      body: { challenge_id: data?.id, code },
      token: session.access_token,
    })
  for (const digit of '12345') expect((await verify(digit.repeat(6))).status).toBe(422)

  const answer = await verify(await app.nextCode())

  expect([answer.status, answer.body]).toMatchObject([429, { code: 'over_request_rate_limit' }])
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(30)
  // The refusal must not end the session.
  expect((await client.auth.getUser()).error).toBe(null)
})

test('removing the app lowers every session to aal1, and mails report that the app was added and removed', async () => {
  const person = await signUpCustomer()
  // The first mail contained the link that confirmed the address.
  const notices = async () => (await readMails(person.email)).slice(1)
  const { app, factorId } = await addApp(person)
  await expect.poll(notices).toHaveLength(1)
  const phone = await signIn(person)
  await phone.client.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })

  const { data, error } = await phone.client.auth.mfa.unenroll({ factorId })

  expect(error).toBe(null)
  expect(data).toEqual({ id: factorId })
  await expect.poll(notices).toHaveLength(2)
  const [added, removed] = await notices()
  expect(added).toContain('acaba de recibir una aplicación de autenticación')
  expect(removed).toContain('ya no usa una de sus aplicaciones de autenticación')
  const refreshed = await person.client.auth.refreshSession()
  expect(claimsOf(refreshed.data.session?.access_token)).toMatchObject({
    aal: 'aal1',
    amr: [{ method: 'otp' }],
  })
  expect(refreshed.data.session?.user).not.toHaveProperty('factors')
  const { client } = await signIn(person)
  expect((await client.from('budgets').select('balance').single()).error).toBe(null)
})

test('a customer cannot use or remove another customer’s app', async () => {
  const { client: anas, factorId } = await signUpWithApp()
  const { client } = await signUpCustomer()

  for (const { error } of [
    await client.auth.mfa.challenge({ factorId }),
    await client.auth.mfa.unenroll({ factorId }),
  ])
    expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  expect((await anas.auth.getUser()).data.user?.factors).toHaveLength(1)
})

test('an account cannot have two apps with the same name or more than ten apps', async () => {
  const { client } = await signUpCustomer()
  await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mi teléfono' })

  const same = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mi teléfono' })
  for (let count = 1; count < 10; count += 1) await client.auth.mfa.enroll({ factorType: 'totp' })
  const eleventh = await client.auth.mfa.enroll({ factorType: 'totp' })

  expect(same.error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' })
  expect(eleventh.error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' })
})

test('each of ten recovery codes permits one sign-in', async () => {
  const person = await signUpCustomer()
  const { factorId } = await addApp(person)
  const { data } = await person.client.auth.mfa.recoveryCodes.generate()
  const codes = data?.codes ?? []
  expect(new Set(codes).size).toBe(10)
  expect(codes.every((code) => /^[a-hjkmnp-z2-9]{16}$/.test(code))).toBe(true)
  const [code = ''] = codes

  const first = await signIn(person)
  const typed = `${code.slice(0, 8)} - ${code.slice(8)}`.toUpperCase()
  expect((await first.client.auth.mfa.recoveryCodes.verify({ code: typed })).error).toBe(null)
  // The first three mails were about the address, the app and the recovery codes.
  await expect.poll(() => readMails(person.email)).toHaveLength(4)
  expect((await readMails(person.email))[3]).toContain('con uno de tus códigos de recuperación')
  const second = await signIn(person)
  const again = await second.client.auth.mfa.recoveryCodes.verify({ code })

  expect(again.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
  const { session } = (await first.client.auth.getSession()).data
  expect(claimsOf(session?.access_token)).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/recovery_code' }, {}],
  })
  const status = await first.client.auth.mfa.recoveryCodes.getStatus()
  expect(status.data).toMatchObject({ type: 'recovery_code', total: 10, remaining: 9 })
  expect(session?.user.factors?.map(({ factor_type }) => factor_type)).toEqual(['totp', 'recovery_code'])
  // Removing the app must also remove the recovery codes.
  await first.client.auth.mfa.unenroll({ factorId })
  expect((await first.client.auth.getUser()).data.user).not.toHaveProperty('factors')
})

test('new recovery codes void the old codes, and must be requested explicitly as a renewal', async () => {
  const person = await signUpCustomer()
  await addApp(person)
  const { mfa } = person.client.auth
  const first = await mfa.recoveryCodes.generate({ friendlyName: 'En el cajón' })

  const again = await mfa.recoveryCodes.generate()
  const renewed = await mfa.recoveryCodes.regenerate()

  expect(again.error).toMatchObject({ status: 422, code: 'mfa_verified_factor_exists' })
  expect(renewed.data).toMatchObject({ id: first.data?.id, friendly_name: 'En el cajón', total: 10 })
  const { client } = await signIn(person)
  const old = await client.auth.mfa.recoveryCodes.verify({ code: first.data?.codes[0] ?? '' })
  expect(old.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
  const fresh = await client.auth.mfa.recoveryCodes.verify({ code: renewed.data?.codes[0] ?? '' })
  expect(fresh.error).toBe(null)
})

test('a session that has not verified a factor cannot create recovery codes', async () => {
  const person = await signUpCustomer()
  const { recoveryCodes } = person.client.auth.mfa
  const alone = await recoveryCodes.generate()
  const none = await recoveryCodes.regenerate()
  await addApp(person)
  await recoveryCodes.generate()
  const { client } = await signIn(person)

  const atOneFactor = await client.auth.mfa.recoveryCodes.regenerate()
  const removed = await recoveryCodes.unenroll()

  expect(alone.error).toMatchObject({ status: 422, code: 'mfa_recovery_codes_sole_factor' })
  expect(none.error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  expect(atOneFactor.error).toMatchObject({ status: 403, code: 'insufficient_aal' })
  expect(removed.error).toBe(null)
  expect((await recoveryCodes.getStatus()).error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
})
