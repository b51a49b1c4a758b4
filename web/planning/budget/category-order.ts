/** Orders the categories of the budget page: the limits that need attention first, then the spending without a limit. */
import { isNearLimit } from '#planning/sums/limit-meter.tsx'
import { allottedOf, type CategoryBudgets, type CategoryLimit } from './category-budgets.ts'
import type { Habit, Habits } from './habits.ts'

/** A category without a limit. `null` stands for expenses without a category. */
export type OpenCategory = { category: string | null; spentMinor: number; habit: Habit }

/** Returns the limits: the exceeded limits first, then the limits that are near, then the others by spending. */
export function byAttention(limits: readonly CategoryLimit[]): CategoryLimit[] {
  return limits.toSorted(
    (one, other) =>
      urgency(other) - urgency(one) ||
      other.spentMinor - one.spentMinor ||
      one.category.localeCompare(other.category, 'es'),
  )
}

function urgency(limit: CategoryLimit): number {
  const limitMinor = allottedOf(limit)
  if (limit.spentMinor > limitMinor) return 2
  return isNearLimit({ limitMinor, spentMinor: limit.spentMinor }) ? 1 : 0
}

const unknown: Habit = { averageMinor: 0, lastMinor: 0 }

/** Returns the categories without a limit in which the customer spends money this month or usually, by spending. */
export function openCategories({ limits, others }: CategoryBudgets, habits: Habits): OpenCategory[] {
  const limited = new Set<string | null>(limits.map(({ category }) => category))
  const spent = new Map(others.map(({ category, spentMinor }) => [category, spentMinor]))
  return [...new Set([...spent.keys(), ...habits.categories.keys()])]
    .filter((category) => !limited.has(category))
    .map((category) => ({
      category,
      spentMinor: spent.get(category) ?? 0,
      habit: habits.categories.get(category) ?? unknown,
    }))
    .sort(
      (one, other) => other.spentMinor - one.spentMinor || other.habit.averageMinor - one.habit.averageMinor,
    )
}
