import { numberFromMinor } from '@finanzas/contract/money.ts'
import { isCertificate } from '@finanzas/contract/papers/certificate.ts'
import { monthInWords, receiptCopy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { timeInWords } from '@finanzas/contract/papers/facts.ts'
import { particularsInWords } from '@finanzas/contract/papers/particulars.ts'
import { type Paper, type Receipt, declaredBy, isReceipt } from '@finanzas/contract/papers/receipt.ts'
import { formatDateWithYear, noonInBogota } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { statementPageCopy as copy } from './copy.ts'
import { refused, type Result } from './verification-result.ts'
import { type Verdict, verdictOf } from './verify.ts'

/** Verifies a statement or receipt, and says in words whether it matches the journal. */
export async function resultOf(file: File): Promise<Result> {
  const verdict = await verdictOf(file)
  return verdict === null ? refused(copy.unreadable) : inWords(verdict)
}

function inWords(verdict: Verdict): Result {
  if (verdict.signature === 'false') return refused(copy.falseSignature)
  if (verdict.signature === 'unknown_key') return refused(copy.unknownKey)
  const { document, signature, ledger } = verdict
  if (!ledger.holds)
    return refused(ledger.fault === 'row' ? copy.faults.row(ledger.seq) : copy.faults[ledger.fault])
  const words = wordsOf(document)
  const partly = ledger.isWhole ? [] : [words.partOfMonth]
  if (signature === 'unsigned')
    return {
      holds: false,
      sentences: [
        words.unsigned,
        ...(ledger.otherWords.length === 0 ? [] : [copy.otherWords(ledger.otherWords)]),
        ...partly,
      ],
    }
  const { bankName, customer, currency } = document
  return {
    holds: true,
    sentences: [
      words.holds,
      copy.signed({
        bankName,
        customer,
        period: periodOf(document),
        currency: statementCopy.currencies[currency],
      }),
      ...(isReceipt(document) && document.transfer !== null
        ? [receiptCopy.transfer.inWords(document.transfer)]
        : []),
      ...[particularsInWords(document.particulars)].filter(Boolean),
      declaredBy(document),
      ...partly,
    ],
  }
}

function wordsOf(document: Paper) {
  if (isCertificate(document)) return copy.certificate
  return isReceipt(document) ? copy.receipt : copy
}

function periodOf(document: Paper): string {
  const { currency, issuedAt } = document
  if (isCertificate(document))
    return copy.certificate.period({
      money: displayedMoney(numberFromMinor(document.bookedMinor), currency),
      issued: timeInWords(issuedAt),
    })
  return isReceipt(document)
    ? copy.receipt.period(displayedReceipt(document))
    : copy.period(monthInWords(document.month))
}

function displayedReceipt({ type, amountMinor, currency, day, state }: Receipt) {
  return {
    kind: statementCopy.kinds[type] ?? '',
    money: displayedMoney(numberFromMinor(amountMinor), currency),
    day: formatDateWithYear(noonInBogota(day)),
    state: receiptCopy.states[state],
  }
}
