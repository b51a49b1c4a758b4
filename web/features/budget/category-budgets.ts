/** Limits by category: one request that reads their sums, and the call that changes a limit. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { readingClient } from '#ledger/wait-for-live-channel.ts'
import { ledgerKeys, untilRead } from '#ledger/queries.ts'

export type CategoryLimit = {
  category: string
  limitMinor: MinorUnits
  carriesOver: boolean
  /** The first month whose rest is carried over, `2026-11`. */
  since: string
  /** Amount carried over from earlier months; negative after overspending. */
  carriedMinor: MinorUnits
  spentMinor: MinorUnits
}

export type CategoryBudgets = {
  /** `2026-11` */
  month: string
  limits: readonly CategoryLimit[]
  /** Spending without a limit, with the largest sum first. `null` means no category. */
  others: readonly { category: string | null; spentMinor: MinorUnits }[]
}

/** Reads the limits. They are refetched together with the balance. */
export function categoryBudgetsQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...ledgerKeys.refetchedOnChange(userId), 'category budgets'],
    queryFn: async ({ signal }): Promise<CategoryBudgets> => {
      const client = await readingClient()
      const { month, limits, others } = unwrap(
        await client.rpc('sum_category_budgets', undefined, { get: true }).abortSignal(signal),
      )
      return {
        month,
        limits: limits.map(({ category, monthly_limit, carries_over, since, carried, spent }) => ({
          category,
          limitMinor: minor(monthly_limit),
          carriesOver: carries_over,
          since,
          carriedMinor: minor(carried),
          spentMinor: minor(spent),
        })),
        others: others.map(({ category, spent }) => ({ category, spentMinor: minor(spent) })),
      }
    },
  })
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`sum_category_budgets answered ${amount} for an amount.`)
  return amountMinor
}

/** Sets a limit in whole units from this month on. `null` ends it. Throws the table API's error. */
export async function setCategoryBudget(
  client: QueryClient,
  userId: string,
  {
    category,
    limit,
    carriesOver,
  }: Pick<CategoryLimit, 'category' | 'carriesOver'> & { limit: number | null },
): Promise<void> {
  const api = await backend()
  // The generated type does not allow null, but the function does.
  const budget = { category, monthly_limit: limit as number, carries_over: carriesOver }
  unwrap(await api.rpc('set_category_budget', budget))
  await client.invalidateQueries({ queryKey: categoryBudgetsQuery(userId).queryKey })
}

/** Returns the amount that may be spent this month: the limit and the carried amount. */
export function allottedOf({ limitMinor, carriedMinor }: CategoryLimit): number {
  return limitMinor + carriedMinor
}
