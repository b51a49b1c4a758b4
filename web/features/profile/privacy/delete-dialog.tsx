import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { invokeFunction } from '#backend/invoke-function.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { refusalMessage } from '#session/refusal.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { InputField } from '#ui/form/field.tsx'
import { rawTextOf, useSubmission, type Reading } from '#ui/form/form.ts'

/** Asks for the password once more, erases the account, and signs out. */
export function PrivacyDeleteDialog({ onClose }: { onClose: () => void }) {
  const form = useSubmission<string, 'password'>({
    read: readPassword,
    send: (password) => invokeFunction('delete-account', { password }),
    success: { title: profileCopy.deletedTitle, description: profileCopy.deletedText },
    failure: (error) => {
      logQuietly(error, 'account deletion')
      const description = refusalMessage(error, profileCopy.deleteFailed)
      return { title: profileCopy.failedTitle, description, errors: { password: description } }
    },
    onDone: async () => {
      // The session is over already: only this device is left to forget it.
      const client = await backend()
      await client.auth.signOut({ scope: 'local' })
    },
  })

  return (
    <DialogForm
      form={form}
      title={profileCopy.deleteAccount}
      description={profileCopy.deleteExplained}
      closeLabel={profileCopy.close}
      submitLabel={profileCopy.deleteForEver}
      submitVariant="destructive"
      onClose={onClose}
    >
      <InputField
        label={profileCopy.password}
        name="password"
        type="password"
        autoComplete="current-password"
        error={form.errors.password}
        required
      />
    </DialogForm>
  )
}

function readPassword(fields: FormData): Reading<string, 'password'> {
  const password = rawTextOf(fields, 'password')
  return password === ''
    ? { ok: false, errors: { password: profileCopy.missingPassword } }
    : { ok: true, value: password }
}
