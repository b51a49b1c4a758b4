import { formatMonthAndYear } from '#ui/format/months.ts'
import { displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { MonthTotals } from '#planning/sums/month-totals.ts'
import { chartsCopy } from '#planning/sums/charts/copy.ts'
import { Cell, Row, RowHeader, Table } from '#ui/table.tsx'

/** The chart's data, as a table for screen readers. */
export function MonthsTable({ months }: { months: readonly MonthTotals[] }) {
  return (
    <div className="sr-only">
      <Table
        caption={<caption>{chartsCopy.monthsTable}</caption>}
        columns={[chartsCopy.month, chartsCopy.moneyIn, chartsCopy.moneyOut, chartsCopy.balanceAtEnd].map(
          (name) => ({ name }),
        )}
      >
        {months.map(({ month, inMinor, outMinor, balanceMinor }) => (
          <Row key={month}>
            <RowHeader>{formatMonthAndYear(month)}</RowHeader>
            {[signedMinor(inMinor), signedMinor(-outMinor), displayedMinor(balanceMinor)].map(
              (amount, column) => (
                <Cell key={column}>
                  <MoneyText>{amount}</MoneyText>
                </Cell>
              ),
            )}
          </Row>
        ))}
      </Table>
    </div>
  )
}
