import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { allottedOf, type CategoryBudgets } from './category-budgets.ts'
import { categoryBudgetCopy as copy } from './copy.ts'

export function LimitTotals({ limits }: Pick<CategoryBudgets, 'limits'>) {
  const allottedMinor = limits.reduce((sum, limit) => sum + allottedOf(limit), 0)
  const spentMinor = limits.reduce((sum, limit) => sum + limit.spentMinor, 0)
  const leftMinor = allottedMinor - spentMinor
  const totals = [
    [copy.allotted, allottedMinor],
    [copy.spent, spentMinor],
    [leftMinor < 0 ? copy.missing : copy.left, Math.abs(leftMinor)],
  ] as const
  return (
    <dl aria-label={copy.totals} className="budget-totals">
      {totals.map(([name, minor]) => (
        <div key={name} className="@container">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className={`font-semibold ${name === copy.missing ? 'text-danger' : ''}`}>
            <MoneyText>{displayedMinor(minor)}</MoneyText>
          </dd>
        </div>
      ))}
    </dl>
  )
}
