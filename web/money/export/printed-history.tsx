import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { configuration } from '#api/configuration.ts'
import { transactionsCopy } from '#money/history/copy.ts'
import { columnsCopy } from '#data/columns-copy.ts'
import { listCopy } from '#money/list/copy.ts'
import type { ListItems } from '#money/list/grouped-rows.ts'
import type { Selection } from '#money/selection/selection.ts'
import { selectionInWords } from '#money/selection/words.ts'
import { formatDateTime, formatDateWithYear } from '#ui/format/dates.ts'
import { displayedAmount, displayedMinor } from '#amounts/amounts.ts'
import { shownCategory } from '#categories/category-badge.tsx'
import { BrandMark } from '#ui/brand-mark.tsx'
import { Cell, Row, Table } from '#ui/table.tsx'

type Props = {
  customer: string
  selection: Selection
  rows: readonly Transaction[]
  items: ListItems
}

const printedColumns = ['date', 'description', 'category', 'recorded_by'] as const

export function PrintedHistory({ customer, selection, rows, items }: Props) {
  return (
    <div className="printed-history text-xs">
      <header className="mb-4 flex items-end justify-between gap-6">
        <div>
          <p className="mb-3 flex items-center gap-2 text-sm font-semibold">
            <BrandMark className="size-7" />
            {configuration().brandName}
          </p>
          <p className="text-xl font-semibold tracking-tight">{transactionsCopy.printedHeading}</p>
        </div>
        <dl className="grid gap-x-3 text-right">
          <dt className="text-muted">{transactionsCopy.printedFor}</dt>
          <dd>{customer}</dd>
          <dt className="text-muted">{transactionsCopy.printedOn}</dt>
          <dd>{formatDateTime(new Date().toISOString())}</dd>
          <dt className="text-muted">{transactionsCopy.printedSelection}</dt>
          <dd>{selectionInWords(selection)}</dd>
          <dt className="text-muted">{listCopy.moneyIn}</dt>
          <dd className="figures">{displayedMinor(items.inMinor)}</dd>
          <dt className="text-muted">{listCopy.moneyOut}</dt>
          <dd className="figures">{displayedMinor(items.outMinor)}</dd>
        </dl>
      </header>
      <Table
        className="w-full text-left"
        columns={[
          ...printedColumns.map((column) => ({
            name: columnsCopy.names[column],
            className: 'py-1 pr-3 font-semibold',
          })),
          { name: columnsCopy.names.amount, className: 'py-1 text-right font-semibold' },
        ]}
      >
        {rows.map((row) => (
          <Row key={row.id} className="border-b border-line align-baseline">
            <Cell className="figures py-1 pr-3">{formatDateWithYear(row.date)}</Cell>
            <Cell className="py-1 pr-3 wrap-anywhere" translate="no">
              {row.description}
            </Cell>
            <Cell className="py-1 pr-3">{shownCategory(row)}</Cell>
            <Cell className="py-1 pr-3">{columnsCopy.recorders[row.recorded_by]}</Cell>
            <Cell className="figures py-1 text-right">{displayedAmount(row)}</Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}

/** Returns whether the page is being printed, so that the print version is rendered only then. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    // The state is flushed synchronously, because the browser lays out the page for printing as soon as this listener
    // returns.
    const begin = () => flushSync(() => setIsPrinting(true))
    const end = () => setIsPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
