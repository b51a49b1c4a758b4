import { X } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Modal } from './modal.tsx'
import { QuestionModal, type Question } from './question.tsx'
import { useSafeClose } from './use-safe-close.ts'

type Props = {
  title: string
  description?: ReactNode
  /**
   * If true, the user can close the dialog only with a button in its content. Used for content that is shown only once.
   */
  isHeld?: boolean
  /**
   * Identifies the content. When `part` changes, the focus moves to the new content. The new fields' initial values do
   * not count as typed text.
   */
  part?: string
  /**
   * Whether the dialog has input that its fields do not show, such as an earlier step of a form, or the question to ask
   * before the dialog closes.
   */
  unsaved?: boolean | Question
  onClose: () => void
  children: ReactNode
}

/**
 * A modal dialog. If text has been typed, the dialog asks for confirmation before it closes. The content closes the
 * dialog with `onClose`.
 */
export function Dialog({
  title,
  description,
  isHeld = false,
  part = '',
  unsaved = false,
  onClose,
  children,
}: Props) {
  const titleId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const { close, question, onAnswer } = useSafeClose({ panel, part, isHeld, unsaved, onClose })
  return (
    <>
      <Modal role="dialog" titleId={titleId} panel={panel} part={part} onLeave={close}>
        <header className="border-b border-line py-3 pl-5 wrap-anywhere sm:pl-6">
          <div className="flex items-start justify-between gap-4 pr-3">
            <h2 id={titleId} className="min-w-0 py-2 text-lg font-semibold">
              {title}
            </h2>
            {!isHeld && (
              <Button variant="muted" size="icon" aria-label={uiCopy.close} onClick={close}>
                <X aria-hidden="true" className="size-5" />
              </Button>
            )}
          </div>
          {description !== undefined && (
            <p className="-mt-1 pr-5 pb-2 text-sm text-muted sm:pr-6">{description}</p>
          )}
        </header>
        <div className="p-5 sm:p-6">{children}</div>
      </Modal>
      {question !== null && <QuestionModal {...question} onAnswer={onAnswer} />}
    </>
  )
}
