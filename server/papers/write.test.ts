// The PDF of a statement and of a receipt, as another program reads it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { type Receipt, receiptCsv } from '@finanzas/contract/papers/receipt.ts'
import { certificateCsv } from '@finanzas/contract/papers/certificate.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { writePdf } from './write.ts'
import {
  exampleCertificate,
  exampleReceipt,
  exampleStatement,
  readPdf,
  statementRow,
} from '#papers/testing/papers.ts'

const signature = { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) }
const rows = (count: number) => Array.from({ length: count }, (_, index) => statementRow(index + 1))
const statementOf = async (...given: Parameters<typeof exampleStatement>) =>
  readPdf(writePdf(statementCsv({ ...exampleStatement(...given), signature })))
const receiptOf = async (part: Partial<Receipt> = {}) =>
  readPdf(writePdf(receiptCsv({ ...exampleReceipt(part), signature })))

test('a statement states the bank and the holder with the period and the totals', async () => {
  const { text } = await statementOf(rows(1))

  for (const words of [
    'Banco Ñandú',
    'NIT 890903938-8',
    'Extracto de noviembre de 2026',
    '1 al 30 de noviembre de 2026',
    'Cliente: Laura Restrepo (nombre declarado) · laura@banco.example',
    'Número de cuenta: 4821 9033 7771',
    'Salidas',
    '-$12.50',
    'Saldo final',
    '$16,370.29',
    'Página 1 de 1',
    `Firma del banco, con la clave ${signature.kid}:`,
    signature.value.slice(0, 64),
    'https://banco.example/verificar',
  ])
    expect(text).toContain(words)
})

test('the period of a statement ends with the day of issue while the month is running', async () => {
  const { text } = await statementOf(rows(1), { issuedAt: '2026-11-07 10:00' })

  expect(text).toContain('1 al 7 de noviembre de 2026')
})

test('the first page of a statement shows 28 transactions with one line each', async () => {
  const { texts } = await statementOf(rows(60))
  const shown = texts.filter(({ page, text }) => page === 1 && text.startsWith('Compra'))

  expect(shown.length).toBeGreaterThanOrEqual(28)
})

test('a statement marks who recorded each transaction, and sets the words of customers apart', async () => {
  const { text } = await statementOf([
    statementRow(1, { description: 'Mercado' }),
    statementRow(2, {
      description: 'Transferencia recibida',
      declared: 'Ana Pérez (nombre declarado) · «Almuerzo»',
      isNote: false,
      kind: 'deposit',
      category: '',
      amountMinor: 5000 as MinorUnits,
    }),
  ])

  expect(text).toContain('Mercado A Comida -$12.50')
  expect(text).toMatch(
    /Transferencia recibida Según los clientes: Ana Pérez \(nombre declarado\) · «Almuerzo» B \+\$50\.00/,
  )
})

test('late rows, unlisted totals and corrections are explained only if the statement contains them', async () => {
  const plain = await statementOf(rows(1))
  const special = await statementOf([
    statementRow(1, { kind: 'corrected' }),
    statementRow(2, { kind: 'unlisted' }),
    statementRow(3, { recordedAt: '2026-12-03 10:00' }),
  ])

  for (const words of ['Registrados después del cierre', 'Fuera de tu lista', 'se anulan y no cuentan']) {
    expect(plain.text).not.toContain(words)
    expect(special.text).toContain(words)
  }
})

test('a receipt of a transfer shows its state and amount with both sides and the address that verifies it', async () => {
  const { text, texts } = await receiptOf()

  for (const words of [
    'Comprobante de transferencia enviada',
    'Transferencia hecha',
    '$38.00 USD',
    '28 de noviembre de 2026, 7:52 a. m. (hora de Bogotá)',
    'De Laura Restrepo (nombre declarado) laura@banco.example',
    'Para Andrés (nombre declarado) en el banco: A••• F•••',
    'Concepto declarado Almuerzo del viernes',
    'https://banco.example/verificar',
    'los que escribieron los clientes, y el banco no los comprobó',
  ])
    expect(text).toContain(words)
  const proof = texts.filter(({ text: each }) => each === signature.value.slice(0, 64))
  expect(new Set(proof.map(({ page }) => page))).toEqual(new Set([2]))
})

test.for<[string, Partial<Receipt>, string[]]>([
  [
    'a corrected transaction',
    { state: 'corrected', reason: 'Monto equivocado', transfer: null },
    ['Anulado: el banco lo corrigió', 'Motivo Monto equivocado'],
  ],
  [
    'an expense that the customer recorded',
    { recordedBy: 'customer', transfer: null, description: 'Arriendo' },
    ['Gasto anotado por el cliente', 'El banco no comprobó a quién se pagó.', 'Concepto Arriendo'],
  ],
  [
    'a deposit',
    { type: 'deposit', transfer: null, description: 'Nómina' },
    ['Comprobante de depósito', 'Depósito registrado por el banco', 'Lo registró El banco'],
  ],
  ['a deposit of an earlier day', { transfer: null, day: '2026-11-01' }, ['Fecha del movimiento 1 nov 2026']],
  ['a receipt with every text at its maximum length', longest(), ['Página 1 de', 'Motivo MMM']],
])('a receipt contains the expected lines for %s', async ([, part, words]) => {
  const { text } = await receiptOf(part)

  for (const word of words) expect(text).toContain(word)
})

