import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { logQuietly } from '#api/errors.ts'
import { showRefusal } from '#api/refusals.ts'
import { transactionsCopy } from './copy.ts'
import { deleteTransaction, restoreTransaction } from '#data/changes.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useKeyDown } from '#ui/use-key-down.ts'

/** Maximum number of deletions that Ctrl+Z can undo. */
const deletionsMax = 50

/**
 * Returns a function that deletes a transaction. The row disappears immediately, so that the user cannot delete it
 * twice. A toast offers to restore the transaction. While the page is open, Ctrl+Z restores deleted transactions one by
 * one, beginning with the latest.
 */
export function useRemoval(): (transaction: Transaction) => void {
  const client = useQueryClient()
  const deletions = useRef<Transaction[]>([])

  const undo = useCallback(
    async (transaction: Transaction) => {
      if (!deletions.current.includes(transaction)) return
      deletions.current = deletions.current.filter((deleted) => deleted !== transaction)
      try {
        await restoreTransaction(client, transaction)
        showToast({ title: transactionsCopy.restoredTitle, description: transaction.description })
      } catch (error) {
        showRefusal(error, {
          name: 'transaction restore',
          title: transactionsCopy.restoreFailedTitle,
          refusals: { otherwise: transactionsCopy.restoreFailedText },
        })
      }
    },
    [client],
  )

  // In a field that contains text, Ctrl+Z (⌘Z) must undo the typing and not the deletion.
  useKeyDown((event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
    const isTyping = event.target instanceof HTMLInputElement && event.target.value !== ''
    if (!isUndo || isTyping) return
    event.preventDefault()
    const latest = deletions.current.at(-1)
    if (latest !== undefined) void undo(latest)
  })

  return useCallback(
    (transaction: Transaction) => {
      const remove = async () => {
        try {
          await deleteTransaction(client, transaction)
        } catch (error) {
          logQuietly(error, 'transaction delete')
          return
        }
        deletions.current = [...deletions.current, transaction].slice(-deletionsMax)
        showToast({
          title: transactionsCopy.removedTitle,
          description: transaction.description,
          // If the bank recorded the transaction, the removal changes only the list and not the balance.
          note:
            transaction.recorded_by === 'bank' ? transactionsCopy.removedByBank : transactionsCopy.removedOwn,
          action: {
            label: transactionsCopy.undo,
            keyShortcuts: 'Control+Z',
            onSelect: () => void undo(transaction),
          },
        })
      }
      void remove()
    },
    [client, undo],
  )
}
