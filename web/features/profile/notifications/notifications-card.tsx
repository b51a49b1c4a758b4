import { profileCopy } from '#features/profile/copy.ts'
import { lazyCode } from '#lazy/lazy.ts'
import { useLazyCode } from '#lazy/use-lazy-code.ts'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'

/** The page does not wait for the code or the rows of this list. */
const notificationList = lazyCode(() => import('./notification-list.tsx'), 'NotificationList')

/** The notifications of the customer. Shown only if the bank has enabled notifications. */
export function NotificationsCard() {
  const { data: NotificationList, error, refetch } = useLazyCode(notificationList)
  return (
    <Card title={profileCopy.told.title}>
      {NotificationList !== undefined ? (
        <NotificationList />
      ) : (
        <div className="grid min-h-24 place-content-center px-4 sm:px-6">
          {error ? (
            <RetryLine message={error.message} onRetry={() => void refetch()} />
          ) : (
            <Spinner label={profileCopy.told.loading} />
          )}
        </div>
      )}
    </Card>
  )
}
