// A session alone adds and removes no second factor (docs/decisions/0044): the proof is that of a new password.
import { expect, inject, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { isOldClient, refusal } from '#tests/wire/client-version.ts'
import { type Person, newClient, newEmail, signIn, signUpCustomer, waitForCode } from '#tests/wire/people.ts'
import { runAsOwner } from '#tests/wire/owner-sql.ts'

// A session gets old by SQL alone.
const onPostgres = test.skipIf(inject('server').ownerUrl === null)

const needsProof = refusal(400, 'reauthentication_needed')

/** A session that was opened an hour ago, without a proof since. */
async function signedInLongAgo<P extends Pick<Person, 'id'>>(person: P): Promise<P> {
  await runAsOwner(
    `update auth.sessions set amr = (
       select jsonb_agg(jsonb_set(a, '{timestamp}', to_jsonb((a ->> 'timestamp')::bigint - 3600)))
       from jsonb_array_elements(amr) a)
     where user_id = '${person.id}'`,
  )
  return person
}

onPostgres('an hour after signing in an app is added with the present password, not without', async () => {
  const { client, password } = await signedInLongAgo(await signUpCustomer())

  const alone = await client.auth.mfa.enroll({ factorType: 'totp' })
  const wrong = await client.auth.updateUser({ current_password: 'otra clave' })
  const proven = await client.auth.updateUser({ current_password: password })
  const added = await client.auth.mfa.enroll({ factorType: 'totp' })

  expect(alone.error).toMatchObject(needsProof)
  expect(wrong.error).toMatchObject(refusal(400, 'current_password_invalid'))
  expect(proven.error).toBe(null)
  expect(added.error).toBe(null)
})

onPostgres('a mailed code does as well as the password, once', async () => {
  const person = await signedInLongAgo(await signUpCustomer())
  const { client, email } = person
  await client.auth.reauthenticate()
  const nonce = await waitForCode(email, 2)

  expect((await client.auth.updateUser({ nonce })).error).toBe(null)
  expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toBe(null)

  expect((await client.auth.updateUser({ nonce })).error).toMatchObject(
    refusal(422, 'reauthentication_not_valid'),
  )
})

onPostgres(
  'without a password nor is a first one chosen then, which would be proof: a mailed code is',
  async () => {
    const email = newEmail()
    const client = newClient()
    expect(
      (await client.auth.signInWithOtp({ email, options: { data: { full_name: 'Ana Pérez' } } })).error,
    ).toBe(null)
    const { data } = await client.auth.verifyOtp({ type: 'email', email, token: await waitForCode(email) })
    await signedInLongAgo({ id: data.user?.id ?? '' })

    const alone = await client.auth.updateUser({ password: 'su primera clave' })
    expect(alone.error).toMatchObject(refusal(400, 'current_password_required'))
    await client.auth.reauthenticate()
    const nonce = await waitForCode(email, 2)
    const proven = await client.auth.updateUser({ password: 'su primera clave', nonce })

    expect(proven.error).toBe(null)
    await expect(signIn({ email, password: 'su primera clave' })).resolves.toBeDefined()
  },
)

onPostgres('nor is one taken away, or new codes made, without it', async () => {
  const person = await signUpCustomer()
  const { factorId } = await addApp(person)
  await signedInLongAgo(person)

  const removed = await person.client.auth.mfa.unenroll({ factorId })
  expect(removed.error).toMatchObject(needsProof)
  if (!isOldClient) {
    const made = await person.client.auth.mfa.recoveryCodes.generate()
    expect(made.error).toMatchObject(needsProof)
  }

  await person.client.auth.updateUser({ current_password: person.password })

  if (!isOldClient) {
    expect((await person.client.auth.mfa.recoveryCodes.generate()).error).toBe(null)
    await signedInLongAgo(person)
    expect((await person.client.auth.mfa.recoveryCodes.unenroll()).error).toMatchObject(needsProof)
    await person.client.auth.updateUser({ current_password: person.password })
  }
  expect((await person.client.auth.mfa.unenroll({ factorId })).error).toBe(null)
})
