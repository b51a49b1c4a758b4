import { profileCopy } from '#profile/copy.ts'
import { LazyPart } from '#profile/lazy-part.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Card } from '#ui/card.tsx'

const notificationList = lazyCode(() => import('./notification-list.tsx'), 'NotificationList')

/** The notifications of the customer. Shown only if the bank has enabled notifications. */
export function NotificationsCard() {
  return (
    <Card title={profileCopy.received.title}>
      <LazyPart code={notificationList} loading={profileCopy.received.loading} />
    </Card>
  )
}
