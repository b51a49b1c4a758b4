import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { useSubmission, type FieldErrors, type Submission } from './form.ts'

type Props<Value, Name extends string, Answer> = Omit<ComponentProps<typeof Dialog>, 'children'> &
  Submission<Value, Name, Answer> & {
    submitLabel: ReactNode
    submitVariant?: ComponentProps<typeof Button>['variant']
    /** Below the button that submits. */
    footer?: ReactNode
    className?: string
    children: (errors: FieldErrors<Name>) => ReactNode
  }

/** A dialog that holds one form: its fields, disabled while it is sent, and the button that submits it. Success closes it. */
export function FormDialog<Value, Name extends string, Answer = void>({
  submitLabel,
  submitVariant = 'primary',
  footer,
  className = '',
  children,
  read,
  send,
  success,
  failure,
  onDone,
  ...dialog
}: Props<Value, Name, Answer>) {
  const { errors, isSending, onSubmit } = useSubmission({
    read,
    send,
    success,
    failure,
    // An answer that comes late closes its own dialog, not one that was opened since.
    onDone: onDone ?? ((form) => form.isConnected && dialog.onClose()),
  })
  return (
    <Dialog {...dialog}>
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className={`grid gap-4 ${className}`}>
          {children(errors)}
          <Button type="submit" className="col-span-full mt-1" variant={submitVariant} isBusy={isSending}>
            {submitLabel}
          </Button>
          {footer}
        </fieldset>
      </form>
    </Dialog>
  )
}
