/** Shows toasts. The button of a toast applies a rule to existing transactions, or undoes these changes. */
import type { QueryClient } from '@tanstack/react-query'
import { showRefusal } from '#api/refusals.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { ruleCopy as copy } from './rule-copy.ts'
import { applyRule, countMatches, undoRule } from './rule-calls.ts'
import type { CategoryRule } from './rules.ts'

const call = { name: 'category rule', refusals: { otherwise: copy.failedText } }

/** Shows that the rule was saved, and offers to apply it to matching transactions that have a different category. */
export async function announceRule(client: QueryClient, userId: string, rule: CategoryRule): Promise<void> {
  const { contains, category } = rule
  const count = await countMatches({ contains, category })
  showToast({
    title: copy.ruleSavedTitle,
    description: copy.rule(contains, category),
    ...(count > 0 && {
      offer: { label: copy.applyToo(count), onSelect: () => void apply(client, userId, rule) },
    }),
  })
}

export async function apply(client: QueryClient, userId: string, rule: CategoryRule): Promise<void> {
  const { id, category } = rule
  try {
    const count = await applyRule(client, userId, rule)
    showToast({
      title: copy.appliedTitle,
      description: copy.applied(count, category),
      action: { label: copy.undo, onSelect: () => void undo(client, userId, id) },
    })
  } catch (error) {
    showRefusal(error, { ...call, title: copy.applyFailedTitle })
  }
}

export async function undo(client: QueryClient, userId: string, id: string): Promise<void> {
  try {
    await undoRule(client, userId, id)
    showToast({ title: copy.undoneTitle, description: copy.undone })
  } catch (error) {
    showRefusal(error, { ...call, title: copy.undoFailedTitle })
  }
}
