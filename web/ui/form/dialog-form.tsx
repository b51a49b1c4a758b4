import type { ComponentProps, ReactNode, SubmitEvent } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'

type Props = ComponentProps<typeof Dialog> & {
  /** Of `useSubmission`. */
  form: { isSending: boolean; onSubmit: (event: SubmitEvent<HTMLFormElement>) => void }
  submitLabel: string
  submitVariant?: ComponentProps<typeof Button>['variant']
  /** Below the button that submits. */
  footer?: ReactNode
  /** Of the grid of fields. */
  className?: string
}

/** A dialog that holds one form: its fields, disabled while it is sent, and the button that submits it. */
export function DialogForm({
  form,
  submitLabel,
  submitVariant = 'primary',
  footer,
  className,
  children,
  ...dialog
}: Props) {
  return (
    <Dialog {...dialog}>
      <form noValidate onSubmit={form.onSubmit}>
        <fieldset disabled={form.isSending} className={`grid gap-4 ${className ?? ''}`}>
          {children}
          <Button
            type="submit"
            className="col-span-full mt-1"
            variant={submitVariant}
            isBusy={form.isSending}
          >
            {submitLabel}
          </Button>
          {footer}
        </fieldset>
      </form>
    </Dialog>
  )
}
