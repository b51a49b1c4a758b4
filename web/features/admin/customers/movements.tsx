import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { displayedMoney } from '#money/amounts.ts'
import { ListCard } from '#transactions/list/list-card.tsx'
import { ListSummary } from '#transactions/list/list-summary.tsx'
import { useShownRows } from '#transactions/list/use-shown-rows.ts'
import { AmountsEye, MoneyText } from '#money/money-text.tsx'
import { sumsInWords } from '#transactions/selection/periods.ts'
import { Button } from '#ui/button.tsx'
import { lazyCode } from '#lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { customersCopy } from './copy.ts'
import { customerHistoryQuery, customerKeys, type Customer } from './customer.ts'

const transactionDialog = lazyCode(
  () => import('#features/admin/transaction-dialog.tsx'),
  'TransactionDialog',
)
const detailsDialog = lazyCode(() => import('./details-dialog.tsx'), 'DetailsDialog')
const correctDialog = lazyCode(() => import('./correct-dialog.tsx'), 'CorrectDialog')
const balanceDialog = lazyCode(() => import('./balance-dialog.tsx'), 'BalanceDialog')

/** The history that the customer sees, with the actions of staff. */
export function Movements({ customer }: { customer: Customer }) {
  const client = useQueryClient()
  const { data: history, isError, refetch } = useQuery(customerHistoryQuery(customer.id))
  const rows = useShownRows(history)
  const reload = useCallback(
    () => client.invalidateQueries({ queryKey: customerKeys.all(customer.id) }),
    [client, customer.id],
  )
  const transaction = useLazyDialog(transactionDialog)
  const balance = useLazyDialog(balanceDialog)
  const details = useLazyDialog(detailsDialog)
  const correction = useLazyDialog(correctDialog)
  const { open } = details
  const { open: correct } = correction
  const { rows: known, slotsById } = rows.index.columns
  const openRow = useCallback(
    (opened: Transaction) =>
      open({
        transaction: opened,
        corrections: customer.corrections,
        correctedOf: (id) => known[slotsById.get(id) ?? -1] ?? null,
        onCorrect: (transaction) => correct({ transaction, customer, reload }),
      }),
    [open, correct, customer, known, slotsById, reload],
  )
  const hasAnswer = history !== undefined && (history.isComplete || history.pages.length > 0)
  const isWhole = history?.isComplete === true
  const retry = () => void refetch()
  return (
    <>
      <ListSummary
        balance={<MoneyText>{displayedMoney(customer.balance)}</MoneyText>}
        inMinor={isWhole ? rows.items.inMinor : null}
        outMinor={isWhole ? rows.items.outMinor : null}
        sumsOf={sumsInWords(rows.shown)}
      >
        <Button
          variant="quiet-plate"
          size="small"
          className="-ml-3 max-lg:min-h-11"
          onClick={() => balance.open({ customer })}
        >
          {customersCopy.why}
        </Button>
      </ListSummary>
      <div className="customer-tools flex flex-wrap items-center justify-between gap-x-4">
        <p role="status" className="figures text-sm text-muted">
          {hasAnswer && customersCopy.count(rows.rowCount)}
        </p>
        <div className="flex items-center gap-2">
          <AmountsEye className="hover:bg-primary-soft" />
          <Button onClick={() => transaction.open({ user: customer, onDone: reload })}>
            <Plus aria-hidden="true" className="size-4.5" />
            <span className="customer-long">{customersCopy.newTransaction}</span>
            <span aria-hidden="true" className="customer-short">
              {customersCopy.newTransactionShort}
            </span>
          </Button>
        </div>
      </div>
      {hasAnswer ? (
        <ListCard rows={rows} onRetry={isError && !isWhole ? retry : null} onOpen={openRow} />
      ) : (
        <div className="grid customer-waiting place-content-center">
          {isError ? <RetryLine onRetry={retry} /> : <Spinner label={customersCopy.loading} />}
        </div>
      )}
      {transaction.dialog}
      {balance.dialog}
      {details.dialog}
      {correction.dialog}
    </>
  )
}
