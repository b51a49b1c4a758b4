// When a person's access ends, requests and refreshes are refused immediately, and live channels close within a second
// (security.md SE-05, AD-04).
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, onTestFinished, test } from 'vitest'
import { type Person, channelOf, operator, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { AwakeClock } from '#testing/awake-clock.ts'

const channelEndMs = 1000

/** Opens a channel for the person. Returns an object whose promise resolves when the channel ends. */
async function watchChannel(person: Person): Promise<{ ended: Promise<void> }> {
  const open = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  channelOf(person).subscribe((state) => {
    if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) open.resolve()
    else ended.resolve()
  })
  await open.promise
  return { ended: ended.promise }
}

const banned = (id: string) => operator().auth.admin.updateUserById(id, { ban_duration: '24h' })

test.each<[string, (person: Person) => Promise<{ error: unknown }>]>([
  ['a ban', ({ id }) => banned(id)],
  [
    'a password that a program sets',
    ({ id }) => operator().auth.admin.updateUserById(id, { password: 'otra clave larga' }),
  ],
  ['a deletion', ({ id }) => operator().auth.admin.deleteUser(id)],
  [
    'a password change in another session',
    async (person) => {
      const { client } = await signIn(person)
      return client.auth.updateUser({ password: 'una clave nueva', current_password: person.password })
    },
  ],
])('%s ends requests and refreshes and channels', async (_, end) => {
  const person = await signUpCustomer()
  const channel = await watchChannel(person)
  const clock = new AwakeClock()
  onTestFinished(() => clock.stop())

  expect((await end(person)).error).toBe(null)

  clock.restart()
  const endedMs = channel.ended.then(() => clock.ms)
  const { client, session } = person
  expect((await client.from('budgets').select('balance')).status).toBe(401)
  // Waits until the channel has ended before the next call. Otherwise the client could notice the end of its session
  // and sign out, and its channels would stay open without a user.
  expect(await endedMs).toBeLessThanOrEqual(channelEndMs)
  expect((await client.auth.getUser(session.access_token)).error).toMatchObject({
    name: 'AuthSessionMissingError',
  })
  const refreshed = await client.auth.refreshSession({ refresh_token: session.refresh_token })
  expect(refreshed.error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  await client.removeAllChannels()
})

test('a banned person cannot sign in until the ban is lifted', async () => {
  const person = await signUpCustomer()
  await banned(person.id)
  await expect(signIn(person)).rejects.toThrow()

  const { data } = await operator().auth.admin.updateUserById(person.id, { ban_duration: 'none' })

  expect(data.user).not.toHaveProperty('banned_until')
  await expect(signIn(person)).resolves.toBeDefined()
})
