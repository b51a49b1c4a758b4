import { useQuery } from '@tanstack/react-query'
import { useEffect, type KeyboardEvent, type RefObject } from 'react'
import { KeyHints } from '#staff/lists/key-hints.tsx'
import { ListTable } from '#staff/lists/list-table.tsx'
import { handleListKey } from '#ui/palette/list-keys.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { useSearchParameters } from '#ui/address/address.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useChosen } from './chosen.ts'
import { requestQueueCopy as copy } from './copy.ts'
import { areTransfers } from './people.tsx'
import { linkedParameter, sumOfRequests, waitingQuery, type Queued } from './requests.ts'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { WaitingRow } from './waiting-row.tsx'

const decideDialog = lazyCode(() => import('./decide-dialog.tsx'), 'DecideDialog')
const none: readonly Queued[] = []
const keys = [
  ['↑ ↓', copy.keys.move],
  ['Espacio', copy.keys.choose],
  ['Mayús ↑ ↓', copy.keys.range],
  ['A', copy.keys.approve],
  ['R', copy.keys.decline],
] as const

/** The requests that wait for a decision. Administrators decide these requests one by one or several at a time. */
export function WaitingRequests() {
  const userId = useUser().id
  const waiting = useQuery(waitingQuery)
  const { requests = none, total = 0 } = waiting.data ?? {}
  const decidable = requests.filter(({ obstacle }) => obstacle === null)
  const ids = decidable.map(({ id }) => id)
  const chosen = useChosen(ids)
  const area = useKeptFocus<HTMLElement>()
  const linked = useLinked(area, waiting.data !== undefined)
  const { decide, dialog } = useDecision(requests, { userId, chosen, linked })
  const now = new Date(waiting.dataUpdatedAt)

  return (
    <section
      ref={area}
      tabIndex={-1}
      aria-label={copy.waiting}
      className="rounded-lg border border-line bg-surface"
      onKeyDown={queueKeys({ area, chosen, decide })}
    >
      <Bar {...{ chosen, decide, decidable }}>
        {waiting.data === undefined ? null : countInWords(requests, total)}
      </Bar>
      {waiting.data !== undefined && linked.id !== null && !requests.some(({ id }) => id === linked.id) && (
        <p role="status" className="border-b border-line px-4 py-3 text-sm">
          {copy.notWaiting}
        </p>
      )}
      <ListTable
        name="queue"
        columns={copy.columns}
        choice={copy.choice}
        query={waiting}
        isEmpty={requests.length === 0}
        empty={copy.nothingWaiting}
        loading={copy.loading}
        unread={copy.unread}
      >
        {requests.map((request) => (
          <WaitingRow
            key={request.id}
            request={request}
            now={now}
            canCancel={request.kind !== 'transfer' && request.asked_by === userId}
            isChosen={chosen.ids.includes(request.id)}
            isLinked={request.id === linked.id}
            onToggle={(isRange) => chosen.toggle(request.id, isRange)}
            onDecide={(approves) => decide([request.id], approves)}
          />
        ))}
      </ListTable>
      {ids.length > 0 && (
        <footer className="users-foot queue-foot">
          <KeyHints keys={keys} />
        </footer>
      )}
      {dialog}
    </section>
  )
}

type Choices = {
  userId: string
  chosen: ReturnType<typeof useChosen>
  linked: ReturnType<typeof useLinked>
}

/** Returns a function that opens the dialog for a decision about some of the requests, and this dialog. */
function useDecision(requests: readonly Queued[], { userId, chosen, linked }: Choices) {
  const { open, dialog } = useLazyDialog(decideDialog)
  const decide = (decided: readonly string[], approves: boolean) => {
    const wanted = requests.filter(({ id }) => decided.includes(id))
    // After a decision about all chosen requests, the choice is cleared. The page then no longer mentions chosen
    // requests that other administrators have decided.
    const forget = decided === chosen.ids ? chosen.clear : () => chosen.remove(decided)
    const onDecided = () => {
      forget()
      linked.remove(decided)
    }
    if (wanted.length > 0) open({ requests: wanted, approves, userId, onDecided })
  }
  return { decide, dialog }
}

/**
 * Reads the request to which a link led (`?solicitud=`), and focuses its row when the list is read. After a decision
 * about the request, the address no longer names it.
 */
