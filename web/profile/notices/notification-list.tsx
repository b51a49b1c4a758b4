import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deviceName } from '@finanzas/contract/people/device-name.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { useFirstRows } from '#ui/use-first-rows.ts'
import { UnreadRows } from '#ui/ghost-rows.tsx'
import { notificationsCopy as copy } from './copy.ts'
import { followNotifications, markRead, notificationsQuery, type OwnNotification } from './notifications.ts'

/** Number of rows shown initially. */
const rowsFirst = 5

/**
 * The notifications of the customer, newest first. New rows appear automatically, and every row on screen counts as
 * read.
 */
export function NotificationList() {
  const { id: userId } = useUser()
  const client = useQueryClient()
  const query = useQuery(notificationsQuery(userId))
  const notifications = query.data
  const { shown, left, showMore } = useFirstRows(notifications ?? [], { first: rowsFirst })
  const hasUnread = notifications?.some(({ read_at }) => read_at === null) ?? false
  useEffect(
    () =>
      followNotifications(
        userId,
        () => void client.invalidateQueries({ queryKey: notificationsQuery(userId).queryKey }),
      ),
    [client, userId],
  )
  useEffect(() => {
    if (hasUnread) void markRead(client)
  }, [client, hasUnread, notifications])

  if (notifications === undefined)
    return (
      <div className="px-4 sm:px-6">
        <UnreadRows
          query={query}
          loading={copy.loading}
          message={copy.failed}
          count={1}
          rowClass="min-h-24"
        />
      </div>
    )
  if (notifications.length === 0) return <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.none}</p>
  return (
    <>
      <ul aria-label={copy.list} className="divide-y divide-line">
        {shown.map((each) => (
          <Row key={each.id} notification={each} />
        ))}
      </ul>
      {left > 0 && (
        <div className="border-t border-line px-4 py-2 sm:px-6">
          <Button variant="quiet" size="touch" className="-ml-3" onClick={showMore}>
            {copy.more(left)}
          </Button>
        </div>
      )}
    </>
  )
}

function Row({ notification }: { notification: OwnNotification }) {
  const { kind, detail, happened_at: happenedAt, read_at: readAt } = notification
  const device = kind === 'new_device' && detail !== null ? ` · ${deviceName(detail)}` : ''
  return (
    <li className="px-4 py-3 sm:px-6">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
        {copy.event(notification)}
        {readAt === null && (
          <span className="rounded-sm border border-line bg-sunken px-2 py-0.5 text-xs font-medium text-muted">
            {copy.unread}
          </span>
        )}
      </p>
      <p className="text-sm text-muted">
        {formatDateTimeShort(happenedAt)}
        {device}
      </p>
    </li>
  )
}
