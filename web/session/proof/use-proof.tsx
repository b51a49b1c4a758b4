import type { ReactNode } from 'react'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'

const fetchProof = async () => (await import('./proof-dialog.tsx')).ProofDialog

/**
 * A call that the bank may want a proof for: `proven` sends it, asks for the password above the form where the bank wants it, and
 * sends it once more. Rejects with the refusal where the person closes the question, or it does not load.
 */
export function useProof(purpose: string): {
  proven: <Answer>(send: () => Promise<Answer>) => Promise<Answer>
  /** To be drawn outside of the form. */
  dialog: ReactNode
} {
  const { open, dialog } = useLazyDialog(fetchProof)
  const proven = async <Answer,>(send: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await send()
    } catch (refusal) {
      if (errorCode(refusal) !== 'reauthentication_needed') throw refusal
      await new Promise<void>((prove, reject) => {
        const decline = () => reject(refusal)
        // A dialog that does not load would never answer.
        open({ purpose, onProven: prove, onDeclined: decline }, decline)
      })
      return send()
    }
  }
  return { proven, dialog }
}
