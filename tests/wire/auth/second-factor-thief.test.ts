// The account's owner can undo everything that a thief does with a stolen session (docs/decisions/0044).
import { expect, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, newClient, openRecovery, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { readMails, tokenIn, waitForMail } from '#tests/wire/mails.ts'
import { onPostgres } from './passing-time.ts'
import { rawAuth } from './raw-auth.ts'

/** Waits until the person has received `count` mails, so that the number of the next mail is known. */
async function countMails({ email }: Pick<Person, 'email'>, count: number): Promise<void> {
  await expect.poll(async () => (await readMails(email)).length).toBe(count)
}

async function letWaitPass({ id }: Pick<Person, 'id'>): Promise<void> {
  await runAsOwner(
    `update auth.users set factors_end_at = factors_end_at - interval '72 hours' where id = '${id}'`,
  )
}

test('the link in the notice removes the app and ends every session', async () => {
  const thief = await signUpCustomer()
  await addApp(thief)
  const { link, text } = await waitForMail(thief.email, 2)
  expect(text).toContain('acaba de recibir una aplicación de autenticación')
  expect(new URL(link).pathname).toBe('/enlace')
  // A mail scanner that opens the link does not consume the token, because the part after `#` is not sent to the
  // server.
  const token = tokenIn(link).token_hash
  await fetch(link)
  for (const type of ['recovery', 'second_factor'])
    await rawAuth('GET', `/verify?${new URLSearchParams({ type, token }).toString()}`)
  expect((await thief.client.auth.getUser()).data.user?.factors).toMatchObject([{ status: 'verified' }])

  const undone = await newClient().auth.verifyOtp({ type: 'recovery', token_hash: token })

  expect(undone).toMatchObject({ error: null, data: { session: null } })
  expect((await thief.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  await expect(signIn(thief)).rejects.toThrow()
  const owner = await openRecovery(thief.email, 3)
  expect((await owner.auth.updateUser({ password: 'una clave nueva' })).error).toBe(null)
  const { session } = await signIn({ email: thief.email, password: 'una clave nueva' })
  expect(session.user.factors ?? []).toEqual([])
  const again = await newClient().auth.verifyOtp({ type: 'recovery', token_hash: token })
  expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' })
})

test('the link in the notice about renewed codes removes the codes but not the earlier app', async () => {
  const person = await signUpCustomer()
  const { mfa } = person.client.auth
  const first = await addApp(person)
  await mfa.recoveryCodes.generate()
  const second = await addApp(person)
  await mfa.unenroll({ factorId: first.factorId })
  await countMails(person, 5)
  expect((await mfa.recoveryCodes.regenerate()).error).toBe(null)

  const token = tokenIn((await waitForMail(person.email, 6)).link).token_hash
  const undone = await newClient().auth.verifyOtp({ type: 'recovery', token_hash: token })

  expect(undone.error).toBe(null)
  const owner = await openRecovery(person.email, 7)
  const { data } = await owner.auth.getUser()
  expect(data.user?.factors).toMatchObject([{ id: second.factorId, status: 'verified' }])
})

test('the link in the notice about an earlier app also removes codes that were renewed later', async () => {
  const person = await signUpCustomer()
  const { mfa } = person.client.auth
  const owners = await addApp(person)
  await mfa.recoveryCodes.generate()
  await countMails(person, 3)
  await addApp(person)
  const token = tokenIn((await waitForMail(person.email, 4)).link).token_hash
  await mfa.recoveryCodes.regenerate()
  await countMails(person, 5)

  await newClient().auth.verifyOtp({ type: 'recovery', token_hash: token })

  const owner = await openRecovery(person.email, 6)
  expect((await owner.auth.getUser()).data.user?.factors).toMatchObject([{ id: owners.factorId }])
})

onPostgres('the link in a notice expires after 72 hours', async () => {
  const person = await signUpCustomer()
  await addApp(person)
  const token = tokenIn((await waitForMail(person.email, 2)).link).token_hash
  await runAsOwner(
    `update auth.mfa_factors set undo_expires_at = undo_expires_at - interval '72 hours' where user_id = '${person.id}'`,
  )

  const { error } = await newClient().auth.verifyOtp({ type: 'recovery', token_hash: token })

  expect(error).toMatchObject({ status: 403, code: 'otp_expired' })
  expect((await person.client.auth.getUser()).error).toBe(null)
})

onPostgres(
  'an owner who missed the notice can remove a thief’s app with a recovery link and a wait of 72 hours',
  async () => {
    const thief = await signUpCustomer()
    const { app, factorId } = await addApp(thief)
    const owner = await openRecovery(thief.email, 3)
    const locked = await owner.auth.updateUser({ password: 'una clave nueva' })
    expect(locked.error).toMatchObject({ status: 403, code: 'insufficient_aal' })

    const asked = await owner.auth.mfa.unenroll({ factorId })

    expect(asked.error).toBe(null)
    await waitForText(thief.email, 'pidió quitarle la verificación en dos pasos')
    // The thief's session shows no sign of the pending removal, and the thief cannot cancel the removal with the app
    // and the password.
    const back = await signIn(thief)
    await back.client.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })
    await back.client.auth.updateUser({ current_password: thief.password })
    expect((await back.client.auth.getUser()).error).toBe(null)

    await letWaitPass(thief)
    await expect(signIn(thief)).rejects.toThrow()

    expect((await back.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    await runAsOwner(`delete from private.attempts`)
    const again = await openRecovery(thief.email, 5)
    expect((await again.auth.updateUser({ password: 'una clave nueva' })).error).toBe(null)
    await expect(signIn({ email: thief.email, password: 'una clave nueva' })).resolves.toBeDefined()
  },
)

onPostgres(
  'a person who has the mailbox and the app can cancel a removal requested with only the mailbox',
  async () => {
    const person = await signUpCustomer()
    const { app, factorId } = await addApp(person)
    const reader = await openRecovery(person.email, 3)
    await reader.auth.mfa.unenroll({ factorId })

    await runAsOwner(`delete from private.attempts`)
    const owner = await openRecovery(person.email, 5)
    const shown = await owner.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })
    await letWaitPass(person)

    expect(shown.error).toBe(null)
    expect((await signIn(person)).session.user.factors).toMatchObject([{ id: factorId, status: 'verified' }])
  },
)

test('removing all factors requires a recovery link, and a repeated request does not restart the wait', async () => {
  const person = await signUpCustomer()
  const { factorId } = await addApp(person)
  const byPassword = await signIn(person)
  const owner = await openRecovery(person.email, 3)
  const token = (await owner.auth.getSession()).data.session?.access_token ?? ''
  const ask = () => rawAuth('DELETE', `/factors/${factorId}`, { token })

  const refused = await byPassword.client.auth.mfa.unenroll({ factorId })
  const first = await ask()
  const second = await ask()

  expect(refused.error).toMatchObject({ status: 403, code: 'insufficient_aal' })
  expect([first.status, second.status]).toEqual([202, 202])
  expect(second.body).toEqual(first.body)
  const { id, ends_at: endsAt } = first.body as { id: string; ends_at: string }
  expect(id).toBe(factorId)
  expect((new Date(endsAt).getTime() - Date.now()) / 3_600_000).toBeCloseTo(72, 0)
  await waitForText(person.email, 'La quitaremos el')
  expect((await readMails(person.email)).filter((text) => text.includes('La quitaremos el'))).toHaveLength(1)
})

/** Waits until the address has received a mail that contains the words. */
async function waitForText(email: string, words: string): Promise<void> {
  await expect.poll(async () => (await readMails(email)).some((text) => text.includes(words))).toBe(true)
}
