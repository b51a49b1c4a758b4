/**
 * Issues a statement of one month for the caller, or a receipt for one transaction, both signed by the bank. The signed
 * data comes from the bank's settings and from database reads with the caller's rights. The client sends only the month
 * or the transaction's id.
 */
import type { IssueReceipt } from '@finanzas/contract/wire/functions.ts'
import { statementCharactersMax } from '@finanzas/contract/limits.ts'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { receiptCsv, receiptOf } from '@finanzas/contract/papers/receipt.ts'
import { signCsv } from '@finanzas/contract/papers/signature.ts'
import { bogotaMinute, customerOf, readWhole, statementOf } from '@finanzas/contract/papers/statement.ts'
import { FunctionError } from './errors.ts'
import type { FunctionRuntime } from './runtime.ts'

/** Minimum length of one row in characters, without the description and the category. */
const rowCharactersMin = 50

/** Returns the statement as CSV. The statement is unsigned if the bank has no key. */
export async function issueStatement(month: string, runtime: FunctionRuntime): Promise<string> {
  const holder = await runtime.readHolder()
  let characters = 0
  const answer = await readWhole(async (place) => {
    const page = await runtime.readStatement(month, place)
    for (const { description, category } of page.entries)
      characters += rowCharactersMin + (description?.length ?? 0) + (category?.length ?? 0)
    // Checks the length after each page of rows, so that a long statement cannot fill the memory.
    if (characters > statementCharactersMax) throw tooLong()
    return page
  })
  const issued = {
    ...runtime.bank,
    particulars: { ...runtime.bank.particulars, ...holder.particulars },
    customer: customerOf(holder),
    issuedAt: bogotaMinute(new Date().toISOString()),
  }
  return signed(statementCsv(statementOf(answer, issued, statementCopy.unlisted)), runtime)
}

/** Returns the receipt as CSV. */
export async function issueReceipt(asked: IssueReceipt, runtime: FunctionRuntime): Promise<string> {
  const issued = { ...runtime.bank, issuedAt: bogotaMinute(new Date().toISOString()) }
  return signed(receiptCsv(receiptOf(await runtime.readReceipt(asked), issued)), runtime)
}

async function signed(csv: string, runtime: FunctionRuntime): Promise<string> {
  const key = await runtime.openStatementKey()
  return key === null ? csv : signCsv(csv, key)
}

function tooLong(): FunctionError {
  return new FunctionError(413, 'El mes tiene demasiados registros para un extracto. Pídelo en el banco.')
}
