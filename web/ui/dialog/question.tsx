import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { Button } from '#ui/button.tsx'
import { holdPage } from './back-button.ts'
import { Modal } from './modal.tsx'

/** A question before an action. `confirm` is the label of the button that performs the action. */
export type Question = { text: string; confirm: string }

/** This string is not in copy.ts, because it is needed only when a dialog opens. */
const decline = 'No, volver'

/**
 * Shows a question before an action. Escape, the back button and a press beside the question decline the action, and the
 * button that declines has the focus first.
 */
export function QuestionModal({
  text,
  confirm,
  onAnswer,
}: Question & { onAnswer: (isConfirmed: boolean) => void }) {
  const titleId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const declineNow = useEffectEvent(() => onAnswer(false))
  useEffect(() => holdPage(() => declineNow()), [])
  return (
    <Modal role="alertdialog" titleId={titleId} panel={panel} part={text} onLeave={() => onAnswer(false)}>
      <div className="grid gap-5 p-5 sm:p-6">
        <h2 id={titleId} className="font-medium wrap-anywhere">
          {text}
        </h2>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
          <Button variant="outline" data-first="" onClick={() => onAnswer(false)}>
            {decline}
          </Button>
          <Button variant="destructive" onClick={() => onAnswer(true)}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
