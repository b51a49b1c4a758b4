/** Reads the limits of all categories and their spending in one request, and changes a category's limit. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { readingClient } from '#data/wait-for-live-channel.ts'
import { dataKeys, untilRead } from '#data/queries.ts'
import { categoryBudgetCopy as copy } from './copy.ts'

export type CategoryLimit = {
  category: string
  limitMinor: MinorUnits
  carriesOver: boolean
  /** The first month whose unspent amount is carried over, for example `2026-11`. */
  since: string
  /** Amount carried over from earlier months. The amount is negative if the earlier months were overspent. */
  carriedMinor: MinorUnits
  spentMinor: MinorUnits
}

export type CategoryBudgets = {
  /** `2026-11` */
  month: string
  limits: readonly CategoryLimit[]
  /**
   * Spending in categories without a limit, with the largest sum first. `null` stands for expenses without a category.
   */
  others: readonly { category: string | null; spentMinor: MinorUnits }[]
}

/** Reads the limits. The query is refetched whenever the balance is refetched. */
export function categoryBudgetsQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.refetchedOnChange(userId), 'category budgets'],
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

/**
 * Sets a category's limit, in whole units, from this month on. `null` removes the limit. Throws the table API's error.
 */
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
  // The generated type does not allow null, but the SQL function accepts it.
  const budget = { category, monthly_limit: limit as number, carries_over: carriesOver }
  unwrap(await api.rpc('set_category_budget', budget))
  await client.invalidateQueries({ queryKey: categoryBudgetsQuery(userId).queryKey })
}

/** The call that sets a limit, for `showRefusal` and `refusalMessage`. */
export const limitCall = {
  name: 'limit of a category',
  title: copy.failedTitle,
  refusals: { otherwise: copy.failedText },
}

/** Returns the amount that may be spent this month: the limit plus the amount carried over. */
export function allottedOf({ limitMinor, carriedMinor }: CategoryLimit): number {
  return limitMinor + carriedMinor
}
