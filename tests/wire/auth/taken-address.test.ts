// Signing up with a taken address: the answer looks like a new customer's.
import { expect, test } from 'vitest'
import { newEmail, operator, readMails, signUpCustomer, waitForMail } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

/** An answer with what is new in each of them, ids and times, taken out. */
function shapeOf(body: unknown, email: string): string {
  return JSON.stringify(body)
    .replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"<id>"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"<time>"')
    .replaceAll(email, '<address>')
}

test('a taken address is answered like a new one, word for word, and again so', async () => {
  const { email, id } = await signUpCustomer()
  const unknown = newEmail()
  const body = { password: 'una clave larga', data: { full_name: 'Otra Persona' } }

  const taken = await rawAuth('POST', '/signup', { body: { ...body, email } })
  const fresh = await rawAuth('POST', '/signup', { body: { ...body, email: unknown } })
  const waiting = await rawAuth('POST', '/signup', { body: { ...body, email: unknown } })

  expect(taken.status).toBe(fresh.status)
  expect(shapeOf(taken.body, email)).toBe(shapeOf(fresh.body, unknown))
  expect([...taken.headers.keys()]).toEqual([...fresh.headers.keys()])
  // Nor does asking twice tell: no id and no time comes back.
  const idsOf = ({ body }: { body: unknown }) => (body as { id: string }).id
  expect(idsOf(waiting)).not.toBe(idsOf(fresh))
  expect(shapeOf(waiting.body, unknown)).toBe(shapeOf(fresh.body, unknown))
  expect(taken.body).toMatchObject({
    email,
    role: 'authenticated',
    identities: [{ provider: 'email', identity_data: { email, email_verified: false } }],
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
  const { data } = await operator().auth.admin.listUsers({ page: 1, perPage: 1000 })
  expect(data.users.filter((user) => user.email === email)).toHaveLength(1)
})

test('asking for an address that a customer has is answered like asking for a free one; the customer hears of it', async () => {
  const { email: taken } = await signUpCustomer()
  const ana = await signUpCustomer()
  const luis = await signUpCustomer()
  const free = newEmail()

  const one = await ana.client.auth.updateUser({ email: taken })
  const other = await luis.client.auth.updateUser({ email: free })

  expect([one.error, other.error]).toEqual([null, null])
  const shape = (person: { email: string; id: string }, user: unknown, next: string) =>
    shapeOf(user, person.email).replaceAll(next, '<next>')
  expect(shape(ana, one.data.user, taken)).toBe(shape(luis, other.data.user, free))
  // The requester gets the same mail either way; the customer gets no link, and keeps the address.
  await waitForMail(ana.email, 2)
  await expect.poll(() => readMails(taken)).toHaveLength(2)
  const notice = (await readMails(taken))[1] ?? ''
  expect(notice).toContain('pidió usar este email')
  expect(notice).not.toMatch(/^https?:/m)
  expect((await ana.client.auth.getUser()).data.user?.email).toBe(ana.email)
})
