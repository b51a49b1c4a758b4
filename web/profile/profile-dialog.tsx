import { fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { callAuth } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { refusalAtForm } from '#people/session/refusal.ts'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { profileCopy } from './copy.ts'

type FieldName = 'firstName' | 'lastName'
type Props = {
  fullName: string
  /** The name that the bank verified, or `null` while the customer's own name counts. */
  verifiedName: string | null
  onClose: () => void
}

export function ProfileDialog({ fullName, verifiedName, onClose }: Props) {
  const { firstName, lastName } = splitFullName(fullName)
  return (
    <FormDialog<string, FieldName>
      title={profileCopy.edit}
      submitLabel={profileCopy.save}
      onClose={onClose}
      read={readFullName}
      send={saveFullName}
      success={{ title: profileCopy.savedTitle, description: profileCopy.savedText }}
      failure={(error) => {
        logQuietly(error, 'profile update')
        const { form: lasting } = refusalAtForm(error)
        return {
          title: profileCopy.failedTitle,
          description: profileCopy.failedText,
          ...(lasting !== undefined && { errors: { form: lasting } }),
        }
      }}
    >
      {(errors) => (
        <>
          {verifiedName !== null && (
            <p className="text-sm text-muted wrap-anywhere">{profileCopy.onlyGreeting(verifiedName)}</p>
          )}
          <InputField
            label={profileCopy.firstName}
            name="firstName"
            autoComplete="given-name"
            defaultValue={firstName}
            error={errors.firstName}
            required
          />
          <InputField
            label={profileCopy.lastName}
            name="lastName"
            autoComplete="family-name"
            defaultValue={lastName}
            error={errors.lastName}
            required
          />
        </>
      )}
    </FormDialog>
  )
}

function readFullName(fields: FormData): Reading<string, FieldName> {
  const parts = { firstName: textOf(fields, 'firstName'), lastName: textOf(fields, 'lastName') }
  const fullName = joinFullName(parts)
  const errors = {
    ...(parts.firstName === '' && { firstName: profileCopy.missingFirstName }),
    ...(parts.lastName === '' && { lastName: profileCopy.missingLastName }),
    ...([...fullName].length > fullNameLengthMax && { lastName: profileCopy.longName }),
  }
  return readingOf(errors, fullName)
}

/** Saves the name. The Supabase client then emits the updated user, and the page shows the new name. */
async function saveFullName(fullName: string): Promise<void> {
  await callAuth((auth) => auth.updateUser({ data: { full_name: fullName } }))
}

type NameParts = { firstName: string; lastName: string }

/**
 * Splits a name at the first space: the first word is the first name, and the rest is the last name
 * (docs/specification.md §2).
 */
function splitFullName(fullName: string): NameParts {
  const [firstName = '', ...rest] = fullName.split(' ')
  return { firstName, lastName: rest.join(' ') }
}

function joinFullName({ firstName, lastName }: NameParts): string {
  return `${firstName} ${lastName}`
}
