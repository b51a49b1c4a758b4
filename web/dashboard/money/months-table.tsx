import { formatMonthAndYear } from '#ui/format/months.ts'
import { displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { MonthTotals } from '#planning/sums/month-totals.ts'
import { chartsCopy } from '#planning/sums/charts/copy.ts'

/** The chart's data, as a table for screen readers. */
export function MonthsTable({ months }: { months: readonly MonthTotals[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{chartsCopy.monthsTable}</caption>
        <thead>
          <tr>
            {[chartsCopy.month, chartsCopy.moneyIn, chartsCopy.moneyOut, chartsCopy.balanceAtEnd].map(
              (column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, inMinor, outMinor, balanceMinor }) => (
            <tr key={month}>
              <th scope="row">{formatMonthAndYear(month)}</th>
              {[signedMinor(inMinor), signedMinor(-outMinor), displayedMinor(balanceMinor)].map(
                (amount, column) => (
                  <td key={column}>
                    <MoneyText>{amount}</MoneyText>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
