import { useQueryClient } from '@tanstack/react-query'
import { showRefusal } from '#api/refusals.ts'
import { useQuestion } from '#ui/dialog/use-question.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { recurringCopy as copy } from './copy.ts'
import { saveRecurring, type Wanted } from './recurring.ts'
import { dayInWords } from './rhythm.ts'

type Props = { userId: string; recurring: Wanted; onDone: () => void }

/** Buttons that pause, resume or end a recurring expense. These buttons do not save changes in the form. */
export function StatusActions({ userId, recurring, onDone }: Props) {
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'recurring expense status',
      title: copy.failedTitle,
      refusals: { otherwise: copy.failedText },
    }),
  )
  const change = (status: Wanted['status']) =>
    run(async () => {
      const saved = await saveRecurring(client, userId, { ...recurring, status })
      showToast(toasts[status]?.(saved) ?? { title: copy.savedTitle })
      onDone()
    })
  const { ask, question } = useQuestion()
  const end = async () => {
    if (await ask({ text: copy.endQuestion(recurring.description), confirm: copy.end })) change('ended')
  }
  const isPaused = recurring.status === 'paused'
  return (
    <div className="col-span-full grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
      <Button variant="outline" isBusy={isBusy} onClick={() => change(isPaused ? 'active' : 'paused')}>
        {isPaused ? copy.resume : copy.pause}
      </Button>
      <Button variant="danger" isBusy={isBusy} onClick={() => void end()}>
        {copy.end}
      </Button>
      {question}
    </div>
  )
}

type Saved = Pick<Wanted, 'description' | 'next_due_on'>

const toasts: Partial<Record<Wanted['status'], (saved: Saved) => { title: string; description: string }>> = {
  active: ({ description, next_due_on }) => ({
    title: copy.resumedTitle,
    description: copy.savedText(description, dayInWords(next_due_on)),
  }),
  paused: ({ description }) => ({ title: copy.pausedTitle, description: copy.pausedText(description) }),
  ended: ({ description }) => ({ title: copy.endedToastTitle, description }),
}
