// A token that is past its time.
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'
import { rawRest } from './raw-rest.ts'

test.each([
  [clockSkewSeconds - 10, 200],
  [clockSkewSeconds + 10, 401],
])('a token that expired %i seconds ago answers %i', async (ageSeconds, status) => {
  const { session } = await signUpCustomer()
  const exp = Math.floor(Date.now() / 1000) - ageSeconds
  const expired = { ...session, access_token: await resigned(session.access_token, { exp }) }

  const answer = await rawRest('GET', '/budgets', { as: { session: expired } })

  expect(answer.status).toBe(status)
  if (status === 401) {
    expect(answer.body).toEqual({ code: 'PGRST303', details: null, hint: null, message: 'JWT expired' })
  }
})
