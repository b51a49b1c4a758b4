import type { ComponentProps, ReactNode } from 'react'
import type { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormEnd } from './field.tsx'
import { useSubmission, type FieldErrors, type Submission } from './form.ts'

type Props<Value, Name extends string, Answer> = Omit<ComponentProps<typeof Dialog>, 'children'> &
  Submission<Value, Name, Answer> & {
    submitLabel: ReactNode
    submitVariant?: ComponentProps<typeof Button>['variant']
    /** Content below the submit button. */
    footer?: ReactNode
    className?: string
    children: (errors: FieldErrors<Name>) => ReactNode
  }

/**
 * A dialog with one form: its fields, which are disabled during a submission, the last failure, and the submit button. Success closes the
 * dialog.
 */
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
  const { errors, isRetry, isSending, onSubmit } = useSubmission({
    read,
    send,
    success,
    failure,
    // A late answer closes only its own dialog.
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
            // The second press of a double click does not answer a question that the first one raised.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {submitLabel}
          </FormEnd>
          {footer}
        </fieldset>
      </form>
    </Dialog>
  )
}
