import { Pencil } from 'lucide-react'
import { Link } from '#ui/address/link.tsx'
import { addMonths, firstDay, formatMonth, lastDay } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { LimitMeter } from '#planning/sums/limit-meter.tsx'
import { historyPath } from '#planning/sums/paths.ts'
import { Button } from '#ui/button.tsx'
import { allottedOf, type CategoryLimit } from './category-budgets.ts'
import { categoryBudgetCopy as copy } from './copy.ts'

type Props = { limit: CategoryLimit; month: string; onEdit: () => void }

/** A category with its limit, the amounts spent and left, and the amount carried over. */
export function LimitRow({ limit, month, onEdit }: Props) {
  const { category, spentMinor } = limit
  const allottedMinor = allottedOf(limit)
  const leftMinor = allottedMinor - spentMinor
  return (
    <li data-row={category} className="budget-row">
      <div className="@container flex flex-wrap items-baseline gap-x-3">
        <Link
          to={historyPath({ since: firstDay(month), until: lastDay(month) }, category)}
          className="budget-name font-medium hover:underline"
        >
          {category}
        </Link>
        <MoneyText className="font-semibold">{displayedMinor(spentMinor)}</MoneyText>
        <MoneyText className="text-sm text-muted" within={copy.spentOf}>
          {displayedMinor(allottedMinor)}
        </MoneyText>
      </div>
      <Button variant="muted" size="icon" aria-label={copy.edit(category)} onClick={onEdit}>
        <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      </Button>
      <div className="budget-rest @container">
        <LimitMeter label={copy.meter(category)} limitMinor={allottedMinor} spentMinor={spentMinor} />
        <p className={`mt-3 text-sm ${leftMinor < 0 ? 'font-medium text-danger' : 'text-muted'}`}>
          {leftMinor === 0 ? (
            copy.reached
          ) : (
            <MoneyText within={leftMinor > 0 ? copy.leftIn : copy.exceeded}>
              {displayedMinor(Math.abs(leftMinor))}
            </MoneyText>
          )}
        </p>
        <Carried limit={limit} month={month} />
      </div>
    </li>
  )
}

function Carried({ limit: { carriesOver, carriedMinor, since }, month }: Pick<Props, 'limit' | 'month'>) {
  if (!carriesOver) return null
  const from = monthInWords(since, month)
  const sentence = carriedMinor > 0 ? copy.carried : copy.owed
  return (
    <p className="text-sm text-muted">
      {carriedMinor === 0 ? (
        copy.carriesFrom(from)
      ) : (
        <MoneyText within={(money) => sentence(money, from)}>
          {displayedMinor(Math.abs(carriedMinor))}
        </MoneyText>
      )}
    </p>
  )
}

/** Returns the month's name, for example `septiembre`. Adds the year if the name alone would be ambiguous. */
function monthInWords(since: string, month: string): string {
  const isNear = since > addMonths(month, -12)
  return isNear ? formatMonth(since) : `${formatMonth(since)} de ${since.slice(0, 4)}`
}
