import { expect, test } from 'vitest'
import { joinFullName, splitFullName } from './profile-dialog.tsx'

test('a full name is split at its first space', () => {
  expect(splitFullName('Laura Restrepo Gómez')).toEqual({ firstName: 'Laura', lastName: 'Restrepo Gómez' })
})

test('a name of one word has no last name', () => {
  expect(splitFullName('Laura')).toEqual({ firstName: 'Laura', lastName: '' })
  expect(splitFullName('')).toEqual({ firstName: '', lastName: '' })
})

test('splitting and joining give the same name back', () => {
  expect(joinFullName(splitFullName('Ana María del Mar'))).toBe('Ana María del Mar')
})
