import { expect, test } from 'vitest'
import { readUserSelection, writeUserSelection } from './user-selection.ts'

test.each([
  ['', { search: '', state: null, sort: 'name', isDescending: false }],
  [
    'buscar=restrepo+laura&mostrar=negativo&orden=-saldo',
    { search: 'restrepo laura', state: 'overdrawn', sort: 'balance', isDescending: true },
  ],
  ['orden=-nombre', { search: '', state: null, sort: 'name', isDescending: true }],
] as const)(
  'the URL "%s" contains the search, the filter and the order of the list',
  (address, selection) => {
    expect(readUserSelection(new URLSearchParams(address))).toEqual(selection)
    expect(writeUserSelection(new URLSearchParams(), selection).toString()).toBe(address)
  },
)

test('unknown values in the URL are ignored, and other parameters stay unchanged', () => {
  const parameters = new URLSearchParams('vista=x&mostrar=todo&orden=-precio')
  const selection = readUserSelection(parameters)

  expect(selection).toEqual({ search: '', state: null, sort: 'name', isDescending: false })
  expect(writeUserSelection(parameters, selection).toString()).toBe('vista=x')
})
