import { Link } from 'react-router'
import { firstDay, formatMonthAndYear } from '#format/months.ts'
import { displayedMinor, signedMinor } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import type { MonthTotals } from '#ledger/sums/month-totals.ts'
import { historyPath } from '#ledger/sums/paths.ts'
import type { Period } from '#ledger/sums/sums.ts'
import { overviewCopy } from './copy.ts'
import { daysWithin } from './period.ts'

const columns = [
  overviewCopy.month,
  overviewCopy.moneyIn,
  overviewCopy.moneyOut,
  overviewCopy.difference,
  overviewCopy.balanceAtEnd,
] as const

/** The months side by side, the newest first; a table on the desktop, a card for each on the phone. */
export function MonthRows({ months, period }: { months: readonly MonthTotals[]; period: Period }) {
  return (
    // A display of its own takes a table's roles away.
    <table role="table" className="block w-full text-left text-sm md:table">
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-y border-line">
          {columns.map((column, index) => (
            <th
              key={column}
              role="columnheader"
              scope="col"
              className={`px-2 py-2 font-medium text-muted first:pl-6 last:pr-6 ${index === 0 ? '' : 'text-right'}`}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        role="rowgroup"
        className="block divide-y divide-line border-t border-line md:table-row-group md:border-0"
      >
        {months.toReversed().map((month) => (
          <MonthRow key={month.month} totals={month} period={period} />
        ))}
      </tbody>
    </table>
  )
}

function MonthRow({ totals, period }: { totals: MonthTotals; period: Period }) {
  const { month, inMinor, outMinor, balanceMinor } = totals
  const { from, to, isWhole } = daysWithin(month, period)
  const dayOf = (day: number) => firstDay(month).slice(0, -2) + String(day).padStart(2, '0')
  const amounts = [
    signedMinor(inMinor),
    signedMinor(-outMinor),
    signedMinor(inMinor - outMinor),
    displayedMinor(balanceMinor),
  ]
  return (
    <tr
      role="row"
      className="grid grid-cols-2 gap-x-4 gap-y-1 px-4 py-3 break-inside-avoid sm:px-6 md:table-row md:hover:bg-sunken"
    >
      <th role="rowheader" scope="row" className="col-span-2 font-medium md:py-2.5 md:pr-2 md:pl-6">
        <Link
          to={historyPath({ since: dayOf(from), until: dayOf(to) })}
          className="inline-block text-primary first-letter:uppercase hover:underline"
        >
          {formatMonthAndYear(month)}
        </Link>
        {!isWhole && (
          <span className="ml-2 font-normal text-muted">{overviewCopy.partOfMonth(from, to)}</span>
        )}
      </th>
      {amounts.map((amount, index) => (
        <td key={columns[index + 1]} role="cell" className="md:px-2 md:text-right md:last:pr-6">
          <span className="block text-xs text-muted md:hidden">{columns[index + 1]}</span>
          <MoneyText className={index === 0 && inMinor > 0 ? 'text-positive' : ''}>{amount}</MoneyText>
        </td>
      ))}
    </tr>
  )
}
