import { announceNotImplemented } from '#ledger/not-implemented.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { InputField } from '#ui/form/field.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { useSubmission, type FieldErrors } from '#ui/form/use-submission.ts'
import { accountsCopy } from './copy.ts'

type FieldName = keyof typeof accountsCopy.fields

export type AccountField = {
  name: FieldName
  autoComplete?: string
  inputMode?: 'numeric'
  /** Stands beside the next field instead of above it. */
  isHalf?: boolean
}

type Props = { title: string; fields: readonly AccountField[]; onClose: () => void }

/** The form of an account. What is typed goes nowhere: the specification stores nothing here. */
export function AccountDialog({ title, fields, onClose }: Props) {
  const { errors, onSubmit } = useSubmission<null, FieldName>({
    read: (typed) => {
      const missing: FieldErrors<FieldName> = Object.fromEntries(
        fields
          .filter(({ name }) => textOf(typed, name) === '')
          .map(({ name }) => [name, accountsCopy.missing]),
      )
      return Object.keys(missing).length === 0 ? { ok: true, value: null } : { ok: false, errors: missing }
    },
    send: async () => {
      onClose()
      announceNotImplemented()
    },
  })

  return (
    <Dialog title={title} closeLabel={accountsCopy.close} onClose={onClose}>
      <form noValidate onSubmit={onSubmit} className="grid grid-cols-2 gap-4">
        {fields.map(({ name, isHalf, ...attributes }) => (
          <InputField
            key={name}
            {...attributes}
            name={name}
            label={accountsCopy.fields[name]}
            error={errors[name]}
            required
            className={isHalf === true ? 'col-span-1' : 'col-span-2'}
          />
        ))}
        <Button type="submit" className="col-span-2 mt-1">
          {accountsCopy.submit}
        </Button>
      </form>
    </Dialog>
  )
}
