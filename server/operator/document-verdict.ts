/** The sentences with which `npm run verify-statement` answers about a statement or receipt. */
import type { LedgerVerdict } from '@finanzas/contract/papers/check.ts'
import { monthInWords, receiptCopy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { particularsInWords } from '@finanzas/contract/papers/particulars.ts'
import { type Receipt, declaredBy, isReceipt, warningsAboutNotes } from '@finanzas/contract/papers/receipt.ts'
import type { Statement } from '@finanzas/contract/papers/statement.ts'
import { counted } from './command-line.ts'

/** Returns the sentences about the comparison of a document with the journal. */
export function sentencesOf(verdict: LedgerVerdict, document: Statement | Receipt): string[] {
  const faults = {
    account: 'la cuenta no existe',
    bank: 'no lleva el nombre de este banco',
    currency: 'no está en la moneda de este banco',
    sum: 'sus montos no suman su saldo final',
    head: 'su huella no es la del libro',
    opening: 'su saldo inicial no es el del libro',
    notes: 'sus anotaciones no suman lo que suman en el libro',
  } as const
  if (!verdict.holds) {
    const fault =
      verdict.fault === 'row' ? `el asiento ${verdict.seq} no es lo que dice el libro` : faults[verdict.fault]
    return [`NO ES AUTÉNTICO ${nameOf(document)}: ${fault}.`]
  }
  const rows = isReceipt(document)
    ? 'El asiento coincide'
    : counted(document.rows.length, 'asiento coincide', 'asientos coinciden')
  const changed = isReceipt(document)
    ? 'Después de emitirlo, el movimiento cambió, se corrigió, se devolvió o salió de la lista del cliente, o volvió a ella.'
    : 'Después de emitirlo, el libro cambió movimientos con fecha de ese mes o anterior.'
  const partly = verdict.isWhole ? [] : [changed]
  if (document.signature !== null) return [...signedSentences(document), `${rows} con el libro.`, ...partly]
  return [
    `SIN FIRMA ${nameOf(document)}: ${rows} con el libro en número, tipo, fecha, hora y monto${isReceipt(document) ? '' : ' y saldo'}; también la huella, el banco y la moneda.`,
    'El cliente, la fecha de emisión y las categorías no se pueden comparar.',
    ...warningsAboutNotes(document),
    ...otherWords(verdict.otherWords),
    ...partly,
  ]
}

/** Maximum number of sequence numbers that the command's message lists. */
const namedMax = 20

function otherWords(rows: readonly number[]): string[] {
  if (rows.length === 0) return []
  const named = rows.slice(0, namedMax).join(', ')
  return [
    `Con otra descripción que en la lista de hoy, porque cambió, se quitó o se falsificó: ${named}${rows.length > namedMax ? '…' : ''}.`,
  ]
}

/** Names a document by its account, and by its transaction or month. */
export function nameOf(document: Statement | Receipt): string {
  const { account } = document
  return isReceipt(document)
    ? `el comprobante ${document.transaction} de la cuenta ${account}`
    : `el extracto de ${monthInWords(document.month)} de la cuenta ${account}`
}

/**
 * Returns the sentences about a signed document: what the bank signed, which expenses the bank did not check, and which
 * words customers wrote.
 */
export function signedSentences(document: Statement | Receipt): string[] {
  const { bankName, customer, currency, issuedAt } = document
  const transfer = isReceipt(document) ? document.transfer : null
  return [
    `Es auténtico ${nameOf(document)}: lo firmó el banco como ${bankName}, para ${customer}, en ${statementCopy.currencies[currency].toLowerCase()}, el ${issuedAt}.`,
    ...[particularsInWords(document.particulars)].filter(Boolean),
    ...(transfer === null ? [] : [receiptCopy.transfer.inWords(transfer)]),
    ...warningsAboutNotes(document),
    declaredBy(document),
  ]
}
