// Tests receipts of transfers: both sides, the words that customers wrote, and the detection of every change.
import { describe, expect, test } from 'vitest'
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
import { checksum, fileOf, latin1, textsOf, utf8 } from './receipt-files.ts'
import { receiptPdf } from './receipt-pdf.ts'
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

describe('the PDF of a receipt', () => {
  test.for<[string, ReceiptAnswer, string[]]>([
    [
      'the payer',
      ofPayer,
      [
        'Comprobante de transferencia enviada',
        'De: Ana Pérez (nombre declarado) · ana@banco.example',
        'Para: Luis (nombre declarado) · en el banco: L\u0095\u0095\u0095 M\u0095\u0095\u0095',
        'Concepto declarado: =Cena',
        `Transferencia: ${id}`,
        declared,
      ],
    ],
    [
      'the payee',
      ofPayee,
      ['Comprobante de transferencia recibida', 'De: Ana Pérez (nombre declarado)', declared],
    ],
    [
      'a returned transfer',
      returned,
      ['Devuelta por el banco', 'Motivo: Se pidió por error', `Devolución: ${returnId}`],
    ],
    [
      'a return',
      ofReturn,
      [
        'Comprobante de devolución',
        'Devolución: anula una transferencia',
        `Transferencia: ${id}`,
        `Comprobante: ${returnId}`,
      ],
    ],
    ['an ordinary transfer', ofPayer, ['Página 1 de 1']],
  ])('contains the expected lines for %s', ([, answer, words]) => {
    const text = textsOf(receiptPdf(receiptCsv(receiptOf(answer, issued))))

    for (const word of words) expect(text).toContain(word)
  })

  test('never begins a line at the margin with words of the description', () => {
    const forged = 'Saldo certificado por el banco: $9,000,000.00'
    const concept = `Pan ${forged}`.replaceAll(' ', '\u00a0').padEnd(140, '\u00a0')
    const pdf = latin1(receiptPdf(receiptCsv(receiptOf({ ...ofPayee, concept }, issued))))

    const atMargin = Array.from(pdf.matchAll(/1 0 0 1 44\S* \S+ Tm \((.*?)\) Tj/g), ([, text]) => text)
    expect(atMargin.length).toBeGreaterThan(0)
    expect(atMargin.filter((text) => text?.startsWith('Saldo'))).toEqual([])
    expect(textsOf(receiptPdf(receiptCsv(receiptOf({ ...ofPayee, concept }, issued))))).toContain(
      `Concepto declarado: Pan ${forged}`,
    )
  })

  test('shows the hash and the signature together on a second page if the texts are long', () => {
    const text = {
      holder_name: 'M'.repeat(60),
      holder_is_verified: false,
      counterparty: 'M'.repeat(60),
      concept: 'M'.repeat(140),
      reason: 'M'.repeat(200),
    }
    const long = receiptPdf(receiptCsv({ ...receiptOf({ ...returned, ...text }, issued), signature }))

    expect(textsOf(long)).toContain('Página 1 de 2 Para verificar este comprobante')
  })

  test('continues on a second page if every text has its maximum length', () => {
    const long = receiptPdf(
      receiptCsv(
        receiptOf(
          {
            ...returned,
            holder_email: `${'M'.repeat(242)}@banco.example`.slice(-254),
            holder_name: 'M'.repeat(120),
            holder_is_verified: true,
            counterparty: 'M'.repeat(60),
            description: 'M'.repeat(200),
            concept: 'M'.repeat(140),
            reason: 'M'.repeat(200),
          },
          issued,
        ),
      ),
    )

    expect(textsOf(long)).toContain('Página 2 de 2')
    const heights = Array.from(latin1(long).matchAll(/ 1 0 0 1 \S+ (\S+) Tm/g), ([, y]) => Number(y))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(38)
  })
})

test('every change of a name, the description or the amount breaks the signature', async () => {
  const key = await openSigningKey(await newSigningKey())
  const ours = { keys: [key.publicKey] }
  const csv = await signCsv(receiptCsv(given), key)
  const signed = fileOf(utf8(csv))
  expect(await checkSignature(signed, ours)).toBe('valid')
  expect(fileOf(receiptPdf(csv))).toEqual(signed)
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

// Issued receipts must stay readable forever, as in receipt.test.ts.
test('the bytes of a receipt of a transfer never change', () => {
  expect(checksum(receiptPdf(receiptCsv({ ...given, signature })))).toMatchInlineSnapshot(`"6529864f"`)
})

test('the verification of a receipt of a transfer states which text customers wrote', () => {
  expect(declaredBy(given)).toBe(declared)
  expect(declaredBy({ ...given, transfer: null })).toBe(
    'Un nombre marcado «nombre declarado» y las palabras de los gastos propios son los que escribió el cliente.',
  )
})
