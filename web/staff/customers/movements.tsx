import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { ListCard } from '#money/list/list-card.tsx'
import { listCopy } from '#money/list/copy.ts'
import { useShownRows } from '#money/list/use-shown-rows.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { customersCopy } from './copy.ts'
import { customerHistoryQuery, type Customer } from './customer.ts'
import { paperDialog } from './papers-card.tsx'

const detailsDialog = lazyCode(() => import('./details-dialog.tsx'), 'DetailsDialog')

type Props = { customer: Customer; onCorrect: (transaction: Transaction) => void }

/** The same history that the customer sees, with additional actions for staff. */
export function Movements({ customer, onCorrect }: Props) {
  const { data: history, isError, refetch } = useQuery(customerHistoryQuery(customer.id))
  const rows = useShownRows(history)
  const { open, dialog } = useLazyDialog(detailsDialog)
  const { open: openPaper, dialog: paper } = useLazyDialog(paperDialog)
  const { rows: known, slotsById } = rows.index.columns
  const openRow = useCallback(
    (opened: Transaction) =>
      open({
        transaction: opened,
        corrections: customer.corrections,
        correctedOf: (id) => known[slotsById.get(id) ?? -1] ?? null,
        onCorrect,
        onReceipt: ({ id }) => openPaper({ customer, paper: { transaction: id } }),
      }),
    [open, openPaper, onCorrect, customer, known, slotsById],
  )
  const hasAnswer = history !== undefined && (history.isComplete || history.pages.length > 0)
  const isWhole = history?.isComplete === true
  const retry = () => void refetch()
  return (
    <div className="customer-movements">
      <p role="status" className="customer-count figures text-sm text-muted">
        {hasAnswer && customersCopy.count(rows.rowCount)}
        {isWhole &&
          [
            { label: listCopy.moneyIn, minor: rows.items.inMinor },
            { label: listCopy.moneyOut, minor: rows.items.outMinor },
          ].map(({ label, minor }) => (
            <span key={label}>
              {`${label} `}
              <MoneyText>{displayedMinor(minor)}</MoneyText>
            </span>
          ))}
      </p>
      {hasAnswer ? (
        <ListCard rows={rows} onRetry={isError && !isWhole ? retry : null} onOpen={openRow} />
      ) : (
        <div className="customer-waiting">
          {isError ? <RetryLine onRetry={retry} /> : <Spinner label={customersCopy.loading} />}
        </div>
      )}
      {dialog}
      {paper}
    </div>
  )
}
