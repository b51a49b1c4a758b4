import { queryOptions } from '@tanstack/react-query'
import {
  type Statement,
  type StatementAnswer,
  bogotaMinute,
  readWhole,
  statementOf,
} from '@finanzas/contract/statement/statement.ts'
import { statementCopy } from '@finanzas/contract/statement/copy.ts'
import { backend } from '#backend/client.ts'
import { configuration } from '#backend/configuration.ts'
import { unwrap } from '#backend/unwrap.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { firstDay } from '#format/months.ts'

/** The month as the journal booked it; read again with the balance. */
export function statementQuery({
  userId,
  customer,
  month,
}: {
  userId: string
  customer: string
  month: string
}) {
  return queryOptions({
    queryKey: [...ledgerKeys.summary(userId), 'statement', month],
    queryFn: async ({ signal }): Promise<Statement> => {
      const { brandName, displayCurrency } = configuration()
      const issued = {
        bankName: brandName,
        customer,
        currency: displayCurrency === 'COP' ? 'COP' : 'USD',
        issuedAt: bogotaMinute(new Date().toISOString()),
      } as const
      return statementOf(await readStatement({ month }, signal), issued, statementCopy.unlisted)
    },
  })
}

/** What the bank says of a month now, or of its part up to an entry. */
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
