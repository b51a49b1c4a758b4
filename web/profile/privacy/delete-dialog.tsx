import { backend } from '#api/client.ts'
import { invokeFunction } from '#api/functions.ts'
import { refusalMessage } from '#api/refusals.ts'
import { profileCopy } from '#profile/copy.ts'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readPassword } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'

/** Asks for the password and deletes the customer's account. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog<string, 'password'>
      title={profileCopy.deleteAccount}
      description={profileCopy.deleteExplained}
      submitLabel={profileCopy.deleteForEver}
      submitVariant="destructive"
      onClose={onClose}
      read={(fields) => readPassword(fields, profileCopy.missingPassword)}
      send={async (password) => {
        await invokeFunction('delete-account', { password })
        // The server has already ended the session, so only the copy on this device must be removed. The page then
        // shows a farewell message.
        const client = await backend()
        await client.auth.signOut({ scope: 'local' })
      }}
      success={{ title: profileCopy.deletedTitle, description: profileCopy.deletedText }}
      failure={(error) => {
        const refusal = refusalMessage(error, {
          name: 'account deletion',
          title: profileCopy.failedTitle,
          refusals: { otherwise: profileCopy.deleteFailed },
        })
        return { ...refusal, errors: { password: refusal.description } }
      }}
    >
      {(errors) => (
        <PasswordField
          label={profileCopy.password}
          name="password"
          autoComplete="current-password"
          error={errors.password}
          required
        />
      )}
    </FormDialog>
  )
}
