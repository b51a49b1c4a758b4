import { backend } from '#backend/client.ts'
import { invokeFunction } from '#backend/invoke-function.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { InputField } from '#ui/form/field.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type Reading } from '#ui/form/use-submission.ts'
import { profileCopy } from '#features/profile/copy.ts'

/** Asks for the password once more, erases the account, and leaves. */
export function PrivacyDeleteDialog({ onClose }: { onClose: () => void }) {
  const { errors, isSending, onSubmit } = useSubmission<string, 'password'>({
    read: readPassword,
    send: async (password) => {
      try {
        await invokeFunction('delete-account', { password })
      } catch (error) {
        logQuietly(error, 'account deletion')
        const sentence = error instanceof Error ? error.message : ''
        const description = sentence === '' ? profileCopy.deleteFailed : sentence
        showToast({ title: profileCopy.failedTitle, description, variant: 'destructive' })
        return { password: description }
      }
      showToast({ title: profileCopy.deletedTitle, description: profileCopy.deletedText })
      // The session is over already: only this device is left to forget it.
      const client = await backend()
      await client.auth.signOut({ scope: 'local' })
      return undefined
    },
  })

  return (
    <Dialog
      title={profileCopy.deleteAccount}
      description={profileCopy.deleteExplained}
      closeLabel={profileCopy.close}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <InputField
            label={profileCopy.password}
            name="password"
            type="password"
            autoComplete="current-password"
            error={errors.password}
            required
          />
          <Button type="submit" variant="destructive" isBusy={isSending}>
            {profileCopy.deleteForEver}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}

function readPassword(fields: FormData): Reading<string, 'password'> {
  const password = fields.get('password')
  // As it was typed: blanks belong to a password.
  return typeof password === 'string' && password !== ''
    ? { ok: true, value: password }
    : { ok: false, errors: { password: profileCopy.missingPassword } }
}
