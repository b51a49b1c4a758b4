import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { useRef } from 'react'
import { deviceName } from '@finanzas/contract/people/device-name.ts'
import { showRefusal } from '#api/refusals.ts'
import { profileCopy } from '#profile/copy.ts'
import { formatAgo, formatDateTimeShort } from '#ui/format/dates.ts'
import { Button } from '#ui/button.tsx'
import { useFirstRows } from '#ui/use-first-rows.ts'
import { UnreadRows } from '#ui/ghost-rows.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { devicesCopy as copy } from './copy.ts'
import { endOtherSessions, endSession, ownSessionsQuery, type OwnSession } from './sessions.ts'

/** Number of rows shown initially, because a customer may have a hundred sessions. */
const rowsFirst = 5

/**
 * The customer's sessions, with the current session first. The customer can end one of the other sessions, or all other
 * sessions.
 */
export function DeviceList() {
  const query = useQuery(ownSessionsQuery)
  const sessions = query.data
  const client = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  const { shown, left, showMore } = useFirstRows(sessions ?? [], { first: rowsFirst })
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'end of a session',
      title: copy.failedTitle,
      refusals: { otherwise: copy.failedText },
    }),
  )
  const reload = async () => {
    // The focus moves to the list, because the pressed button disappears together with its row.
    list.current?.focus()
    await client.invalidateQueries(ownSessionsQuery)
  }
  const end = (session: OwnSession) =>
    run(async () => {
      await endSession(session.id)
      showToast({ title: copy.ended, description: copy.endedText(nameOf(session)) })
      await reload()
    })
  const endOthers = () =>
    run(async () => {
      await endOtherSessions()
      showToast({ title: copy.othersEnded })
      await reload()
    })

  if (sessions === undefined) return <Unread query={query} />
  const presentNetwork = sessions.find((session) => session.is_present)?.network ?? null
  const hasOthers = sessions.some((session) => !session.is_present)
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={copy.list} className="divide-y divide-line">
        {shown.map((session) => (
          <DeviceRow
            key={session.id}
            session={session}
            presentNetwork={presentNetwork}
            isBusy={isBusy}
            onEnd={end}
          />
        ))}
      </ul>
      {left > 0 && (
        <div className="border-t border-line px-4 py-2 sm:px-6">
          <Button variant="quiet" size="touch" className="-ml-3" onClick={showMore}>
            {copy.more(left)}
          </Button>
        </div>
      )}
      <Footer hasOthers={hasOthers} isBusy={isBusy} onEndOthers={endOthers} />
    </>
  )
}

function Unread({ query }: { query: UseQueryResult }) {
  return (
    <div className="px-4 sm:px-6">
      <UnreadRows
        query={query}
        loading={profileCopy.devices.loading}
        message={profileCopy.devices.failed}
        count={1}
        rowClass="min-h-24"
      />
    </div>
  )
}

type FooterProps = { hasOthers: boolean; isBusy: boolean; onEndOthers: () => void }

function Footer({ hasOthers, isBusy, onEndOthers }: FooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 sm:px-6">
      <p className="min-w-0 flex-1 basis-32 text-sm text-muted">{hasOthers ? copy.hint : copy.onlyThis}</p>
      {hasOthers && (
        <Button variant="danger" size="touch" className="-mr-3 -ml-3" disabled={isBusy} onClick={onEndOthers}>
          {copy.endOthers}
        </Button>
      )}
    </div>
  )
}

type RowProps = {
  session: OwnSession
  presentNetwork: string | null
  isBusy: boolean
  onEnd: (session: OwnSession) => void
}

function DeviceRow({ session, presentNetwork, isBusy, onEnd }: RowProps) {
  const { is_present: isPresent, began_at: beganAt, user_agent: userAgent } = session
  const Icon = /\b(?:Android|iPhone|Mobile)\b/.test(userAgent ?? '') ? Smartphone : Laptop
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-4 sm:px-6">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-primary" strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-32 text-sm text-muted">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-medium text-ink">
          {nameOf(session)}
          {isPresent && (
            <span className="rounded-sm border border-line bg-sunken px-2 py-0.5 text-xs font-medium text-muted">
              {copy.present}
            </span>
          )}
        </p>
        <p className="wrap-anywhere">
          {[lastUseOf(session), placeOf(session, presentNetwork)].filter((part) => part !== '').join(' · ')}
        </p>
        <p>{copy.began(formatDateTimeShort(beganAt))}</p>
      </div>
      {!isPresent && (
        <Button
          variant="danger"
          size="touch"
          className="-mr-3"
          disabled={isBusy}
          aria-label={copy.endOf(nameOf(session))}
          onClick={() => onEnd(session)}
        >
          {copy.end}
        </Button>
      )}
    </li>
  )
}

function nameOf({ user_agent: userAgent }: OwnSession): string {
  const name = deviceName(userAgent ?? '')
  return name === 'desconocido' ? copy.unknownDevice : name
}

const hourMs = 3_600_000

/**
 * Describes the last use with a precision of one hour, because the bank records only token refreshes, which happen
 * hourly while a page is open.
 */
function lastUseOf({ is_present: isPresent, last_used_at: lastUsedAt }: OwnSession): string {
  if (isPresent) return copy.presentUse
  const isRecent = Date.now() - Date.parse(lastUsedAt) < hourMs
  return copy.lastUse(isRecent ? copy.lastHour : formatAgo(lastUsedAt))
}

/** Describes a session's network. The location is unknown, because the bank does not query a geolocation service. */
function placeOf({ network, is_present: isPresent }: OwnSession, presentNetwork: string | null): string {
  if (network === null || network === '') return ''
  return !isPresent && network === presentNetwork ? copy.sameNetwork : copy.network(network)
}
