import { expect, test } from 'vitest'
import { listedUser, searchUsers } from './users.ts'

test('the search ignores case in names, emails and roles', () => {
  const users = [
    { id: '1', full_name: 'Zoé Luna', role: 'user' as const, email: 'luna@correo.example' },
    { id: '2', full_name: null, role: 'admin' as const, email: 'marta@banco.example' },
  ].map(({ email, ...row }) => listedUser({ ...row, user_safe: { email, last_sign_in_at: null } }))
  const found = (search: string) => searchUsers(users, search).map(({ id }) => id)

  expect(['ZOE', 'Luna@', ' clientE '].map(found)).toEqual([['1'], ['1'], ['1']])
  expect(['marta', 'banco', 'ádmin'].map(found)).toEqual([['2'], ['2'], ['2']])
  expect([found(''), found('nadie')]).toEqual([['1', '2'], []])
})
