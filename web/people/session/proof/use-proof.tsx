import type { ReactNode } from 'react'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'

const proofDialog = lazyCode(() => import('./proof-dialog.tsx'), 'ProofDialog')

/** Returns whether the bank refused a call because the user did not prove their identity. */
export function isUnproven(error: unknown): boolean {
  return errorCode(error) === 'reauthentication_needed'
}

/**
 * Returns the function `proven`, which sends a call. If the bank refuses the call until the user proves their identity,
 * `proven` opens a dialog that asks for the password or a mailed code. `proven` then sends the call again. The promise
 * rejects with the bank's refusal if the user closes the dialog or if the dialog cannot be loaded.
 */
export function useProof(purpose: string): {
  proven: <Answer>(send: () => Promise<Answer>) => Promise<Answer>
  /** The dialog, which must be rendered outside the form. */
  dialog: ReactNode
} {
  const { open, dialog } = useLazyDialog(proofDialog)
  const proven = async <Answer,>(send: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await send()
    } catch (refusal) {
      if (!isUnproven(refusal)) throw refusal
      await new Promise<void>((prove, reject) => {
        const decline = () => reject(refusal)
        // If the dialog cannot be loaded, `open` calls its second argument. Without this call, the promise would never
        // settle.
        open({ purpose, onProven: prove, onDeclined: decline }, decline)
      })
      return send()
    }
  }
  return { proven, dialog }
}
