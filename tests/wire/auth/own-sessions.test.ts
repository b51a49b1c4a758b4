// Tests that people can list and end their own sessions.
import { expect, test } from 'vitest'
import { type Person, claimsOf, signIn, signUpCustomer } from '#tests/wire/people.ts'

type OwnSession = { id: string; is_present: boolean; user_agent: string | null; network: string | null }

const listed = async ({ client }: Pick<Person, 'client'>) =>
  ((await client.rpc('own_sessions')).data ?? []) as OwnSession[]

test('a person can list only their own sessions, with device and network', async () => {
  const person = await signUpCustomer()
  const other = await signIn(person)
  await signUpCustomer()

  const sessions = await listed(person)

  expect(sessions.map(({ id, is_present }) => [id, is_present])).toEqual([
    [claimsOf(person.session.access_token).session_id, true],
    [claimsOf(other.session.access_token).session_id, false],
  ])
  expect(sessions[1]).toMatchObject({
    user_agent: expect.any(String),
    network: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    began_at: expect.any(String),
    last_used_at: expect.any(String),
  })
})

test('a session that its owner ended is refused at once and cannot be refreshed', async () => {
  const person = await signUpCustomer()
  const lost = await signIn(person)
  const { session_id } = claimsOf(lost.session.access_token)

  expect((await person.client.rpc('end_session', { session_id })).status).toBe(204)

  expect((await lost.client.from('budgets').select('balance')).status).toBe(401)
  const { refresh_token } = lost.session
  expect((await lost.client.auth.refreshSession({ refresh_token })).error).toMatchObject({
    status: 400,
    code: 'refresh_token_not_found',
  })
  expect(await listed(person)).toHaveLength(1)
  expect((await person.client.rpc('end_session', { session_id })).status).toBe(404)
})

test('a person cannot end another person’s session or learn that it exists', async () => {
  const [person, stranger] = [await signUpCustomer(), await signUpCustomer()]
  const { session_id } = claimsOf(person.session.access_token)

  const { error, status } = await stranger.client.rpc('end_session', { session_id })

  expect([status, error?.message]).toEqual([404, 'Esa sesión ya terminó.'])
  expect((await person.client.from('budgets').select('balance')).status).toBe(200)
})
