import { Link } from '#ui/address/link.tsx'
import { displayedMinor, sumOf } from '#money/amounts.ts'
import { categorizationCopy } from '#categorization/copy.ts'
import { MoneyText, useAmountsHidden } from '#money/money-text.tsx'
import { foldSmallest, type CategorySum } from './categories.ts'
import { historyPath, overviewPath } from './paths.ts'
import type { Period } from './sums.ts'

type Props = {
  categories: readonly CategorySum[]
  period: Period
  /** Largest number of lines for the customer's categories. The smallest categories share the last line. */
  most?: number
}

/** Spending or income by category. Each line links to its transactions, and shows amount and share beside its bar. */
export function CategoryList({ categories, period, most = Number.POSITIVE_INFINITY }: Props) {
  const [isHidden] = useAmountsHidden()
  const lines = foldSmallest(categories, most)
  const totalMinor = sumOf(categories)
  return (
    <ul className="@container grid grid-cols-1">
      {lines.map(({ name, category, amountMinor }) => (
        <li key={name}>
          <Link
            to={category === null ? overviewPath(period) : historyPath(period, category)}
            className="-mx-2 block rounded-md px-2 py-1.5 text-sm transition-colors hover:bg-sunken"
          >
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span
                className="flex-1 truncate font-medium"
                style={{ minWidth: 'min(5rem, 100%)' }}
                title={name}
              >
                {name}
              </span>
              <MoneyText className="font-medium">{displayedMinor(amountMinor)}</MoneyText>
              {!isHidden && (
                <span className="figures min-w-10 text-right text-muted">
                  {categorizationCopy.share(amountMinor / totalMinor)}
                </span>
              )}
            </span>
            <span aria-hidden="true" className="bar mt-1.5 block h-1.5 rounded-full bg-sunken">
              {!isHidden && (
                <span
                  className={`block h-full min-w-1 rounded-full ${category === null ? 'bg-control' : 'bg-brass'}`}
                  style={{ width: `${(amountMinor / totalMinor) * 100}%` }}
                />
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
