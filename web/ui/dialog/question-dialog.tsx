import { flushSync } from 'react-dom'
import { QuestionModal, type Question } from './question.tsx'

/** A question that is loaded when it is asked. */
export function QuestionDialog({
  onAnswer,
  onClose,
  ...question
}: Question & { onAnswer: (isConfirmed: boolean) => void; onClose: () => void }) {
  const answer = (isConfirmed: boolean) => {
    // The focus returns to the opener first, because the action may move the focus.
    flushSync(onClose)
    onAnswer(isConfirmed)
  }
  return <QuestionModal {...question} onAnswer={answer} />
}
