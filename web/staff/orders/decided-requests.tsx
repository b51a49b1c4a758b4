import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ListTable } from '#staff/lists/list-table.tsx'
import { formatDateTime, formatDateTimeShort } from '#ui/format/dates.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { SelectField } from '#ui/form/field.tsx'
import { Cell, Row } from '#ui/table.tsx'
import { requestQueueCopy as copy } from './copy.ts'
import { Amount } from './amount.tsx'
import { People, useRequestName } from './people.tsx'
import { decidedQuery, statuses, type Decided, type Queued } from './requests.ts'

const decideDialog = lazyCode(() => import('./decide-dialog.tsx'), 'DecideDialog')
const returnDialog = lazyCode(() => import('./return-dialog.tsx'), 'ReturnDialog')

/**
 * The requests that no longer wait for a decision, with the newest first. In this list, administrators can return the
 * money of a completed transfer or decline a scheduled transfer.
 */
export function DecidedRequests() {
  const userId = useUser().id
  const [status, setStatus] = useState<Decided | null>(null)
  const list = useInfiniteQuery(decidedQuery(status))
  const area = useKeptFocus<HTMLElement>()
  const returning = useLazyDialog(returnDialog)
  const declining = useLazyDialog(decideDialog)
  const requests = list.data?.pages.flat() ?? []
  const decline = (request: Queued) =>
    declining.open({ requests: [request], approves: false, userId, onDecided: () => {} })
  return (
    <section
      ref={area}
      tabIndex={-1}
      aria-label={copy.decided}
      className="rounded-lg border border-line bg-surface"
    >
      <StatusFilter status={status} onChange={setStatus} />
      <ListTable
        name="queue"
        columns={copy.decidedColumns}
        query={list}
        isEmpty={requests.length === 0}
        empty={status === null ? copy.nothingDecided : copy.noneOfStatus}
        loading={copy.loading}
        unread={copy.unread}
      >
        {requests.map((request) => (
          <DecidedRow key={request.id} request={request}>
            {request.kind === 'transfer' && request.status === 'done' && request.obstacle === null && (
              <RowButton
                request={request}
                words={copy.giveBack}
                onClick={() => returning.open({ transfer: request })}
              />
            )}
            {request.status === 'scheduled' && request.obstacle === null && (
              <RowButton request={request} words={copy.decline} onClick={() => decline(request)} />
            )}
          </DecidedRow>
        ))}
      </ListTable>
      {returning.dialog}
      {declining.dialog}
    </section>
  )
}

type FilterProps = { status: Decided | null; onChange: (status: Decided | null) => void }

function StatusFilter({ status, onChange }: FilterProps) {
  return (
    <search className="queue-bar border-b border-line bg-surface">
      <SelectField
        label={copy.filter}
        isLabelHidden
        className="queue-filter"
        value={status ?? ''}
        onChange={({ target }) => onChange(statuses.find((one) => one === target.value) ?? null)}
      >
        <option value="">{copy.everyStatus}</option>
        {statuses.map((one) => (
          <option key={one} value={one}>
            {copy.filters[one]}
          </option>
        ))}
      </SelectField>
    </search>
  )
}

function DecidedRow({ request, children }: { request: Queued; children: ReactNode }) {
  const { id, amountMinor, asked_at: askedAt } = request
  return (
    <Row data-row={id} className="queue-row">
      <Cell className="queue-people">
        <People request={request} />
      </Cell>
      <Cell className="queue-status">
        <StatusWords request={request} />
      </Cell>
      <Cell className="queue-amount font-semibold">
        <span className="@container block">
          <Amount>{amountMinor}</Amount>
        </span>
      </Cell>
      <Cell className="queue-time text-muted">
        <time dateTime={askedAt} title={formatDateTime(askedAt)}>
          {formatDateTimeShort(askedAt)}
        </time>
      </Cell>
      <Cell className="queue-actions">{children}</Cell>
    </Row>
  )
}

type ButtonProps = {
  request: Queued
  words: Pick<typeof copy.giveBack | typeof copy.decline, 'act' | 'actFor'>
  onClick: () => void
}

function RowButton({ request, words, onClick }: ButtonProps) {
  const named = useRequestName(request)
  return (
    <Button variant="outline" size="small" aria-label={words.actFor(named)} onClick={onClick}>
      {words.act}
    </Button>
  )
}

function StatusWords({ request }: { request: Queued }) {
  const { status, decided_by: by, decided_by_name: name, reason } = request
  if (status === 'waiting') return null
  const isAutomatic = by === null && (status === 'done' || status === 'scheduled')
  const decision =
    by === null ? (isAutomatic ? copy.automatic : null) : copy.by(name ?? copy.anotherAdministrator)
  // The reason for a return comes from the administrator who returned the money, not from the administrator who decided
  // the request.
  const why = status === 'returned' && reason !== null ? copy.giveBack.reason(reason) : reason
  return (
    <>
      <span className="block font-medium">{copy.statuses[status]}</span>
      {[decision, why].map(
        (line) =>
          line !== null && (
            <span key={line} className="block text-muted wrap-anywhere">
              {line}
            </span>
          ),
      )}
    </>
  )
}
