import { fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { refusalAtForm } from '#session/refusal.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { profileCopy } from './copy.ts'

type Props = { fullName: string; onClose: () => void }

export function ProfileDialog({ fullName, onClose }: Props) {
  const { firstName, lastName } = splitFullName(fullName)
  const form = useSubmission<string, 'firstName' | 'lastName' | 'form'>({
    read: readFullName,
    send: saveFullName,
    success: { title: profileCopy.savedTitle, description: profileCopy.savedText },
    failure: (error) => {
      logQuietly(error, 'profile update')
      const { form: lasting } = refusalAtForm(error)
      return {
        title: profileCopy.failedTitle,
        description: profileCopy.failedText,
        ...(lasting !== undefined && { errors: { form: lasting } }),
      }
    },
    onDone: onClose,
  })

  return (
    <DialogForm
      form={form}
      title={profileCopy.edit}
      closeLabel={profileCopy.close}
      submitLabel={profileCopy.save}
      onClose={onClose}
    >
      <InputField
        label={profileCopy.firstName}
        name="firstName"
        autoComplete="given-name"
        defaultValue={firstName}
        error={form.errors.firstName}
        required
      />
      <InputField
        label={profileCopy.lastName}
        name="lastName"
        autoComplete="family-name"
        defaultValue={lastName}
        error={form.errors.lastName}
        required
      />
      <FormError>{form.errors.form}</FormError>
    </DialogForm>
  )
}

function readFullName(fields: FormData): Reading<string, 'firstName' | 'lastName' | 'form'> {
  const parts = { firstName: textOf(fields, 'firstName'), lastName: textOf(fields, 'lastName') }
  const fullName = joinFullName(parts)
  const errors = {
    ...(parts.firstName === '' && { firstName: profileCopy.missingFirstName }),
    ...(parts.lastName === '' && { lastName: profileCopy.missingLastName }),
    ...([...fullName].length > fullNameLengthMax && { lastName: profileCopy.longName }),
  }
  return Object.keys(errors).length === 0 ? { ok: true, value: fullName } : { ok: false, errors }
}

/** Saves the name. The client then announces the returned user, which replaces the one on screen. */
async function saveFullName(fullName: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.updateUser({ data: { full_name: fullName } })
  if (error !== null) throw error
}

export type NameParts = { firstName: string; lastName: string }

/** Splits at the first space: the first word is the first name, the rest is the last name (docs/specification.md §2). */
export function splitFullName(fullName: string): NameParts {
  const [firstName = '', ...rest] = fullName.split(' ')
  return { firstName, lastName: rest.join(' ') }
}

export function joinFullName({ firstName, lastName }: NameParts): string {
  return `${firstName} ${lastName}`
}
