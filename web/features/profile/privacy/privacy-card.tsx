import { useState } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { PrivacyDeleteDialog } from './delete-dialog.tsx'

/** Habeas data: taking one's data along, and having oneself erased. Quiet, at the foot of the page. */
export function PrivacyCard() {
  const user = useUser()
  const [isLoading, setIsLoading] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)

  const download = async () => {
    setIsLoading(true)
    try {
      const { downloadOwnData } = await import('./download.ts')
      await downloadOwnData(user.id)
      showToast({ title: profileCopy.savedTitle, description: profileCopy.downloaded })
    } catch (error) {
      logQuietly(error, 'data export')
      showToast({
        title: profileCopy.failedTitle,
        description: profileCopy.downloadFailed,
        variant: 'destructive',
      })
    } finally {
      setIsLoading(false)
    }
  }

  return (
    <Card title={profileCopy.privacyTitle}>
      <div className="divide-y divide-line text-sm">
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-6">
          <p className="min-w-0 flex-1 basis-48 text-muted">{profileCopy.downloadText}</p>
          <Button variant="outline" size="small" isBusy={isLoading} onClick={() => void download()}>
            {profileCopy.download}
          </Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-6">
          <p className="min-w-0 flex-1 basis-48 text-muted">{profileCopy.deleteText}</p>
          <Button variant="danger" size="small" className="max-sm:-ml-3" onClick={() => setIsDeleting(true)}>
            {profileCopy.deleteAccount}
          </Button>
        </div>
      </div>
      {isDeleting && <PrivacyDeleteDialog onClose={() => setIsDeleting(false)} />}
    </Card>
  )
}
