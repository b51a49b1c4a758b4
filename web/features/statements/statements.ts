import { queryOptions } from '@tanstack/react-query'
import {
  type Issued,
  type Statement,
  type StatementAnswer,
  readWhole,
  statementOf,
} from '@finanzas/contract/statement/statement.ts'
import { statementCopy } from '@finanzas/contract/statement/copy.ts'
import {
  type StatementKeys,
  readStatementKeys,
  statementKeysPath,
} from '@finanzas/contract/statement/signature.ts'
import { backend } from '#backend/client.ts'
import { configuration } from '#backend/configuration.ts'
import { invokeFunction } from '#backend/functions.ts'
import { unwrap } from '#backend/unwrap.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { firstDay } from '#format/months.ts'

/**
 * The month as the journal booked it; read again with the balance. This query is for display; `issuedStatement` is for
 * the download.
 */
export function statementQuery({ userId, month }: { userId: string; month: string }) {
  return queryOptions({
    queryKey: [...ledgerKeys.refetchedOnChange(userId), 'statement', month],
    queryFn: async ({ signal }): Promise<Statement> => {
      // Holder and moment belong to what is handed out.
      const shown = { ...bankOfPage(), customer: '', issuedAt: '' }
      return statementOf(await readStatement({ month }, signal), shown, statementCopy.unlisted)
    },
  })
}

/** As the bank's statements name it. */
export function bankOfPage(): Pick<Issued, 'bankName' | 'currency'> {
  const { brandName, displayCurrency } = configuration()
  return { bankName: brandName, currency: displayCurrency === 'COP' ? 'COP' : 'USD' }
}

/** The month's statement as the bank issues and signs it, as CSV. Throws a `FunctionRefusal`. */
export async function issuedStatement(month: string): Promise<string> {
  const { csv } = (await invokeFunction('statement', { month })) as { csv: string }
  return csv
}

/** Public halves of the keys that have signed this bank's statements. Throws without them. */
export async function readPublishedKeys(): Promise<StatementKeys> {
  const response = await fetch(statementKeysPath, { cache: 'no-cache' })
  const keys = response.ok ? readStatementKeys(await response.json()) : null
  if (keys === null) throw new Error(`GET ${statementKeysPath} answered ${response.status} and no keys.`)
  return keys
}

/** A month as the bank has it now, or its part up to an entry. */
export async function readStatement(
  { month, untilSeq }: { month: string; untilSeq?: number },
  signal?: AbortSignal,
): Promise<StatementAnswer> {
  const client = await backend()
  return readWhole(async (afterSeq) => {
    const asked = client.rpc('statement', {
      month: firstDay(month),
      after_seq: afterSeq,
      ...(untilSeq !== undefined && { until_seq: untilSeq }),
    })
    return unwrap(
      await (signal === undefined ? asked : asked.abortSignal(signal)),
    ) as unknown as StatementAnswer
  })
}
