// What a change of password needs (security.md AN-10): the present one, a recovery link, or a mailed code.
import { expect, test } from 'vitest'
import { refusal, sessionEnded } from '#tests/wire/client-version.ts'
import {
  newClient,
  newEmail,
  openRecovery,
  otherThan,
  readMails,
  signIn,
  signUpCustomer,
  waitForCode,
} from '#tests/wire/people.ts'

const next = 'una clave nueva'

test('a session alone does not change the password', async () => {
  const person = await signUpCustomer()

  const { error } = await person.client.auth.updateUser({ password: next })

  expect(error).toMatchObject(refusal(400, 'current_password_required'))
  await expect(signIn(person)).resolves.toBeDefined()
})

test('a wrong present password does not change it either', async () => {
  const person = await signUpCustomer()

  const { error } = await person.client.auth.updateUser({ password: next, current_password: 'otra clave' })

  expect(error).toMatchObject(refusal(400, 'current_password_invalid'))
  await expect(signIn(person)).resolves.toBeDefined()
})

test('a code that was mailed changes it, once, and the owner is told', async () => {
  const { client, email, password } = await signUpCustomer()
  expect((await client.auth.reauthenticate()).error).toBe(null)
  const nonce = await waitForCode(email, 2)

  const changed = await client.auth.updateUser({ password: next, nonce })
  const again = await client.auth.updateUser({ password, nonce })

  expect(changed.error).toBe(null)
  expect(changed.data.user).toHaveProperty('reauthentication_sent_at')
  expect(again.error).toMatchObject(refusal(422, 'reauthentication_not_valid'))
  await expect.poll(async () => (await readMails(email))[2]).toContain('acaba de cambiar')
})

test('after five wrong codes the right one is worthless', async () => {
  const { client, email } = await signUpCustomer()
  await client.auth.reauthenticate()
  const nonce = await waitForCode(email, 2)
  const wrong = otherThan(nonce)

  for (let tries = 0; tries < 5; tries += 1) {
    const { error } = await client.auth.updateUser({ password: next, nonce: wrong })
    expect(error).toMatchObject(refusal(422, 'reauthentication_not_valid'))
  }

  const { error } = await client.auth.updateUser({ password: next, nonce })
  expect(error).toMatchObject(refusal(422, 'reauthentication_not_valid'))
})

test('somebody else’s code is no code', async () => {
  const ana = await signUpCustomer()
  const luis = await signUpCustomer()
  await ana.client.auth.reauthenticate()
  await luis.client.auth.reauthenticate()
  const nonce = await waitForCode(luis.email, 2)

  const { error } = await ana.client.auth.updateUser({ password: next, nonce })

  expect(error).toMatchObject(refusal(422, 'reauthentication_not_valid'))
})

test('two who use one recovery link at the same moment set one password', async () => {
  const { email } = await signUpCustomer()
  const client = await openRecovery(email, 2)
  const candidates = ['una clave nueva', 'y otra clave más', 'y una tercera más']

  const answers = await Promise.all(candidates.map((password) => client.auth.updateUser({ password })))

  expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
  const refused = answers.filter(({ error }) => error !== null)
  for (const { error } of refused) expect(error).toMatchObject(refusal(400, 'current_password_required'))
  const chosen = candidates[answers.findIndex(({ error }) => error === null)] ?? ''
  await expect(signIn({ email, password: chosen })).resolves.toBeDefined()
})

test('of a password that lost, the address beside it is not asked for either', async () => {
  const { email } = await signUpCustomer()
  const client = await openRecovery(email, 2)
  const candidates = ['una clave nueva', 'y otra clave más', 'y una tercera más']
  const wanted = candidates.map((password) => ({ password, email: newEmail() }))

  const answers = await Promise.all(wanted.map((change) => client.auth.updateUser(change)))

  const won = answers.findIndex(({ error }) => error === null)
  expect((await client.auth.getUser()).data.user?.new_email).toBe(wanted[won]?.email)
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
})

test('every other session ends, their refresh tokens too', async () => {
  const person = await signUpCustomer()
  const phone = await signIn(person)

  await person.client.auth.updateUser({ password: next, current_password: person.password })

  expect((await phone.client.auth.getUser()).error).toMatchObject(sessionEnded)
  const refreshed = await newClient().auth.refreshSession({ refresh_token: phone.session.refresh_token })
  expect(refreshed.error).toMatchObject(refusal(400, 'refresh_token_not_found'))
  await expect(signIn(person)).rejects.toThrow()
  await expect(signIn({ ...person, password: next })).resolves.toBeDefined()
  expect((await person.client.auth.getUser()).error).toBe(null)
})
