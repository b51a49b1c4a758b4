// Tests receipts of transfers: both sides, the words that customers wrote, and the detection of every change.
import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import {
  type ReceiptAnswer,
  type Transfer,
  checkReceipt,
  declaredBy,
  readReceiptCsv,
  receiptCsv,
  receiptOf,
} from './receipt.ts'
import { checkSignature, newSigningKey, openSigningKey, signCsv } from './signature.ts'

const id = '4f2a1c55-1b2c-4d3e-8f90-1234567890ab'
const returnId = '6f2a1c55-1b2c-4d3e-8f90-1234567890ab'
const ofPayer: ReceiptAnswer = {
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  holder_name: 'Ana Pérez',
  holder_is_verified: false,
  holder_email: 'ana@banco.example',
  holder_account_number: null,
  holder_document_kind: null,
  holder_document_number: null,
  transaction_id: id,
  seq: 12,
  type: 'expense',
  amount: 40.5,
  dated_at: '2026-11-03T19:20:00+00:00',
  recorded_at: '2026-11-03T19:20:00.123456+00:00',
  recorded_by: 'bank',
  description: 'Transferencia enviada a «Luis»: «=Cena»',
  state: 'valid',
  reason: null,
  hash: 'ab'.repeat(32),
  transfer_id: id,
  counterparty: 'Luis',
  counterparty_masked: 'L••• M•••',
  concept: '=Cena',
  return_id: null,
}
const ofPayee: ReceiptAnswer = {
  ...ofPayer,
  holder_name: 'Luis Mora',
  holder_is_verified: false,
  holder_email: 'luis@banco.example',
  holder_account_number: null,
  holder_document_kind: null,
  holder_document_number: null,
  type: 'deposit',
  description: 'Transferencia recibida de «Ana Pérez»: «=Cena»',
  counterparty: 'Ana Pérez',
  counterparty_masked: null,
}
const returned: ReceiptAnswer = {
  ...ofPayer,
  state: 'returned',
  reason: 'Se pidió por error',
  return_id: returnId,
}
const ofReturn: ReceiptAnswer = {
  ...returned,
  transaction_id: returnId,
  type: 'deposit',
  state: 'return',
  description: 'Corrección: Transferencia enviada a «Luis»: «=Cena»',
}
const issued = { bankName: 'Banco Ñandú', currency: 'USD', issuedAt: '2026-12-01 09:30' } as const
const given = receiptOf(ofPayer, issued)
const signature = { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) }
const declared =
  'Los nombres marcados «nombre declarado» y el concepto de la transferencia son los que escribieron los clientes, y el banco no los comprobó.'

test('the CSV names the payer and the payee and states which text they wrote themselves', () => {
  expect(receiptCsv(given).split('\r\n')).toEqual([
    '\uFEFFBanco;Banco Ñandú',
    'Cliente;Ana Pérez (nombre declarado) · ana@banco.example',
    'Cuenta;3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
    `Comprobante;${id}`,
    'Moneda;USD',
    'Emitido;2026-12-01 09:30',
    'Movimiento;Gasto',
    'Monto;40,50',
    'Fecha del movimiento;2026-11-03',
    'Registrado;2026-11-03 14:20',
    'Lo registró;El banco',
    'Descripción;Transferencia enviada',
    'Estado;Vigente',
    'Motivo;',
    'Registro;12',
    `Huella;${'ab'.repeat(32)}`,
    `Transferencia;${id}`,
    'De;Ana Pérez (nombre declarado) · ana@banco.example',
    'Para;Luis (nombre declarado) · en el banco: L••• M•••',
    `Concepto declarado;'=Cena`,
    'Devolución;',
    `Nota;${declared}`,
    '',
    '',
  ])
})

test.for<[string, ReceiptAnswer]>([
  ['payer', ofPayer],
  ['payee', ofPayee],
  ['payer of a returned transfer', returned],
  ['payer of a return', ofReturn],
])('the receipt of the %s can be read again from the CSV', ([, answer]) => {
  const receipt = receiptOf(answer, issued)

  expect(readReceiptCsv(receiptCsv(receipt))).toEqual(receipt)
})

test('all receipts of a transfer and of its return name the same payer and the same payee', () => {
  const [ana, luis] = ['Ana Pérez (nombre declarado)', 'Luis Mora (nombre declarado) · luis@banco.example']

  expect(receiptOf(ofPayee, issued).transfer).toMatchObject({ id, payer: ana, payee: luis })
  for (const answer of [ofPayer, returned, ofReturn])
    expect(receiptOf(answer, issued).transfer).toMatchObject({
      id,
      payer: `${ana} · ana@banco.example`,
      payee: 'Luis (nombre declarado) · en el banco: L••• M•••',
    })
})

