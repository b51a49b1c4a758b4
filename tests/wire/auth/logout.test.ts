// Signing out: which sessions end, and that they end at once.
import { expect, test } from 'vitest'
import { claimsOf, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

async function threeDevices() {
  const person = await signUpCustomer()
  return { mine: await signIn(person), phone: await signIn(person), tablet: await signIn(person) }
}

async function isAlive({ session }: { session: { access_token: string } }): Promise<boolean> {
  const { data } = await newClient().auth.getUser(session.access_token)
  return data.user !== null
}

test.each([
  ['global', { mine: false, phone: false, tablet: false }],
  ['local', { mine: false, phone: true, tablet: true }],
  ['others', { mine: true, phone: false, tablet: false }],
] as const)('signing out with scope %s', async (scope, expected) => {
  const { mine, phone, tablet } = await threeDevices()

  const { error } = await mine.client.auth.signOut({ scope })

  expect(error).toBe(null)
  expect({
    mine: await isAlive(mine),
    phone: await isAlive(phone),
    tablet: await isAlive(tablet),
  }).toEqual(expected)
})

test('signing out answers 204 and nothing', async () => {
  const { session } = await signUpCustomer()

  const { status, text } = await rawAuth('POST', '/logout', {
    token: session.access_token,
  })

  expect(status).toBe(204)
  expect(text).toBe('')
})

test('a customer’s sign-out ends nobody else’s session', async () => {
  const { client } = await signUpCustomer()
  const other = await signUpCustomer()

  await client.auth.signOut({ scope: 'global' })

  expect(await isAlive(other)).toBe(true)
})

test('signing in again after a sign-out is another session', async () => {
  const person = await signUpCustomer()
  await person.client.auth.signOut()

  const again = await signIn(person)

  expect(claimsOf(again.session.access_token).session_id).not.toBe(
    claimsOf(person.session.access_token).session_id,
  )
  expect(
    (await person.client.auth.refreshSession({ refresh_token: person.session.refresh_token })).error,
  ).not.toBe(null)
})

test('a scope that does not exist ends nothing', async () => {
  const person = await signUpCustomer()

  const { status } = await rawAuth('POST', '/logout?scope=everything', {
    token: person.session.access_token,
  })

  expect(status).toBe(400)
  expect(await isAlive(person)).toBe(true)
})
