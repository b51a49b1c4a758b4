// Certificates of the balance, and their comparison with the journal.
import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import {
  type BalanceCertificate,
  type CertificateAnswer,
  certificateCsv,
  certificateOf,
  checkCertificate,
  readCertificateCsv,
} from './certificate.ts'
import { readPaperCsv } from './paper.ts'
import { checkSignature, newSigningKey, openSigningKey, signCsv } from './signature.ts'

const answer: CertificateAnswer = {
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  holder_name: 'Ana Pérez',
  holder_is_verified: true,
  holder_email: 'ana@banco.example',
  holder_account_number: '482190337771',
  holder_document_kind: 'CC',
  holder_document_number: '1032456789',
  booked: 1250.5,
  certified_at: '2026-11-29T21:59:30Z',
  seq: 15,
  hash: 'ab'.repeat(32),
  is_current: true,
}
const bank = {
  bankName: 'Banco Ñandú',
  currency: 'USD' as const,
  particulars: { taxNumber: '890903938-8', site: 'https://banco.example' },
}
const certificate = certificateOf(answer, bank)
const csv = certificateCsv(certificate)
const key = await openSigningKey(await newSigningKey())
const ours = { keys: [key.publicKey] }

test('a certificate states whose account it is, and the balance according to the bank at a time in Bogotá', () => {
  expect(csv.split('\r\n')).toEqual([
    '\ufeffBanco;Banco Ñandú',
    'NIT;890903938-8',
    expect.stringContaining('https://banco.example'),
    'Cliente;Ana Pérez · ana@banco.example',
    expect.stringContaining('CC 1032456789'),
    'Cuenta;3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
    expect.stringContaining('4821 9033 7771'),
    'Documento del banco;Certificado de saldo',
    'Moneda;USD',
    'Emitido;2026-11-29 16:59',
    'Saldo según el banco;1250,50',
    'Último registro;15',
    `Huella;${'ab'.repeat(32)}`,
    expect.stringMatching(/^Nota;/),
    '',
    '',
  ])
  expect(readPaperCsv(csv)).toEqual(certificate)
})

test('a name that the bank has not verified is marked', () => {
  const declared = certificateOf({ ...answer, holder_is_verified: false }, bank)

  expect(declared.customer).toBe('Ana Pérez (nombre declarado) · ana@banco.example')
})

test('the signature of a certificate covers every fact', async () => {
  const signed = readCertificateCsv(await signCsv(csv, key))
  if (signed === null) throw new Error('This is not a certificate.')
  expect(await checkSignature(signed, ours)).toBe('valid')

  for (const part of [
    { bookedMinor: 125_051 as MinorUnits },
    { customer: 'Ana Pérez · otra@banco.example' },
    { issuedAt: '2026-11-29 17:00' },
    { currency: 'COP' },
    { lastSeq: 16 },
    { particulars: { ...certificate.particulars, document: 'CC 1032456788' } },
    { particulars: { ...certificate.particulars, accountNumber: '4821 9033 7772' } },
  ] satisfies Partial<BalanceCertificate>[])
    expect(await checkSignature({ ...signed, ...part }, ours)).toBe('false')
})

test.for([
  ['a further line', csv.replace('Nota;', 'Saldo;9,00\r\nNota;')],
  ['another order', csv.replace(/(Moneda;USD)\r\n(Emitido;[^\r]*)/, '$2\r\n$1')],
  ['another kind', csv.replace('Certificado de saldo', 'Certificado de ingresos')],
  ['another note', csv.replace(/Nota;[^\r]*/, 'Nota;El banco lo garantiza.')],
] as const)('a text with %s is not a certificate', ([, text]) => {
  expect(text).not.toBe(csv)
  expect(readPaperCsv(text)).toBeNull()
})

test('a certificate matches the journal, and says whether the bank has recorded something since', () => {
  expect(checkCertificate(certificate, answer, bank)).toEqual({ holds: true, isWhole: true, otherWords: [] })
  expect(checkCertificate(certificate, { ...answer, is_current: false }, bank)).toMatchObject({
    holds: true,
    isWhole: false,
  })
})

test.for([
  ['account', { account: '4f2a1c55-1b2c-4d3e-8f90-1234567890ab' }],
  ['bank', { bankName: 'Otro banco' }],
  ['currency', { currency: 'COP' }],
  ['head', { hash: 'cd'.repeat(32) }],
  ['head', { lastSeq: 16 }],
  ['booked', { bookedMinor: 125_051 as MinorUnits }],
  ['booked', { particulars: { ...certificate.particulars, document: 'CC 1032456788' } }],
] as const satisfies readonly [string, Partial<BalanceCertificate>][])(
  'an unsigned certificate with a wrong %s does not match the journal',
  ([fault, part]) => {
    expect(checkCertificate({ ...certificate, ...part }, answer, bank)).toEqual({ holds: false, fault })
  },
)
