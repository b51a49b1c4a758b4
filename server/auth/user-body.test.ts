import { expect, test } from 'vitest'
import type { User } from '#people/users.ts'
import { signUpBody } from './sign-up-body.ts'
import { userBody } from './user-body.ts'

const newUser: User = {
  id: '6f0f3c1e-0000-4000-8000-000000000000',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ana@banco.example',
  email_confirmed_at: null,
  invited_at: null,
  confirmation_sent_at: '2026-11-21T05:00:00.123456-05:00',
  recovery_sent_at: null,
  email_change: null,
  email_change_sent_at: null,
  reauthentication_sent_at: null,
  last_sign_in_at: null,
  raw_app_meta_data: { provider: 'email', providers: ['email'] },
  raw_user_meta_data: { full_name: 'Ana Pérez' },
  created_at: '2026-11-21T10:00:00+00:00',
  updated_at: '2026-11-21T10:00:00+00:00',
  banned_until: null,
  deleted_at: null,
  is_anonymous: false,
  identities: [],
  factors: [],
}

test('the JSON of an unconfirmed user does not contain a confirmation time', () => {
  expect(Object.keys(userBody(newUser))).toEqual([
    'id',
    'aud',
    'role',
    'email',
    'phone',
    'confirmation_sent_at',
    'app_metadata',
    'user_metadata',
    'identities',
    'created_at',
    'updated_at',
    'is_anonymous',
  ])
})

test('times are UTC with fractions of a second', () => {
  expect(userBody(newUser)['confirmation_sent_at']).toBe('2026-11-21T10:00:00.123Z')
  expect(userBody(newUser)['created_at']).toBe('2026-11-21T10:00:00.000Z')
})

test('the answer to a sign-up has the keys of a real user', () => {
  const body = signUpBody({ email: 'ana@banco.example', userMetadata: { full_name: 'Ana Pérez' } })

  expect(Object.keys(body)).toEqual(Object.keys(userBody(newUser)))
})

test('the answer does not contain the password hash', () => {
  const careless = { ...newUser, encrypted_password: '$argon2id$secret' }

  expect(JSON.stringify(userBody(careless))).not.toContain('argon2id')
})
