import type { ReactNode } from 'react'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from './lazy-dialog.ts'
import type { Question } from './question.tsx'

const questionDialog = lazyCode(() => import('./question-dialog.tsx'), 'QuestionDialog')

/**
 * Returns the function `ask`, which asks a question before an action and returns whether the user confirmed the action,
 * and the dialog to render.
 */
export function useQuestion(): { ask: (question: Question) => Promise<boolean>; question: ReactNode } {
  const { open, dialog } = useLazyDialog(questionDialog)
  const ask = (question: Question) =>
    new Promise<boolean>((answer) => {
      open({ ...question, onAnswer: answer }, () => answer(false))
    })
  return { ask, question: dialog }
}
