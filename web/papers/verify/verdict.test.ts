// The public page's verdict about a file: only a document that this bank signed is authentic.
import { expect, test, vi } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { receiptCsv } from '@finanzas/contract/papers/receipt.ts'
import {
  type StatementKeys,
  newSigningKey,
  openSigningKey,
  signCsv,
} from '@finanzas/contract/papers/signature.ts'
import { verdictOf } from './verdict.ts'

const key = await openSigningKey(await newSigningKey())
const ours: StatementKeys = { keys: [key.publicKey] }
const plain = statementCsv({
  bankName: 'Banco Ñandú',
  particulars: { taxNumber: '890903938-8', document: 'CC 1032456789', accountNumber: '4821 9033 7771' },
  customer: 'Ana (nombre declarado)',
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  currency: 'COP',
  month: '2026-11',
  issuedAt: '2026-12-01 09:30',
  openingMinor: 0 as MinorUnits,
  closingMinor: 12345600 as MinorUnits,
  notedMinor: -10000000 as MinorUnits,
  lastSeq: 15,
  hash: 'ab'.repeat(32),
  signature: null,
  rows: [],
})
const signed = await signCsv(plain, key)
const verdict = (file: string | Uint8Array, keys = ours) =>
  verdictOf(typeof file === 'string' ? new TextEncoder().encode(file) : file, {
    readBankName: () => Promise.resolve('Banco Ñandú'),
    readKeys: () => Promise.resolve(keys),
  })

test('a signed statement is authentic, and its facts are shown for comparison', async () => {
  const { holds, sentences, facts } = await verdict(signed)

  expect(holds).toBe(true)
  expect(sentences[0]).toBe('Es auténtico: lo firmó el banco y nadie lo cambió.')
  expect(Object.fromEntries(facts)).toMatchObject({
    Documento: 'CC 1032456789',
    Banco: 'Banco Ñandú',
    NIT: '890903938-8',
    Cliente: 'Ana (nombre declarado)',
    'Número de cuenta': '4821 9033 7771',
    Emitido: '2026-12-01 09:30',
    'Saldo final': '$ 123.456,00',
    'Saldo según el banco': '$ 223.456,00',
    'Tus anotaciones': '-$ 100.000,00',
  })
  expect(sentences.join(' ')).toContain('un gasto que escribió el cliente y que el banco no comprobó')
  expect(facts[0]).toEqual(['Tipo', 'Extracto de noviembre de 2026'])
})

test.for([
  ['another holder', signed.replace('Ana', 'Ada'), 'la firma del banco no es la de este texto'],
  [
    'another document',
    signed.replace('CC 1032456789', 'CC 1032456788'),
    'la firma del banco no es la de este texto',
  ],
  ['another balance', signed.replaceAll('23456,00', '23457,00'), 'la firma del banco no es la de este texto'],
  ['no signature', plain, 'No lleva la firma del banco'],
  ['other bytes', `${signed} `, 'No es un extracto, comprobante ni certificado'],
] as const)('a document with %s is not authentic', async ([, file, reason]) => {
  const { holds, sentences, facts } = await verdict(file)

  expect({ holds, facts }).toEqual({ holds: false, facts: [] })
  expect(sentences.join(' ')).toContain(reason)
})

test('the verdict on a receipt for the customer’s own expense says that the bank did not check the payment', async () => {
  const receipt = receiptCsv({
    bankName: 'Banco Ñandú',
    customer: 'Ana (nombre declarado)',
    account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
    currency: 'COP',
    issuedAt: '2026-12-01 09:30',
    transaction: '7d1e0c2a-5b6f-4a3d-9e8c-0123456789ab',
    seq: 15,
    type: 'expense',
    amountMinor: 12345600 as MinorUnits,
    day: '2026-11-30',
    recordedAt: '2026-11-30 18:00',
    recordedBy: 'customer',
    description: 'Arriendo de noviembre',
    state: 'amended',
    reason: '',
    transfer: null,
    hash: 'ab'.repeat(32),
    signature: null,
  })

  const { holds, sentences, facts } = await verdict(await signCsv(receipt, key))

  expect(holds).toBe(true)
  expect(sentences[1]).toBe('El cliente anotó este gasto. El banco no comprobó a quién se pagó.')
  expect(Object.fromEntries(facts)).toMatchObject({
    'Lo registró': 'El cliente',
    Estado: 'Cambiado después por el cliente',
  })
})

test('a document that another bank signed is not authentic', async () => {
  const theirs = await openSigningKey(await newSigningKey())

  const { holds, sentences } = await verdict(await signCsv(plain, theirs))

  expect(holds).toBe(false)
  expect(sentences).toEqual(['No es auténtico: la clave que lo firmó no es de Banco Ñandú.'])
})

test('the page requests the keys and the bank’s name only if the verdict requires them', async () => {
  const readBankName = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  const ask = (file: string, readKeys: () => Promise<StatementKeys>) =>
    verdictOf(new TextEncoder().encode(file), { readBankName, readKeys })

  expect((await ask(plain, readBankName)).sentences[0]).toContain('No lleva la firma del banco')
  expect((await ask(signed, () => Promise.resolve(ours))).holds).toBe(true)
  await expect(ask(signed, readBankName)).rejects.toThrow('Failed to fetch')
})
