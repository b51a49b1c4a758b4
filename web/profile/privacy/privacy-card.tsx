import { useState } from 'react'
import { backend } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { refusalText } from '#api/refusals.ts'
import { invokeFunction } from '#api/functions.ts'
import { profileCopy } from '#profile/copy.ts'
import { failureMessage, lazyCode } from '#ui/lazy/lazy.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readPassword } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'

const ownData = lazyCode(() => import('./download.ts'), 'downloadOwnData')

/**
 * The customer's rights under Colombia's data protection law (Habeas data): to download their data and to have them
 * erased. The card is inconspicuous and comes last on the page.
 */
export function PrivacyCard() {
  const user = useUser()
  const [isDeleting, setIsDeleting] = useState(false)
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'data export')
    const description = failureMessage(error, profileCopy.downloadFailed)
    showFailure({ title: profileCopy.failedTitle, description })
  })
  const download = async () => {
    const downloadOwnData = await ownData.load()
    await downloadOwnData(user.id)
    showToast({ title: profileCopy.savedTitle, description: profileCopy.downloaded })
  }

  return (
    <Card title={profileCopy.privacyTitle}>
      <div className="divide-y divide-line text-sm">
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-6">
          <p className="min-w-0 flex-1 basis-48 text-muted">{profileCopy.downloadText}</p>
          <Button variant="outline" size="touch" isBusy={isBusy} onClick={() => run(download)}>
            {profileCopy.download}
          </Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-6">
          <p className="min-w-0 flex-1 basis-48 text-muted">{profileCopy.deleteText}</p>
          <Button variant="danger" size="touch" className="-mr-3 -ml-3" onClick={() => setIsDeleting(true)}>
            {profileCopy.deleteAccount}
          </Button>
        </div>
      </div>
      {isDeleting && <DeleteDialog onClose={() => setIsDeleting(false)} />}
    </Card>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
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
        logQuietly(error, 'account deletion')
        const description = refusalText(error, { otherwise: profileCopy.deleteFailed })
        return { title: profileCopy.failedTitle, description, errors: { password: description } }
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
