import type { PaperReason } from '@finanzas/contract/database-types.ts'
import type { PaperFormat } from '@finanzas/contract/wire/configuration.ts'
import { invokeFunction } from './functions.ts'

/** A paper. Staff also name its owner, a customer, and the reason. */
export type AskedPaper = ({ month: string } | { transaction_id: string } | { certificate: 'balance' }) & {
  user_id?: string
  reason?: PaperReason
}

/** Fetches a paper, which the bank writes and signs. Throws a `FunctionRefusal`. */
export async function issuedPaper(asked: AskedPaper, format: PaperFormat): Promise<Blob> {
  const answer = await invokeFunction('statement', { ...asked, format })
  if (answer instanceof Blob) return answer
  return new Blob([(answer as { csv: string }).csv], { type: 'text/csv;charset=utf-8' })
}
