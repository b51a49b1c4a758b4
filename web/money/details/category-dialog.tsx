import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { administratorExpenseCategory } from '@finanzas/contract/categories.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { showRefusal } from '#api/refusals.ts'
import { offered, proposalsQuery } from '#categories/category-field.tsx'
import { categorizationCopy } from '#categories/copy.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { transactionCopy } from './copy.ts'
import { editing, saveEdit } from './edit.ts'
import { RuleChoice } from './rule-choice.tsx'

/**
 * Dialog for choosing a transaction's category. A click on a category saves it and closes the dialog. If the
 * transaction does not have a category, the proposed category is marked.
 */
export function CategoryDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const client = useQueryClient()
  const { data } = useQuery(proposalsQuery(transaction.user_id))
  const [ruleText, setRuleText] = useState('')
  const current = transaction.category || null
  const isOpen = current === null || current === administratorExpenseCategory
  const proposed = isOpen ? data?.propose(transaction.description) || null : null

  const choose = async (category: string | null) => {
    // Closes the dialog first, so that the focus returns to the row. If the row no longer matches the list's filters,
    // the focus then moves to the next row.
    flushSync(onClose)
    try {
      const message = await saveEdit(client, transaction, { values: { ...transaction, category }, ruleText })
      if (message !== null) showToast(message)
    } catch (error) {
      showRefusal(error, editing)
    }
  }

  return (
    <Dialog title={transaction.description} onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <RuleChoice transaction={transaction} onChoose={setRuleText} />
        <div role="group" aria-label={transactionCopy.category} className="flex flex-wrap gap-2">
          {[...offered(data?.categories ?? [], current), null].map((category) => (
            <Button
              key={category}
              variant={category === current ? 'primary' : 'outline'}
              className="wrap-anywhere"
              aria-pressed={category === current}
              data-first={category === current || undefined}
              onClick={() => void choose(category)}
            >
              {category ?? categorizationCopy.noCategory}
              {category !== null && category === proposed && ` · ${categorizationCopy.proposed}`}
            </Button>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
