// A token that is past its time.
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import type { Session } from '@supabase/supabase-js'
import { expect, inject, test } from 'vitest'
import { signUpCustomer } from '#conformance/people.ts'
import { rawRest } from './raw-rest.ts'

test.each([
  [clockSkewSeconds - 10, 200],
  [clockSkewSeconds + 10, 401],
])('a token that expired %i seconds ago answers %i', async (ageSeconds, status) => {
  const { session } = await signUpCustomer()
  const expiresAt = Math.floor(Date.now() / 1000) - ageSeconds

  const answer = await rawRest('GET', '/budgets', { as: { session: await withExpiry(session, expiresAt) } })

  expect(answer.status).toBe(status)
  if (status === 401) {
    expect(answer.body).toEqual({ code: 'PGRST303', details: null, hint: null, message: 'JWT expired' })
  }
})

/** The session with its token signed again as the server would have signed it, for another expiry. */
async function withExpiry(session: Session, exp: number): Promise<Session> {
  const secrets = await readFile(join(inject('server').dataDir, 'secrets.json'), 'utf8')
  const { jwtSecret } = JSON.parse(secrets) as { jwtSecret: string }
  const [header = '', claims = ''] = session.access_token.split('.')
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...said, exp })).toString('base64url')
  const signature = createHmac('sha256', jwtSecret).update(`${header}.${changed}`).digest('base64url')
  return { ...session, access_token: `${header}.${changed}.${signature}` }
}
