import { describe, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { receiptCopy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import type { Receipt } from '@finanzas/contract/papers/receipt.ts'
import type { Statement } from '@finanzas/contract/papers/statement.ts'
import { sentencesOf, signedSentences } from './document-verdict.ts'

const signature = { kid: 'a'.repeat(32), value: 'b'.repeat(128) }
const issued = {
  bankName: 'Banco',
  customer: 'Ana',
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  currency: 'USD',
  issuedAt: '2026-12-01 09:30',
  hash: 'ab'.repeat(32),
  signature,
} as const
const receipt: Receipt = {
  ...issued,
  transaction: '4f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  seq: 12,
  type: 'expense',
  amountMinor: 5000 as MinorUnits,
  day: '2026-11-02',
  recordedAt: '2026-11-03 14:20',
  recordedBy: 'customer',
  description: 'Arriendo',
  state: 'valid',
  reason: '',
  transfer: null,
}
const statement: Statement = {
  ...issued,
  month: '2026-11',
  openingMinor: 0 as MinorUnits,
  closingMinor: -5000 as MinorUnits,
  notedMinor: -5000 as MinorUnits,
  lastSeq: 12,
  rows: [],
}

describe('the verdict about a document', () => {
  test.for([
    ['signed', receipt],
    ['unsigned', { ...receipt, signature: null }],
  ] as const)('about a %s receipt says that the customer recorded the expense', ([, own]) => {
    expect(sentencesOf({ holds: true, isWhole: true, otherWords: [] }, own)).toContain(receiptCopy.own)
  })

  test('does not say that the customer recorded an expense that the bank recorded', () => {
    expect(signedSentences({ ...receipt, recordedBy: 'bank' })).not.toContain(receiptCopy.own)
  })

  test('says that the bank did not check the notes of a statement', () => {
    expect(signedSentences(statement)).toContain(statementCopy.origin)
    expect(signedSentences({ ...statement, notedMinor: 0 as MinorUnits })).not.toContain(statementCopy.origin)
  })
})
