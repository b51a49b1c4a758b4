import type { ReactNode } from 'react'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { lazyCode } from '#lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'

const proofDialog = lazyCode(() => import('./proof-dialog.tsx'), 'ProofDialog')

/**
 * Returns `proven`, which sends a call. If the bank requires a proof, it asks for the password in a dialog and sends
 * the call again. It rejects with the refusal if the user closes the dialog, or if the dialog cannot be loaded.
 */
export function useProof(purpose: string): {
  proven: <Answer>(send: () => Promise<Answer>) => Promise<Answer>
  /** Must be rendered outside the form. */
  dialog: ReactNode
} {
  const { open, dialog } = useLazyDialog(proofDialog)
  const proven = async <Answer,>(send: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await send()
    } catch (refusal) {
      if (errorCode(refusal) !== 'reauthentication_needed') throw refusal
      await new Promise<void>((prove, reject) => {
        const decline = () => reject(refusal)
        // A dialog that cannot be loaded would never settle this promise.
        open({ purpose, onProven: prove, onDeclined: decline }, decline)
      })
      return send()
    }
  }
  return { proven, dialog }
}
