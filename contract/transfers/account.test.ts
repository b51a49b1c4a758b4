import { expect, test } from 'vitest'
import { accountInWords, isAccountNumber, isDocument, readAccount } from './account.ts'

test.for([
  ['NIT', '8909039388', true],
  ['NIT', '8600029644', true],
  ['NIT', '8600030201', true],
  ['NIT', '8909039387', false],
  ['NIT', '890903938', false],
  ['CC', '1020304050', true],
  ['CC', '0020304050', false],
  ['PA', 'AB12345', true],
  ['PA', 'ab12345', false],
  ['XX', '1234567', false],
] as const)('the document %s %s is accepted: %s', ([kind, document, isAccepted]) => {
  expect(isDocument(kind, document)).toBe(isAccepted)
})

test.for([
  ['savings', '123456', true],
  ['savings', '12345', false],
  ['deposit', '3001234567', true],
  ['deposit', '123456789', false],
  ['checking', '1'.repeat(18), false],
] as const)('the number of a %s account %s is accepted: %s', ([kind, number, isAccepted]) => {
  expect(isAccountNumber(kind, number)).toBe(isAccepted)
})

test('a complete stored account is returned, and an incomplete account is read as null', () => {
  const account = { bank: '1007', kind: 'savings', number: '123456', document_kind: 'CC', document: '12345' }

  expect(readAccount(account)).toEqual(account)
  expect(accountInWords(account)).toBe('Bancolombia · Ahorros 123456 · CC 12345')
  expect([readAccount(null), readAccount({}), readAccount({ ...account, number: 1 })]).toEqual([
    null,
    null,
    null,
  ])
})