function useLinked(area: RefObject<HTMLElement | null>, isRead: boolean) {
  const [address, setAddress] = useSearchParameters()
  const id = address.get(linkedParameter)
  useEffect(() => {
    if (id === null || !isRead) return
    const rows = [...(area.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const row = rows.find(({ dataset }) => dataset['row'] === id)
    row?.querySelector<HTMLElement>('[data-item], a, button')?.focus()
  }, [area, id, isRead])
  const remove = (decided: readonly string[]) => {
    if (id !== null && decided.includes(id)) setAddress(withoutLinked)
  }
  return { id, remove }
}

function withoutLinked(address: URLSearchParams): URLSearchParams {
  const changed = new URLSearchParams(address)
  changed.delete(linkedParameter)
  return changed
}

function countInWords(requests: readonly Queued[], total: number): string {
  const waiting = copy.waitingCount(total, areTransfers(requests))
  return total > requests.length ? `${waiting}, ${copy.riskiest(requests.length)}` : waiting
}

type Choice = {
  chosen: ReturnType<typeof useChosen>
  decide: (decided: readonly string[], approves: boolean) => void
}

type BarProps = Choice & { decidable: readonly Queued[]; children: string | null }

/** The number of requests, and the buttons that decide the chosen requests. */
function Bar({ decidable, children, ...choice }: BarProps) {
  const { ids, gone } = choice.chosen
  return (
    <div className="queue-bar border-b border-line bg-surface">
      <p role="status" className="@container min-w-0 flex-1 basis-48">
        {children !== null && (
          <Count chosen={decidable.filter(({ id }) => ids.includes(id))} gone={gone}>
            {children}
          </Count>
        )}
      </p>
      <Actions {...choice} />
    </div>
  )
}

/** Buttons that decide the chosen requests. */
function Actions({ chosen, decide }: Choice) {
  if (chosen.ids.length + chosen.gone === 0) return null
  const isNone = chosen.ids.length === 0
  return (
    <div className="queue-bar-actions">
      <Button size="small" disabled={isNone} onClick={() => decide(chosen.ids, true)}>
        {copy.approval.act}
      </Button>
      <Button variant="danger" size="small" disabled={isNone} onClick={() => decide(chosen.ids, false)}>
        {copy.decline.act}
      </Button>
      <Button variant="quiet" size="small" onClick={chosen.clear}>
        {copy.unchoose}
      </Button>
    </div>
  )
}

/** Returns the handler of the keys that decide requests, move the focus and choose rows. */
function queueKeys({ area, chosen, decide }: Choice & { area: { readonly current: HTMLElement | null } }) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, shiftKey } = event
    // React also passes key events from the dialog to this handler.
    if (!(target instanceof Element) || area.current?.contains(target) !== true) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = target.closest<HTMLElement>('[data-row]')?.dataset['row']
    const approves = { a: true, r: false }[key.toLowerCase()]
    if (approves !== undefined) {
      event.preventDefault()
      decide(chosen.ids.length > 0 ? chosen.ids : row === undefined ? [] : [row], approves)
      return
    }
    handleListKey(event, () => {})
    const reached = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
    if (shiftKey && reached !== undefined && reached !== row) chooseRange(chosen, row, reached)
  }
}

/** Extends the choice to the row that the focus has reached. */
function chooseRange(chosen: Choice['chosen'], row: string | undefined, reached: string): void {
  const isBack = chosen.ids.includes(reached)
  // With Shift, moving the focus back to a chosen row removes the previously focused row from the choice.
  if (row !== undefined && chosen.ids.includes(row) === isBack) chosen.toggle(row, false)
  if (!isBack) chosen.toggle(reached, true)
}

/** The number of waiting requests, or the number and the sum of the chosen requests. */
function Count({ chosen, gone, children }: { chosen: readonly Queued[]; gone: number; children: string }) {
  if (chosen.length + gone === 0) return children
  return (
    <>
      <MoneyText className="font-medium" within={copy.chosen(chosen.length)}>
        {displayedMinor(sumOfRequests(chosen))}
      </MoneyText>
      {gone > 0 && <span className="text-muted">{` · ${copy.gone(gone)}`}</span>}
    </>
  )
}
