/** Papers of tests: a statement, receipts, a key with its certificate, and the contents of a PDF as another reader sees them. */
import { randomUUID } from 'node:crypto'
import { getDocumentProxy } from 'unpdf'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import {
  type BalanceCertificate,
  certificateCsv,
  isCertificate,
} from '@finanzas/contract/papers/certificate.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { type Paper, type Receipt, isReceipt, receiptCsv } from '@finanzas/contract/papers/receipt.ts'
import {
  type SigningKey,
  newSigningKey,
  openSigningKey,
  signCsv,
} from '@finanzas/contract/papers/signature.ts'
import type { Statement, StatementRow } from '@finanzas/contract/papers/statement.ts'
import { certifierOf } from '#papers/certificate.ts'
import { signPdf } from '#papers/sign.ts'
import { writePdf } from '#papers/write.ts'

export const bank = { bankName: 'Banco Ñandú', taxNumber: '890903938-8' }

/** Returns a new key with a certificate in the name of the bank. */
export async function certifiedKey(): Promise<SigningKey> {
  const pkcs8 = await newSigningKey()
  const { privateKey, publicKey } = await openSigningKey(pkcs8)
  return { privateKey, publicKey: { ...publicKey, x5c: [await certifierOf(bank).certify(pkcs8)] } }
}

const common = {
  bankName: bank.bankName,
  particulars: {
    taxNumber: bank.taxNumber,
    address: 'Calle 1 # 2-3, Bogotá',
    phone: '(601) 555 0100',
    site: 'https://banco.example',
    document: 'CC 1032456789',
    accountNumber: '4821 9033 7771',
  },
  customer: 'Laura Restrepo (nombre declarado) · laura@banco.example',
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  currency: 'USD' as const,
  issuedAt: '2026-12-01 09:30',
  hash: 'ab'.repeat(32),
  signature: null,
}

export function statementRow(seq: number, part: Partial<StatementRow> = {}): StatementRow {
  return {
    seq,
    recordedAt: '2026-11-02 14:20',
    day: '2026-11-02',
    description: `Compra ${seq}`,
    declared: '',
    category: 'Comida',
    kind: 'expense',
    isNote: true,
    amountMinor: -1250 as MinorUnits,
    balanceMinor: 1_637_029 as MinorUnits,
    ...part,
  }
}

export function exampleStatement(rows: readonly StatementRow[], part: Partial<Statement> = {}): Statement {
  return {
    ...common,
    month: '2026-11',
    openingMinor: 1_638_279 as MinorUnits,
    closingMinor: 1_637_029 as MinorUnits,
    notedMinor: -1250 as MinorUnits,
    lastSeq: 15,
    rows,
    ...part,
  }
}

export function exampleReceipt(part: Partial<Receipt> = {}): Receipt {
  const transaction = randomUUID()
  return {
    ...common,
    transaction,
    seq: 872,
    type: 'expense',
    amountMinor: 3800 as MinorUnits,
    day: '2026-11-28',
    recordedAt: '2026-11-28 07:52',
    recordedBy: 'bank',
    description: 'Transferencia enviada',
    state: 'valid',
    reason: '',
    transfer: {
      id: transaction,
      payer: common.customer,
      payee: 'Andrés (nombre declarado) · en el banco: A••• F•••',
      concept: 'Almuerzo del viernes',
      returnId: '',
    },
    ...part,
  }
}

export function exampleCertificate(part: Partial<BalanceCertificate> = {}): BalanceCertificate {
  return { ...common, bookedMinor: 1_638_279 as MinorUnits, lastSeq: 15, ...part }
}

/** Returns the signed PDF of a paper. */
export async function signedPdf(paper: Paper, key: SigningKey): Promise<Uint8Array<ArrayBuffer>> {
  const csv = isCertificate(paper)
    ? certificateCsv(paper)
    : isReceipt(paper)
      ? receiptCsv(paper)
      : statementCsv(paper)
  return signPdf(writePdf(await signCsv(csv, key)), key)
}

export type PdfText = { readonly page: number; readonly x: number; readonly text: string }

/** Returns the texts of a PDF, its structure and its metadata, read by another library than the one that wrote it. */
export async function readPdf(bytes: Uint8Array) {
  const document = await getDocumentProxy(bytes.slice())
  const texts: PdfText[] = []
  const trees: unknown[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items)
      if ('str' in item && item.str.trim() !== '')
        texts.push({ page: number, x: Number(item.transform[4]), text: item.str })
    trees.push(await page.getStructTree())
  }
  const { info, metadata } = await document.getMetadata()
  return {
    pages: document.numPages,
    texts,
    /** All texts as one line. */
    text: texts.map(({ text }) => text.trim()).join(' '),
    structure: JSON.stringify(trees),
    info: info as Record<string, unknown>,
    metadata: String(metadata?.getRaw() ?? ''),
    attachments: await document.getAttachments(),
    isMarked: (await document.getMarkInfo())?.Marked === true,
  }
}
