import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { adminCopy } from '#features/admin/copy.ts'
import { dayOf, formatDay } from '#format/dates.ts'
import { displayedMinor } from '#money/amounts.ts'
import { linePath, side } from '#sums/charts/geometry.ts'
import { MoneyText, useAmountsHidden } from '#money/money-text.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { bankQuery, type BankSums } from './bank.ts'

const copy = adminCopy.bank

/** The sum that the bank owes its customers, now and at the end of each of the last days. */
export function BankCard() {
  const bank = useQuery(bankQuery)
  return (
    <section aria-label={copy.title} className="mb-4 rounded-lg border border-line bg-surface sm:mb-6">
      <div className="bank-sums grid min-h-24 grid-cols-1 items-center gap-y-3 px-4 py-3 sm:px-6">
        {bank.data !== undefined ? (
          <Sums sums={bank.data} />
        ) : bank.isError ? (
          <RetryLine message={copy.failed} onRetry={() => void bank.refetch()} />
        ) : (
          <div aria-hidden="true" className="skeleton h-8 w-40" />
        )}
      </div>
      {bank.data !== undefined && <Days days={bank.data.days} />}
    </section>
  )
}

function Sums({ sums }: { sums: BankSums }) {
  const { customers, owedMinor, totalMinor, overdrawnMinor, days } = sums
  return (
    <>
      <div className="@container min-w-0">
        <h2 className="text-sm font-medium text-muted">{copy.title}</h2>
        <p className="text-2xl font-semibold tracking-tight">
          <MoneyText>{displayedMinor(owedMinor)}</MoneyText>
        </p>
        <p className="text-sm text-muted">
          {copy.customers(customers)}
          {overdrawnMinor !== 0 && (
            <>
              {' · '}
              <MoneyText within={copy.overdrawn}>{displayedMinor(overdrawnMinor)}</MoneyText>
              {' · '}
              <MoneyText within={copy.net}>{displayedMinor(totalMinor)}</MoneyText>
            </>
          )}
        </p>
      </div>
      <Line totals={days.map((day) => day.totalMinor)} />
    </>
  )
}

/** The last days as a line, scaled between the lowest and the highest sum. A table lists the sums. */
function Line({ totals }: { totals: readonly number[] }) {
  const [isHidden] = useAmountsHidden()
  const [low, high] = [Math.min(...totals), Math.max(...totals)]
  if (isHidden || low === high) return null
  const values = totals.map((total) => total - low)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${side} ${side}`} preserveAspectRatio="none" className="bank-line">
      <path
        d={linePath(values, { daysMax: totals.length, ceiling: high - low })}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

function Days({ days }: { days: BankSums['days'] }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group border-t border-line" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 items-center justify-between gap-4 rounded-b-lg px-4 text-sm font-medium sm:px-6 [&::-webkit-details-marker]:hidden">
        {copy.byDay}
        <ChevronDown
          aria-hidden="true"
          className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      {isOpen && (
        <table className="@container w-full text-sm">
          <caption className="sr-only">{copy.byDayTable}</caption>
          <tbody className="divide-y divide-line border-t border-line">
            {days.toReversed().map(({ day, totalMinor }) => (
              <tr key={day}>
                <th scope="row" className="px-4 py-1.5 text-left font-normal first-letter:uppercase sm:px-6">
                  {formatDay(dayOf(day), Number(days.at(-1)?.day.slice(0, 4)))}
                </th>
                <td className="px-4 py-1.5 text-right sm:px-6">
                  <MoneyText>{displayedMinor(totalMinor)}</MoneyText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
