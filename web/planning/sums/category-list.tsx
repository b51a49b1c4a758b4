import { Link } from '#ui/address/link.tsx'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { coloursOf } from '#categories/category-badge.tsx'
import { categorizationCopy } from '#categories/copy.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { foldSmallest, type CategorySum } from './categories.ts'
import { historyPath, overviewPath } from './paths.ts'
import type { Period } from './sums.ts'

type Props = {
  categories: readonly CategorySum[]
  period: Period
  /**
   * Maximum number of lines for the customer's categories. If the customer has more categories, the smallest categories
   * share the last line.
   */
  most?: number
  /** Totals of the previous period, for comparison. */
  before?: readonly CategorySum[]
}

/**
 * Lists spending or income by category. Each line links to the category's transactions and shows the amount, the share
 * and a bar. A tick on the bar marks the amount in the previous period.
 */
export function CategoryList({ categories, period, most = Number.POSITIVE_INFINITY, before = [] }: Props) {
  const [isHidden] = useAmountsHidden()
  const lines = foldSmallest(categories, most)
  const totalMinor = sumOf(categories)
  const widthOf = (minor: number) => `${Math.min(100, (minor / totalMinor) * 100)}%`
  const minorBefore = (name: string) => before.find((sum) => sum.name === name)?.amountMinor ?? 0
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
            <Bar
              category={category}
              width={widthOf(amountMinor)}
              widthBefore={before.length === 0 ? null : widthOf(minorBefore(name))}
            />
            {before.length > 0 && (
              <span className="mt-1 block text-xs text-muted">
                <Comparison moreMinor={amountMinor - minorBefore(name)} />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

type BarProps = { category: string | null; width: string; widthBefore: string | null }

function Bar({ category, width, widthBefore }: BarProps) {
  const [isHidden] = useAmountsHidden()
  return (
    <span
      aria-hidden="true"
      className={`bar relative mt-1.5 block h-1.5 rounded-full ${coloursOf({ type: 'expense', category })}`}
    >
      {!isHidden && (
        <span className="block h-full min-w-1 rounded-full" style={{ width, background: 'currentColor' }} />
      )}
      {!isHidden && widthBefore !== null && (
        <span
          className="absolute border-l-2"
          style={{
            left: widthBefore,
            insetBlock: '-0.1875rem',
            color: 'var(--color-ink)',
          }}
        />
      )}
    </span>
  )
}

function Comparison({ moreMinor }: { moreMinor: number }) {
  if (moreMinor === 0) return categorizationCopy.same
  return (
    <MoneyText within={moreMinor < 0 ? categorizationCopy.less : categorizationCopy.more}>
      {displayedMinor(Math.abs(moreMinor))}
    </MoneyText>
  )
}
