import { useQuery } from '@tanstack/react-query'
import { Cell, Row, RowHeader, Table } from '#ui/table.tsx'
import { bankCopy as copy } from './copy.ts'
import { formatDateShort, noonInBogota } from '#ui/format/dates.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { linePath, side } from '#planning/sums/charts/geometry.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { BalancesSentence } from './balances-sentence.tsx'
import { bankQuery, type BankDay, type BankSums } from './bank.ts'

/** The sum that the bank owes its customers, now and at the end of each recent day. Customers' notes do not count. */
export function BankCard() {
  const bank = useQuery(bankQuery)
  return (
    <section aria-label={copy.title} className="rounded-lg border border-line bg-surface">
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
  const { customers, owedMinor, days } = sums
  return (
    <>
      <div className="@container min-w-0">
        <h2 className="text-sm font-medium text-muted">{copy.title}</h2>
        <p className="text-2xl font-semibold tracking-tight">
          <MoneyText>{displayedMinor(owedMinor)}</MoneyText>
        </p>
        <p className="text-sm text-muted">{copy.customers(customers)}</p>
        <BalancesSentence sums={sums} className="mt-1 text-sm text-muted" />
      </div>
      <Line totals={days.map(({ owedMinor: owed }) => owed)} />
    </>
  )
}

/** Line chart of what the bank owed at the end of each day. A table also lists the sums. */
function Line({ totals }: { totals: readonly number[] }) {
  const [isHidden] = useAmountsHidden()
  // The line begins at the first sum that is not zero, because leading zeros would appear as a vertical rise.
  const values = totals.slice(totals.findIndex((total) => total !== 0))
  const ceiling = Math.max(...values)
  if (isHidden || values.length < 2 || ceiling <= 0) return null
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${side} ${side}`} preserveAspectRatio="none" className="bank-line">
      <path d={linePath(values, { daysMax: values.length, ceiling })} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** The days on which money came in or went out, newest first. */
function Days({ days }: { days: readonly BankDay[] }) {
  const changed = days.filter(({ inMinor, outMinor }) => inMinor !== 0 || outMinor !== 0).toReversed()
  return (
    <section aria-label={copy.byDay} className="border-t border-line">
      <h3 className="px-4 py-3 text-sm font-medium sm:px-6">{copy.byDay}</h3>
      {changed.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-muted sm:px-6">{copy.unchanged}</p>
      ) : (
        <Table
          className="bank-days w-full text-sm"
          caption={<caption className="sr-only">{copy.byDayTable}</caption>}
          headersClassName="text-xs text-muted"
          bodyClassName="divide-y divide-line border-t border-line"
          columns={Object.values(copy.columns).map((name) => ({
            name,
            className: 'px-4 py-1.5 font-medium sm:px-6',
          }))}
        >
          {changed.map(({ day, inMinor, outMinor, owedMinor }) => (
            <Row key={day}>
              <RowHeader className="px-4 py-1.5 font-normal sm:px-6">
                {formatDateShort(noonInBogota(day))}
              </RowHeader>
              <Flow minor={inMinor} />
              <Flow minor={outMinor} />
              <Cell className={`${cellClass} font-medium`}>
                <span className="@container block">
                  <MoneyText>{displayedMinor(owedMinor)}</MoneyText>
                </span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </section>
  )
}

const cellClass = 'px-4 py-1.5 sm:px-6'

/** The sum that came in or went out on a day. A day without such postings has a dash. */
function Flow({ minor }: { minor: number }) {
  return (
    <Cell className={cellClass}>
      <span className="@container block">
        {minor === 0 ? '—' : <MoneyText>{displayedMinor(minor)}</MoneyText>}
      </span>
    </Cell>
  )
}
