import type { ComponentProps } from 'react'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useSingleKey } from '#ui/single-keys.ts'

const expenseDialog = lazyCode(() => import('./expense-dialog.tsx'), 'ExpenseDialog')

type Props = Omit<ComponentProps<typeof Button>, 'onClick'> & { userId: string }

/** Button that opens the dialog for recording an expense. */
export function ExpenseButton({ userId, ...button }: Props) {
  const { open, dialog } = useLazyDialog(expenseDialog)
  return (
    <>
      <Button {...button} aria-haspopup="dialog" onClick={() => open({ userId })} />
      {dialog}
    </>
  )
}

/** Opens the same dialog when `n` is pressed on any page. */
export function ExpenseKey({ userId }: { userId: string }) {
  const { open, dialog } = useLazyDialog(expenseDialog)
  useSingleKey({ n: () => open({ userId }) })
  return dialog
}
