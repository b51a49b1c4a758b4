/**
 * Issues a statement of one month, a receipt for one transaction, or a certificate of the balance, signed by the bank. The signed data comes from
 * the bank's settings and from database reads with the caller's rights. The client sends only the month or the
 * transaction's id, and the format; an administrator also sends the customer and the reason.
 */
import type { PaperFormat } from '@finanzas/contract/wire/configuration.ts'
import type { IssueCertificate, IssueMonth, IssueReceipt } from '@finanzas/contract/wire/functions.ts'
import { pdfRowsMax, statementCharactersMax } from '@finanzas/contract/limits.ts'
import { certificateCsv, certificateOf } from '@finanzas/contract/papers/certificate.ts'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { receiptCsv, receiptOf } from '@finanzas/contract/papers/receipt.ts'
import { type SigningKey, signCsv } from '@finanzas/contract/papers/signature.ts'
import { bogotaMinute, customerOf, readWhole, statementOf } from '@finanzas/contract/papers/statement.ts'
import { FunctionError, tooLongForPdf } from './errors.ts'
import type { FunctionRuntime } from './runtime.ts'

/** Minimum length of one row in characters, without the description and the category. */
const rowCharactersMin = 50

type Paper = { readonly csv: string } | Response

/** Issues a statement. It is unsigned if the bank has no key. */
export async function issueStatement(
  { format, ...asked }: IssueMonth & { readonly format: PaperFormat },
  runtime: FunctionRuntime,
): Promise<Paper> {
  const key = await openKey(format, runtime)
  const holder = asked.user_id === null ? await runtime.readHolder() : await runtime.recordStatement(asked)
  let characters = 0
  let rows = 0
  const answer = await readWhole(async (place) => {
    const page = await runtime.readStatement(asked, place)
    rows += page.entries.length
    for (const { description, category } of page.entries)
      characters += rowCharactersMin + (description?.length ?? 0) + (category?.length ?? 0)
    // Checks the length after each page of rows, so that a long statement cannot fill the memory.
    if (characters > statementCharactersMax) throw tooLong()
    if (format === 'pdf' && rows > pdfRowsMax) throw tooLongForPdf()
    return page
  })
  const issued = {
    ...runtime.bank,
    particulars: { ...runtime.bank.particulars, ...holder.particulars },
    customer: customerOf(holder),
    issuedAt: bogotaMinute(new Date().toISOString()),
  }
  return paperOf(statementCsv(statementOf(answer, issued, statementCopy.unlisted)), format, { runtime, key })
}

export async function issueReceipt(
  { format, ...asked }: IssueReceipt & { readonly format: PaperFormat },
  runtime: FunctionRuntime,
): Promise<Paper> {
  const key = await openKey(format, runtime)
  const issued = { ...runtime.bank, issuedAt: bogotaMinute(new Date().toISOString()) }
  return paperOf(receiptCsv(receiptOf(await runtime.readReceipt(asked), issued)), format, { runtime, key })
}

export async function issueCertificate(
  { format, ...asked }: IssueCertificate & { readonly format: PaperFormat },
  runtime: FunctionRuntime,
): Promise<Paper> {
  const key = await openKey(format, runtime)
  const certificate = certificateOf(await runtime.readCertificate(asked), runtime.bank)
  return paperOf(certificateCsv(certificate), format, { runtime, key })
}

async function paperOf(
  csv: string,
  format: PaperFormat,
  { runtime, key }: { readonly runtime: FunctionRuntime; readonly key: SigningKey | null },
): Promise<Paper> {
  const signed = key === null ? csv : await signCsv(csv, key)
  if (format === 'csv') return { csv: signed }
  if (runtime.writePdf === null || key === null) throw onlyCsv()
  return new Response(await runtime.writePdf(signed, key), { headers: { 'content-type': 'application/pdf' } })
}

/** Refuses the format and opens the key, before a paper of a customer is recorded in the audit. */
async function openKey(format: PaperFormat, runtime: FunctionRuntime): Promise<SigningKey | null> {
  if (format === 'pdf' && runtime.writePdf === null) throw onlyCsv()
  return runtime.openStatementKey()
}

function onlyCsv(): FunctionError {
  return new FunctionError(501, 'Este banco entrega los extractos y comprobantes solo en CSV.')
}

function tooLong(): FunctionError {
  return new FunctionError(413, 'El mes tiene demasiados registros para un extracto. Pídelo en el banco.')
}
