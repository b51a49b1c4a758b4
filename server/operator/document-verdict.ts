/** The sentences with which `npm run verify-statement` answers about a statement or receipt. */
import type { LedgerVerdict } from '@finanzas/contract/papers/check.ts'
import { isCertificate } from '@finanzas/contract/papers/certificate.ts'
import { monthInWords, receiptCopy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { money } from '@finanzas/contract/papers/facts.ts'
import { particularsInWords } from '@finanzas/contract/papers/particulars.ts'
import { type Paper, declaredBy, isReceipt, warningsAboutNotes } from '@finanzas/contract/papers/receipt.ts'
import { counted } from './command-line.ts'

/** Returns the sentences about the comparison of a document with the journal. */
export function sentencesOf(verdict: LedgerVerdict, document: Paper): string[] {
  const faults = {
    account: 'la cuenta no existe',
    bank: 'no lleva el nombre de este banco',
    currency: 'no está en la moneda de este banco',
    sum: 'sus montos no suman su saldo final',
    head: 'su huella no es la del libro',
    opening: 'su saldo inicial no es el del libro',
    notes: 'sus anotaciones no suman lo que suman en el libro',
    booked: 'su saldo no es el que el banco tenía en el libro',
  } as const
  if (!verdict.holds) {
    const fault =
      verdict.fault === 'row' ? `el asiento ${verdict.seq} no es lo que dice el libro` : faults[verdict.fault]
    return [`NO ES AUTÉNTICO ${nameOf(document)}: ${fault}.`]
  }
  const { rows, compared, changed } = wordsAbout(document)
  const partly = verdict.isWhole ? [] : [changed]
  if (document.signature !== null) return [...signedSentences(document), `${rows} con el libro.`, ...partly]
  return [
    `SIN FIRMA ${nameOf(document)}: ${rows} con el libro en ${compared}; también la huella, el banco y la moneda.`,
    'El cliente, la fecha de emisión y las categorías no se pueden comparar.',
    ...warningsAboutNotes(document),
    ...otherWords(verdict.otherWords),
    ...partly,
  ]
}

/** Returns the words about the parts that match the journal, that were compared without a signature, and that changed later. */
function wordsAbout(document: Paper) {
  if (isCertificate(document))
    return {
      rows: 'El saldo según el banco coincide',
      compared: 'monto',
      changed: 'Después de emitirlo, el banco registró otros movimientos.',
    }
  const posting = 'número, tipo, fecha, hora y monto'
  return isReceipt(document)
    ? {
        rows: 'El asiento coincide',
        compared: posting,
        changed:
          'Después de emitirlo, el movimiento cambió, se corrigió, se devolvió o salió de la lista del cliente, o volvió a ella.',
      }
    : {
        rows: counted(document.rows.length, 'asiento coincide', 'asientos coinciden'),
        compared: `${posting} y saldo`,
        changed: 'Después de emitirlo, el libro cambió movimientos con fecha de ese mes o anterior.',
      }
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

/** Names a document by its account, and by its transaction, month or time of issue. */
export function nameOf(document: Paper): string {
  const { account } = document
  if (isCertificate(document))
    return `el certificado de saldo del ${document.issuedAt} de la cuenta ${account}`
  return isReceipt(document)
    ? `el comprobante ${document.transaction} de la cuenta ${account}`
    : `el extracto de ${monthInWords(document.month)} de la cuenta ${account}`
}

/**
 * Returns the sentences about a signed document: what the bank signed, which expenses the bank did not check, and which
 * words customers wrote.
 */
export function signedSentences(document: Paper): string[] {
  const { bankName, customer, currency, issuedAt } = document
  const transfer = isReceipt(document) ? document.transfer : null
  const balance = isCertificate(document)
    ? [`Saldo según el banco: ${money(document.bookedMinor, document)}.`]
    : []
  return [
    `Es auténtico ${nameOf(document)}: lo firmó el banco como ${bankName}, para ${customer}, en ${statementCopy.currencies[currency].toLowerCase()}, el ${issuedAt}.`,
    ...balance,
    ...[particularsInWords(document.particulars)].filter(Boolean),
    ...(transfer === null ? [] : [receiptCopy.transfer.inWords(transfer)]),
    ...warningsAboutNotes(document),
    declaredBy(document),
  ]
}
