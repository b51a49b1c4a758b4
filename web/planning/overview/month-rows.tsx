import { Link } from '#ui/address/link.tsx'
import { firstDay, formatMonthAndYear } from '#ui/format/months.ts'
import { displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { MonthTotals } from '#planning/sums/month-totals.ts'
import { historyPath } from '#planning/sums/paths.ts'
import type { Period } from '#planning/sums/sums.ts'
import { Cell, Row, RowHeader, Table } from '#ui/table.tsx'
import { overviewCopy } from './copy.ts'
import { daysWithin } from './period.ts'

const columns = [
  overviewCopy.month,
  overviewCopy.moneyIn,
  overviewCopy.moneyOut,
  overviewCopy.difference,
  overviewCopy.balanceAtEnd,
] as const

/** The words before the amounts of a month on a phone. The difference stands without a word beside the month. */
const shortNames = [overviewCopy.wasIn, overviewCopy.wasOut, '', overviewCopy.wasLeft] as const

/** The months, newest first. On the desktop the months form a table, and on a phone each month has two lines. */
export function MonthRows({ months, period }: { months: readonly MonthTotals[]; period: Period }) {
  return (
    <Table className="month-rows" columns={columns.map((name) => ({ name }))}>
      {months.toReversed().map((month) => (
        <MonthRow key={month.month} totals={month} period={period} />
      ))}
    </Table>
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
  const isGain = (index: number) => (index === 0 && inMinor > 0) || (index === 2 && inMinor > outMinor)
  return (
    <Row>
      <RowHeader>
        <Link to={historyPath({ since: dayOf(from), until: dayOf(to) })}>{formatMonthAndYear(month)}</Link>
        {!isWhole && <small>{overviewCopy.partOfMonth(from, to)}</small>}
      </RowHeader>
      {amounts.map((amount, index) => (
        <Cell key={columns[index + 1]}>
          {/* On narrow screens a word before the amount replaces the column's name. */}
          <small aria-hidden="true">{shortNames[index]}</small>
          <MoneyText {...(isGain(index) && { className: 'is-positive' })}>{amount}</MoneyText>
        </Cell>
      ))}
    </Row>
  )
}
