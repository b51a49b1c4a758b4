import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { showRefusal } from '#api/refusals.ts'
import { newIdempotencyKey } from '#api/repeatable.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { recurringCopy as copy } from './copy.ts'
import { saveRecurring, type Plan } from './recurring.ts'
import { PlanRow } from './recurring-list.tsx'
import { dayInWords } from './rhythm.ts'

/**
 * Expenses that seem to recur. The customer can confirm or permanently dismiss each proposal. If the list is empty, the
 * card is not rendered.
 */
export function ProposalsCard({ userId, proposals }: { userId: string; proposals: readonly Plan[] }) {
  if (proposals.length === 0) return null
  return (
    <Card title={copy.proposalsTitle}>
      <p className="px-4 pt-3 pb-1 text-sm text-muted sm:px-6">{copy.proposalsText}</p>
      <ul>
        {proposals.map((plan) => (
          <Proposal key={`${plan.description} ${plan.rhythm}`} userId={userId} plan={plan} />
        ))}
      </ul>
    </Card>
  )
}

function Proposal({ userId, plan }: { userId: string; plan: Plan }) {
  const client = useQueryClient()
  // All attempts use the same id, so that a second click, or a retry after a lost answer, does not have a second
  // effect.
  const id = useRef(newIdempotencyKey())
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'recurring proposal',
      title: copy.failedTitle,
      refusals: { otherwise: copy.failedText },
    }),
  )
  const answer = (status: 'active' | 'dismissed') =>
    run(async () => {
      const saved = await saveRecurring(client, userId, {
        ...plan,
        id: id.current,
        status,
        is_automatic: false,
      })
      showToast(
        status === 'active'
          ? {
              title: copy.savedTitle,
              description: copy.savedText(saved.description, dayInWords(plan.next_due_on)),
            }
          : { title: copy.dismissedTitle, description: copy.dismissedText(saved.description) },
      )
    })
  return (
    <li className="recurring-row">
      <PlanRow plan={plan}>{copy.next(dayInWords(plan.next_due_on))}</PlanRow>
      <div className="recurring-answers">
        <Button
          variant="outline"
          isBusy={isBusy}
          aria-label={copy.confirmOf(plan.description)}
          onClick={() => answer('active')}
        >
          {copy.confirm}
        </Button>
        <Button
          variant="muted"
          disabled={isBusy}
          aria-label={copy.dismissOf(plan.description)}
          onClick={() => answer('dismissed')}
        >
          {copy.dismiss}
        </Button>
      </div>
    </li>
  )
}
