import type { ComponentProps, ReactNode } from 'react'
import type { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormEnd } from './field.tsx'
import { useSubmission, type FieldErrors, type Submission } from './form.ts'

type Props<Value, Name extends string, Answer> = Omit<ComponentProps<typeof Dialog>, 'children'> &
  Submission<Value, Name, Answer> & {
    submitLabel: ReactNode
    submitVariant?: ComponentProps<typeof Button>['variant']
    /** Whether the submit button takes the focus first. Used for a form without fields. */
    isSubmitFirst?: boolean
    /** Content below the submit button. */
    footer?: ReactNode
    className?: string
    children: (errors: FieldErrors<Name>) => ReactNode
  }

/**
 * A dialog that contains one form: its fields, the last error message, and the submit button. The fields are disabled
 * while the form is being sent. A successful submission closes the dialog.
 */
export function FormDialog<Value, Name extends string, Answer = void>({
  submitLabel,
  submitVariant = 'primary',
  isSubmitFirst,
  footer,
  className = '',
  children,
  read,
  ask,
  send,
  success,
  failure,
  onDone,
  ...dialog
}: Props<Value, Name, Answer>) {
  const { errors, isRetry, isSending, onSubmit } = useSubmission({
    read,
    ask,
    send,
    success,
    failure,
    // A late answer must not close a dialog that was opened in the meantime.
    onDone: onDone ?? ((form) => form.isConnected && dialog.onClose()),
  })
  return (
    <Dialog {...dialog}>
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className={`grid gap-4 ${className}`}>
          {children(errors)}
          <FormEnd
            error={errors.form}
            isRetry={isRetry}
            className="col-span-full mt-1"
            variant={submitVariant}
            isBusy={isSending}
            data-first={isSubmitFirst || undefined}
          >
            {submitLabel}
          </FormEnd>
          {footer}
        </fieldset>
      </form>
    </Dialog>
  )
}