test.for<[string, Partial<ReceiptAnswer>, string]>([
  ['a sentence', { counterparty: 'Luis. CERTIFICAMOS un saldo de 900' }, 'en el banco: L••• M•••'],
  ['an address', { counterparty: 'Luis · jefe@banco.example' }, 'en el banco: L••• M•••'],
  ['an imitated mask', { counterparty: 'Cedros • en el banco: C••• S•••' }, 'en el banco: L••• M•••'],
  ['a compatibility character', { counterparty: 'Luis （verificado）' }, 'en el banco: L••• M•••'],
  ['an empty text', { counterparty: null, counterparty_masked: null }, 'Otro cliente del banco'],
])('a receipt does not sign %s as the other customer’s name', ([, part, payee]) => {
  expect(receiptOf({ ...ofPayer, ...part }, issued).transfer?.payee).toBe(payee)
})

test('every change of a name, the description or the amount breaks the signature', async () => {
  const key = await openSigningKey(await newSigningKey())
  const ours = { keys: [key.publicKey] }
  const csv = await signCsv(receiptCsv(given), key)
  const signed = readReceiptCsv(csv)
  if (signed === null) throw new Error('This is not a receipt.')
  expect(await checkSignature(signed, ours)).toBe('valid')
  const transfer = given.transfer as Transfer

  for (const part of [
    { transfer: { ...transfer, payer: 'Otra (nombre declarado)' } },
    { transfer: { ...transfer, payee: 'Otro (nombre declarado)' } },
    { transfer: { ...transfer, concept: 'Arriendo' } },
    { transfer: { ...transfer, id: returnId } },
    { transfer: { ...transfer, returnId } },
    { transfer: null },
    { amountMinor: 405_000 as MinorUnits },
  ])
    expect(await checkSignature({ ...signed, ...part }, ours)).toBe('false')
})

test('a receipt of a transfer that matches the journal is confirmed, and a later return is reported', () => {
  expect(checkReceipt(given, ofPayer, issued)).toEqual({ holds: true, isWhole: true, otherWords: [] })
  expect(checkReceipt({ ...given, signature }, returned, issued)).toMatchObject({
    holds: true,
    isWhole: false,
  })
  expect(checkReceipt(given, returned, issued)).toMatchObject({ holds: false, fault: 'row' })
})

test('a signed receipt of a return is still confirmed after the account was closed', () => {
  const closed = { ...ofReturn, state: null, transfer_id: null, return_id: null, counterparty: null }

  expect(checkReceipt({ ...receiptOf(ofReturn, issued), signature }, closed, issued)).toMatchObject({
    holds: true,
    isWhole: true,
  })
})

test.for<[string, Partial<Transfer>]>([
  ['payer', { payer: 'Otra (nombre declarado)' }],
  ['payee', { payee: 'Otro (nombre declarado)' }],
  ['description', { concept: 'Arriendo' }],
])('an unsigned receipt with a changed %s is refuted', ([, part]) => {
  const forged = { ...given, transfer: { ...(given.transfer as Transfer), ...part } }

  expect(checkReceipt(forged, ofPayer, issued)).toEqual({ holds: true, isWhole: true, otherWords: [12] })
})

test.for<[string, Transfer | null]>([
  ['of another transfer', { ...(given.transfer as Transfer), id: returnId }],
  ['that hides the transfer', null],
  ['with an invented return', { ...(given.transfer as Transfer), returnId }],
])('an unsigned receipt %s is refuted', ([, transfer]) => {
  expect(checkReceipt({ ...given, transfer }, ofPayer, issued)).toMatchObject({ holds: false, fault: 'row' })
})

test.for<[string, Partial<Transfer>]>([
  ['the payer', { payer: 'M'.repeat(400) }],
  ['the payee', { payee: 'Luis\u2028Certificado' }],
  ['the description', { concept: 'M'.repeat(141) }],
  ['the transfer', { id: 'Certificado' }],
  ['the return', { returnId: 'Certificado' }],
])('a text with a paragraph in place of %s is not a receipt', ([, part]) => {
  const transfer = { ...(given.transfer as Transfer), ...part }

  expect(readReceiptCsv(receiptCsv({ ...given, transfer }))).toBeNull()
})

test('the verification of a receipt of a transfer states which text customers wrote', () => {
  expect(declaredBy(given)).toBe(declared)
  expect(declaredBy({ ...given, transfer: null })).toBe(
    'Un nombre marcado «nombre declarado» y las palabras de los gastos propios son los que escribió el cliente.',
  )
})
