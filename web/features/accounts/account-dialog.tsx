import { notImplemented } from '#ledger/not-implemented.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { InputField } from '#ui/form/field.tsx'
import { textOf, useSubmission, type FieldErrors } from '#ui/form/form.ts'
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
  const form = useSubmission<null, FieldName>({
    read: (typed) => {
      const missing: FieldErrors<FieldName> = Object.fromEntries(
        fields
          .filter(({ name }) => textOf(typed, name) === '')
          .map(({ name }) => [name, accountsCopy.missing]),
      )
      return Object.keys(missing).length === 0 ? { ok: true, value: null } : { ok: false, errors: missing }
    },
    send: async () => {},
    success: notImplemented,
    failure: () => notImplemented,
    onDone: onClose,
  })

  return (
    <DialogForm
      form={form}
      title={title}
      closeLabel={accountsCopy.close}
      submitLabel={accountsCopy.submit}
      onClose={onClose}
      className="grid-cols-2"
    >
      {fields.map(({ name, isHalf, ...attributes }) => (
        <InputField
          key={name}
          {...attributes}
          name={name}
          label={accountsCopy.fields[name]}
          error={form.errors[name]}
          required
          className={isHalf === true ? 'col-span-1' : 'col-span-2'}
        />
      ))}
    </DialogForm>
  )
}