test('a certificate of the balance states whose account it is, the figure and its time', async () => {
  const { text, attachments } = await readPdf(
    writePdf(certificateCsv({ ...exampleCertificate(), signature })),
  )

  for (const words of [
    'Certificado de saldo',
    'El banco certifica este saldo',
    '$16,382.79 USD',
    '1 de diciembre de 2026, 9:30 a. m. (hora de Bogotá)',
    'Cliente Laura Restrepo (nombre declarado) laura@banco.example',
    'CC 1032456789',
    '4821 9033 7771',
    'No incluye los gastos que el cliente anota por su cuenta.',
    'https://banco.example/verificar',
    'Para verificar este certificado',
    signature.value.slice(0, 64),
  ])
    expect(text).toContain(words)
  expect(Object.keys(attachments ?? {})).toEqual(['certificado-de-saldo-2026-12-01.csv'])
})

test('the words of customers never begin at the margin, where the bank’s labels are', async () => {
  const concept = `Pan ${'Saldo certificado por el banco: $9,000,000.00 '.repeat(3)}`.slice(0, 140).trim()
  const given = exampleReceipt()
  const { texts } = await receiptOf({
    transfer: { ...given.transfer, id: given.transaction, concept } as never,
  })

  const words = texts.filter(({ text }) => text.includes('certificado'))
  expect(words.length).toBeGreaterThan(0)
  expect(words.filter(({ x }) => x < 100)).toEqual([])
})

test('a character that the font lacks is drawn as a question mark, and remains in the attached CSV', async () => {
  const { text, attachments } = await statementOf([statementRow(1, { description: 'Café 🏦 ñ' })])

  expect(text).toContain('Café ? ñ')
  const [csv] = Object.values<{ content: Uint8Array }>(attachments ?? {})
  expect(new TextDecoder().decode(csv?.content)).toContain('Café 🏦 ñ')
})

test('a letter that is written from right to left is a question mark, because it would reverse the name', async () => {
  const { text } = await receiptOf({ transfer: null, description: 'sazn\u05d0aniF ocnaB' })

  expect(text).toContain('sazn?aniF ocnaB')
})

test('a paper declares PDF/A-3 and PDF/UA, its language and its title', async () => {
  const pdf = writePdf(statementCsv(exampleStatement(rows(1))))
  const { metadata, info, isMarked } = await readPdf(pdf)

  expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>')
  expect(metadata).toContain('<pdfaid:conformance>A</pdfaid:conformance>')
  expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>')
  expect(info).toMatchObject({
    Title: 'Extracto de noviembre de 2026 - Banco Ñandú',
    Author: 'Banco Ñandú',
    Language: 'es-CO',
  })
  expect(isMarked).toBe(true)
  const file = Buffer.from(pdf).toString('latin1')
  expect(file).toContain('/AFRelationship /Data')
  expect(file).toContain('/DisplayDocTitle true')
  expect(file.match(/\/S \/GTS_PDFA1/g)).toHaveLength(1)
  // Every font is embedded, and its glyphs have characters.
  const embedded = file.match(/\/FontFile2 \d+ 0 R/g)?.length
  expect(file.match(/\/Type \/FontDescriptor/g)).toHaveLength(embedded ?? 0)
  expect(file).not.toContain('/NeedAppearances')
})

test('every text belongs to an element of the structure or is marked as decoration', async () => {
  const pdf = writePdf(statementCsv({ ...exampleStatement(rows(60)), signature }))
  const { structure, pages } = await readPdf(pdf)

  for (const role of ['H1', 'H2', 'Table', 'TH', 'TD', 'Figure', 'Form'])
    expect(structure).toContain(`"role":"${role}"`)
  expect(structure).toContain('"alt":"Código QR que abre https://banco.example/verificar"')
  expect(pages).toBe(3)
  // 60 transactions with eight cells each.
  expect(structure.match(/"role":"TD"/g)?.length).toBeGreaterThanOrEqual(60 * 8)
  for (const content of await contentsOf(pdf)) {
    let depth = 0
    for (const [, operator] of content.matchAll(/(?:^|\s)(BDC|BMC|EMC|BT)(?=\s|$)/g)) {
      if (operator === 'EMC') depth -= 1
      else if (operator === 'BT') expect(depth).toBe(1)
      else depth += 1
    }
    expect(depth).toBe(0)
  }
})

test('the mark on a paper has the geometry of the mark on the page', () => {
  const mark = readFileSync(join(import.meta.dirname, '../../web/public/favicon.svg'), 'utf8')

  expect(mark).toContain('<circle cx="16" cy="10.6" r="5.2" transform="rotate(45 16 16)"/>')
  expect(mark).toContain('<circle cx="16" cy="16" r="2.4"')
})

async function contentsOf(pdf: Uint8Array): Promise<string[]> {
  const { inflateSync } = await import('node:zlib')
  const file = Buffer.from(pdf)
  const contents: string[] = []
  for (let at = file.indexOf('stream\n'); at !== -1; at = file.indexOf('stream\n', at + 7)) {
    const end = file.indexOf('\nendstream', at)
    if (end === -1) break
    try {
      const content = inflateSync(file.subarray(at + 7, end)).toString('latin1')
      if (content.includes(' Tf')) contents.push(content)
    } catch {
      // Fonts, metadata and the colour profile.
    }
    at = end + 4
  }
  return contents
}

function longest(): Partial<Receipt> {
  const [name, id] = ['M'.repeat(60), '6f2a1c55-1b2c-4d3e-8f90-1234567890ab']
  const customer = `${'M'.repeat(120)} · ${'m'.repeat(242)}@banco.example`.slice(0, 300)
  return {
    customer,
    state: 'returned',
    reason: 'M'.repeat(200),
    transfer: {
      id,
      payer: customer,
      payee: `${name} (nombre declarado) · en el banco: ${'M'.repeat(40)}`,
      concept: 'M'.repeat(140),
      returnId: id,
    },
  }
}
