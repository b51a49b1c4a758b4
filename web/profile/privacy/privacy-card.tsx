import { showRefusal } from '#api/refusals.ts'
import { profileCopy } from '#profile/copy.ts'
import { failureMessage, lazyCode } from '#ui/lazy/lazy.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'

const deleteDialog = lazyCode(() => import('./delete-dialog.tsx'), 'DeleteDialog')
const ownData = lazyCode(() => import('./download.ts'), 'downloadOwnData')

/**
 * The customer's rights under Colombia's data protection law (Habeas data): to download their data and to have them
 * erased. The card is inconspicuous and comes last on the page.
 */
export function PrivacyCard() {
  const user = useUser()
  const deletion = useLazyDialog(deleteDialog)
  const { isBusy, run } = useTask((error) => {
    const refusals = { otherwise: failureMessage(error, profileCopy.downloadFailed) }
    showRefusal(error, { name: 'data export', title: profileCopy.failedTitle, refusals })
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
          <Button variant="danger" size="touch" className="-mr-3 -ml-3" onClick={() => deletion.open({})}>
            {profileCopy.deleteAccount}
          </Button>
        </div>
      </div>
      {deletion.dialog}
    </Card>
  )
}
