import { bogotaDay, formatDay, isoDay } from '#format/dates.ts'
import { displayedMoney } from '#ledger/displayed-money.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { transactionsCopy } from '#features/transactions/copy.ts'

/** The day that the rows below it share, and what they add up to. */
export function DayHeading({ day, totalMinor }: { day: number; totalMinor: number }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-b border-line bg-sunken pr-14.5 pl-4 text-sm sm:min-h-10 sm:pr-18 sm:pl-6">
      <h3 className="font-semibold first-letter:uppercase">{nameOf(day)}</h3>
      <MoneyText className="min-w-0 text-right text-muted wrap-anywhere whitespace-normal">
        {`${totalMinor > 0 ? '+' : ''}${displayedMoney(totalMinor / 100)}`}
      </MoneyText>
    </div>
  )
}

function nameOf(day: number): string {
  const today = bogotaDay(new Date())
  if (day === today) return transactionsCopy.today
  if (day === today - 1) return transactionsCopy.yesterday
  return formatDay(day, Number(isoDay(today).slice(0, 4)))
}
