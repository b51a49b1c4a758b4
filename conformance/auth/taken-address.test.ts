// Signing up with an address that somebody has: the answer looks like a new customer's.
// Seen red: with a taken address said aloud.
import { expect, test } from 'vitest'
import { newEmail, readMails, signUpCustomer, waitForMail } from '#conformance/people.ts'
import { rawAuth } from './raw-auth.ts'

test('a taken address is answered like a new one: same status and the same keys', async () => {
  const { email, id } = await signUpCustomer()
  const body = { password: 'una clave larga', data: { full_name: 'Otra Persona' } }

  const taken = await rawAuth('POST', '/signup', { body: { ...body, email } })
  const fresh = await rawAuth('POST', '/signup', { body: { ...body, email: newEmail() } })

  expect(taken.status).toBe(fresh.status)
  expect(Object.keys(taken.body as object)).toEqual(Object.keys(fresh.body as object))
  expect([...taken.headers.keys()]).toEqual([...fresh.headers.keys()])
  expect(taken.body).toMatchObject({
    email,
    identities: [],
    user_metadata: { full_name: 'Otra Persona' },
    app_metadata: { provider: 'email', providers: ['email'] },
  })
  expect(taken.body).not.toMatchObject({ id })
})

test('signing up with a taken address changes nothing and sends no mail', async () => {
  const { email, client } = await signUpCustomer('Ana Pérez')

  await rawAuth('POST', '/signup', {
    body: { email, password: 'la clave de otra persona', data: { full_name: 'Otra Persona' } },
  })

  const other = newEmail()
  await rawAuth('POST', '/signup', { body: { email: other, password: 'una clave larga' } })
  await waitForMail(other)
  expect(await readMails(email)).toHaveLength(1)
  const { data } = await client.auth.getUser()
  expect(data.user?.user_metadata).toMatchObject({ full_name: 'Ana Pérez' })
})

test('two people who sign up with one address at the same moment make one account', async () => {
  const email = newEmail()
  const body = { email, password: 'una clave larga' }

  const answers = await Promise.all([1, 2, 3, 4].map(() => rawAuth('POST', '/signup', { body })))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map((answer) => (answer.body as { id: string }).id)).size).toBe(1)
})
