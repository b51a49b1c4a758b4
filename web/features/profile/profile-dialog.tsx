import { fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { refusalAtForm } from '#session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type Reading } from '#ui/form/use-submission.ts'
import { profileCopy } from './copy.ts'
import { joinFullName, splitFullName } from './full-name.ts'

type Props = { fullName: string; onClose: () => void }

export function ProfileDialog({ fullName, onClose }: Props) {
  const { firstName, lastName } = splitFullName(fullName)
  const { errors, isSending, onSubmit } = useSubmission<string, 'firstName' | 'lastName' | 'form'>({
    read: readFullName,
    send: async (newName) => {
      try {
        await saveFullName(newName)
      } catch (error) {
        logQuietly(error, 'profile update')
        showToast({
          title: profileCopy.failedTitle,
          description: profileCopy.failedText,
          variant: 'destructive',
        })
        const { form } = refusalAtForm(error)
        return form === undefined ? undefined : { form }
      }
      showToast({ title: profileCopy.savedTitle, description: profileCopy.savedText })
      onClose()
      return undefined
    },
  })

  return (
    <Dialog title={profileCopy.edit} closeLabel={profileCopy.close} onClose={onClose}>
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
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
          <FormError>{errors.form}</FormError>
          <Button type="submit" isBusy={isSending}>
            {profileCopy.save}
          </Button>
        </fieldset>
      </form>
    </Dialog>
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
