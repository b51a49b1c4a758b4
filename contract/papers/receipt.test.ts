// Tests receipt files: their contents, the detection of every change, and the comparison with the journal.
import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { readStatementCsv } from './csv.ts'
import { verifyFile } from './file.ts'
import {
  type Receipt,
  type ReceiptAnswer,
  checkReceipt,
  readReceiptCsv,
  receiptCsv,
  receiptOf,
} from './receipt.ts'
import { newSigningKey, openSigningKey, signCsv } from './signature.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> }

const answer: ReceiptAnswer = {
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  holder_name: 'Laura Restrepo',
  holder_is_verified: false,
  holder_email: 'laura@banco.example',
  holder_account_number: '482190337771',
  holder_document_kind: 'CC',
  holder_document_number: '1032456789',
  transaction_id: '4f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  seq: 12,
  type: 'deposit',
  amount: 1450.5,
  dated_at: '2026-11-02T04:59:59+00:00',
  recorded_at: '2026-11-03T19:20:00.123456+00:00',
  recorded_by: 'bank',
  description: '=Nómina; «ACME»',
  state: 'valid',
  reason: null,
  hash: 'ab'.repeat(32),
  transfer_id: null,
  counterparty: null,
  counterparty_masked: null,
  concept: null,
  return_id: null,
}
const issued = {
  bankName: 'Banco Ñandú',
  particulars: { taxNumber: '890903938-8', address: 'Calle 1 # 2-3, Bogotá', phone: '+57 601 555 0100' },
  currency: 'USD',
  issuedAt: '2026-12-01 09:30',
} as const
const given = receiptOf(answer, issued)
const key = await openSigningKey(await newSigningKey())
const signedCsv = await signCsv(receiptCsv(given), key)

test('the CSV states all facts about the transaction with times in Bogotá', () => {
  expect(receiptCsv(given).split('\r\n')).toEqual([
    '\uFEFFBanco;Banco Ñandú',
    'NIT;890903938-8',
    'Dirección;Calle 1 # 2-3, Bogotá',
    "Teléfono;'+57 601 555 0100",
    'Cliente;Laura Restrepo (nombre declarado) · laura@banco.example',
    'Documento;CC 1032456789',
    'Cuenta;3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
    'Número de cuenta;4821 9033 7771',
    'Comprobante;4f2a1c55-1b2c-4d3e-8f90-1234567890ab',
    'Moneda;USD',
    'Emitido;2026-12-01 09:30',
    'Movimiento;Depósito',
    'Monto;1450,50',
    'Fecha del movimiento;2026-11-01',
    'Registrado;2026-11-03 14:20',
    'Lo registró;El banco',
    `Concepto;"'=Nómina; «ACME»"`,
    'Estado;Vigente',
    'Motivo;',
    'Registro;12',
    `Huella;${'ab'.repeat(32)}`,
    'Nota;Un nombre marcado «nombre declarado» y las palabras de los gastos propios son los que escribió el cliente.',
    '',
    '',
  ])
  expect(readReceiptCsv(receiptCsv(given))).toEqual(given)
})

test.for<[string, Partial<ReceiptAnswer>]>([
  ['document', { holder_document_number: '1032456788' }],
  ['account number', { holder_account_number: '482190337868' }],
])('an unsigned receipt is refuted if its %s differs from the bank’s record', ([, part]) => {
  const fault = { holds: false, fault: 'row', seq: 12 }

  expect(checkReceipt(given, { ...answer, ...part }, issued)).toEqual(fault)
})

test('a receipt is not read as a statement', () => {
  expect(readStatementCsv(signedCsv)).toBeNull()
  expect(readReceiptCsv(signedCsv)).toMatchObject({ ...given, signature: { kid: key.publicKey.kid } })
})

test('the signature covers every byte of a receipt', async () => {
  const bytes = new TextEncoder().encode(signedCsv)
  const verify = (file: Uint8Array) => verifyFile(file, () => Promise.resolve({ keys: [key.publicKey] }))
  const verdicts = new Set<string>()
  expect(await verify(bytes)).toMatchObject({ signature: 'valid' })
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 200)) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    verdicts.add((await verify(changed))?.signature ?? 'unreadable')
  }

  expect([...verdicts].toSorted()).toEqual(['false', 'unknown_key', 'unreadable'])
})

test('a receipt that matches the journal is confirmed, and a later state change is reported', () => {
  const signature = { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) }
  const corrected = { ...answer, state: 'corrected', reason: 'Monto equivocado' }

  expect(checkReceipt(given, answer, issued)).toEqual({ holds: true, isWhole: true, otherWords: [] })
  expect(checkReceipt({ ...given, signature }, corrected, issued)).toMatchObject({
    holds: true,
    isWhole: false,
  })
  expect(checkReceipt(given, corrected, issued)).toMatchObject({ holds: false, fault: 'row' })
})

test('the check confirms a receipt that was issued before an amendment, and reports the amendment', () => {
  const signature = { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) }
  const own = { ...answer, type: 'expense', recorded_by: 'customer' }
  const amended = { ...own, state: 'amended' }

  expect(checkReceipt({ ...receiptOf(own, issued), signature }, amended, issued)).toMatchObject({
    holds: true,
    isWhole: false,
  })
  expect(checkReceipt(receiptOf(own, issued), amended, issued)).toMatchObject({ holds: false, fault: 'row' })
})

test('a receipt from a closed account is confirmed', () => {
  const closed = { ...answer, recorded_by: null, state: null, description: null, holder_email: null }

  expect(checkReceipt(given, closed, issued)).toMatchObject({ holds: true, isWhole: true, otherWords: [12] })
})

test.for<[string, Partial<Receipt>, object]>([
  ['of another account', { account: '5f2a1c55-1b2c-4d3e-8f90-1234567890ab' }, { fault: 'account' }],
  ['of another bank', { bankName: 'Bancolombia S.A.' }, { fault: 'bank' }],
  ['in another currency', { currency: 'COP' }, { fault: 'currency' }],
  ['with another hash', { hash: 'cd'.repeat(32) }, { fault: 'head' }],
  ['with another amount', { amountMinor: 145_051 as MinorUnits }, { fault: 'row', seq: 12 }],
  ['of another day', { day: '2026-11-02' }, { fault: 'row', seq: 12 }],
  ['with another recorder', { recordedBy: 'customer' }, { fault: 'row', seq: 12 }],
  ['of another type', { type: 'expense' }, { fault: 'row', seq: 12 }],
])('an unsigned receipt %s is refuted', ([, part, verdict]) => {
  expect(checkReceipt({ ...given, ...part }, answer, issued)).toEqual({ holds: false, ...verdict })
})

test('a receipt for an unknown transaction is refuted', () => {
  expect(checkReceipt(given, null, issued)).toEqual({ holds: false, fault: 'account' })
})

test.for<[string, Partial<Receipt>]>([
  ['a description', { description: 'S'.repeat(201) }],
  ['a reason', { reason: 'S'.repeat(201) }],
  ['a holder', { customer: `Laura. CERTIFICAMOS ${'que gana mucho '.repeat(30)}` }],
  ['an id', { transaction: 'Certificado' }],
  ['a day', { day: '2026-11-02 Certificado' }],
])('a text with a paragraph in place of %s is not a receipt', ([, part]) => {
  expect(readReceiptCsv(receiptCsv({ ...given, ...part }))).toBeNull()
})
