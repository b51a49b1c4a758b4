import { filedAs, statementCopy } from '@finanzas/contract/papers/copy.ts'
import {
  type Statement,
  type StatementRow,
  bookedOf,
  isLate as isRowLate,
} from '@finanzas/contract/papers/statement.ts'
import { totalsOf } from '@finanzas/contract/papers/totals.ts'
import { formatDateWithYear, noonInBogota } from '#ui/format/dates.ts'
import { formatMonthAndYear } from '#ui/format/months.ts'
import { displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { useFirstRows } from '#ui/use-first-rows.ts'
import { Card } from '#ui/card.tsx'
import { Cell, Row, Table } from '#ui/table.tsx'
import { statementPageCopy as copy } from './copy.ts'
import { FileButtons } from './file-buttons.tsx'

const rowsAtFirst = 100

/** Shows one month's statement, with buttons that download it. */
export function StatementCard({ statement, isSoFar }: { statement: Statement; isSoFar: boolean }) {
  const { rows, month } = statement
  const { shown, left, showMore } = useFirstRows(rows, { first: rowsAtFirst })
  const late = shown.filter((row) => isRowLate(row, month))
  const onTime = shown.slice(0, shown.length - late.length)
  return (
    <Card
      title={statementCopy.title(formatMonthAndYear(month))}
      action={<FileButtons asked={{ month }} fileName={(format) => copy.fileName(month, format)} />}
    >
      <div className="p-4 sm:p-6">
        <Totals statement={statement} />
        <p className="mt-4 text-sm text-muted">
          {isSoFar && `${copy.soFar} `}
          {rows.length === 0 ? copy.none : copy.basis}
          {rows.some(({ isNote }) => isNote) && ` ${copy.origin}`}
          {rows.some(({ kind }) => kind === 'corrected') && ` ${statementCopy.cancelled}`}
        </p>
      </div>
      {rows.length > 0 && (
        <div className="statement-rows">
          {onTime.length > 0 && <Rows rows={onTime} />}
          {late.length > 0 && (
            <>
              <h3 className="px-4 pt-6 font-semibold sm:px-6">{statementCopy.late}</h3>
              <p className="px-4 pt-1 pb-4 text-sm text-muted sm:px-6">{statementCopy.lateBasis}</p>
              <Rows rows={late} isLate />
            </>
          )}
        </div>
      )}
      {left > 0 && (
        <Button variant="quiet" className="mt-2 self-center" onClick={showMore}>
          {copy.showAll(rows.length)}
        </Button>
      )}
    </Card>
  )
}

const headings = [
  [copy.columns.seq, 'statement-wide py-2 pl-6'],
  [copy.columns.day, 'px-4 py-2 pl-6'],
  [copy.columns.description, 'py-2'],
  [copy.columns.amount, 'statement-amount px-4 py-2 text-right'],
  [copy.columns.balance, 'statement-wide py-2 text-right'],
] as const

function Rows({ rows, isLate = false }: { rows: readonly StatementRow[]; isLate?: boolean }) {
  return (
    <Table
      className="w-full border-t border-line text-sm"
      headersClassName="text-left text-xs text-muted"
      columns={headings.map(([name, className]) => ({ name, className }))}
    >
      {rows.map((row) => (
        <Entry key={row.seq} row={row} isLate={isLate} />
      ))}
    </Table>
  )
}

function Totals({ statement }: { statement: Statement }) {
  const { openingMinor, closingMinor, notedMinor } = statement
  const { incomeMinor, spendingMinor, unlistedMinor } = totalsOf(statement)
  const totals = [
    [copy.opening, displayedMinor(openingMinor)],
    [copy.moneyIn, signedMinor(incomeMinor)],
    [copy.moneyOut, signedMinor(spendingMinor)],
    ...(unlistedMinor === 0 ? [] : [[statementCopy.unlistedTotal, signedMinor(unlistedMinor)] as const]),
    [copy.closing, displayedMinor(closingMinor)],
    [statementCopy.booked, displayedMinor(bookedOf(statement))],
    [statementCopy.noted, displayedMinor(notedMinor)],
  ] as const
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-4">
      {totals.map(([name, amount]) => (
        <div key={name} className="@container">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-semibold">
            <MoneyText>{amount}</MoneyText>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Entry({ row, isLate }: { row: StatementRow; isLate: boolean }) {
  return (
    <Row className="statement-row border-t border-line align-baseline">
      <Cell className="statement-wide figures py-2.5 pl-6 text-muted">{row.seq}</Cell>
      <Cell className="statement-day px-4 py-2.5 pl-6 whitespace-nowrap">
        {formatDateWithYear(noonInBogota(row.day))}
      </Cell>
      <Cell className="statement-words py-2.5 wrap-anywhere">
        <span translate="no">{row.description}</span>
        {row.declared !== '' && (
          <span translate="no" className="block text-xs text-muted">
            {statementCopy.declaredWords(row.declared)}
          </span>
        )}
        <span className="block text-xs text-muted">
          {filedAs(row)}
          {isLate && ` · ${copy.recorded(formatDateWithYear(noonInBogota(row.recordedAt.slice(0, 10))))}`}
        </span>
      </Cell>
      <Cell className="statement-amount @container px-4 py-2.5 text-right">
        <MoneyText {...(row.amountMinor > 0 && { className: 'text-positive' })}>
          {signedMinor(row.amountMinor)}
        </MoneyText>
        <span className="statement-narrow block text-xs text-muted">
          <MoneyText>{displayedMinor(row.balanceMinor)}</MoneyText>
        </span>
      </Cell>
      <Cell className="statement-wide py-2.5 text-right">
        <MoneyText>{displayedMinor(row.balanceMinor)}</MoneyText>
      </Cell>
    </Row>
  )
}
