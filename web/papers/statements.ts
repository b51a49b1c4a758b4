import { queryOptions } from '@tanstack/react-query'
import {
  type Issued,
  type Statement,
  type StatementAnswer,
  readWhole,
  statementOf,
} from '@finanzas/contract/papers/statement.ts'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { backend } from '#api/client.ts'
import { configuration } from '#api/configuration.ts'
import { unwrap } from '#api/unwrap.ts'
import { dataKeys } from '#data/queries.ts'
import { firstDay } from '#ui/format/months.ts'

/**
 * Reads a month's statement for display. Transactions belong to the month of their date. The query is refetched
 * whenever the balance is refetched. For the download, `issuedStatement` fetches a signed statement.
 */
export function statementQuery({ userId, month }: { userId: string; month: string }) {
  return queryOptions({
    queryKey: [...dataKeys.refetchedOnChange(userId), 'statement', month],
    queryFn: async ({ signal }): Promise<Statement> => {
      // The account holder and the time of issue appear only in an issued statement.
      const shown = { ...bankOfPage(), customer: '', issuedAt: '' }
      return statementOf(await readStatement({ month }, signal), shown, statementCopy.unlisted)
    },
  })
}

/**
 * Reads the date of the customer's first transaction, or `null` if the customer does not have any. This date may
 * precede the opening of the account.
 */
export function firstDateQuery(userId: string) {
  return queryOptions({
    queryKey: [...dataKeys.refetchedOnChange(userId), 'first date'],
    queryFn: async ({ signal }): Promise<string | null> => {
      const client = await backend()
      const asked = client.from('transactions').select('date').eq('user_id', userId).order('date').limit(1)
      return unwrap(await asked.abortSignal(signal))[0]?.date ?? null
    },
  })
}

/** Returns the bank's name and currency as they appear in its statements. */
export function bankOfPage(): Pick<Issued, 'bankName' | 'currency'> {
  const { brandName, displayCurrency } = configuration()
  return { bankName: brandName, currency: displayCurrency === 'COP' ? 'COP' : 'USD' }
}

/** Reads the current data of a month, optionally only up to a given journal entry. */
export async function readStatement(
  { month, untilSeq }: { month: string; untilSeq?: number },
  signal?: AbortSignal,
): Promise<StatementAnswer> {
  const client = await backend()
  return readWhole(async (place) => {
    const asked = client.rpc('statement', {
      month: firstDay(month),
      after_row: place.afterRow,
      ...(place.untilSeq !== null && { until_seq: place.untilSeq }),
    })
    return unwrap(
      await (signal === undefined ? asked : asked.abortSignal(signal)),
    ) as unknown as StatementAnswer
  }, untilSeq)
}
