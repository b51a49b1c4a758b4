import type { ReactNode } from 'react'
import { accountInWords } from '@finanzas/contract/transfers/account.ts'
import { adminCopy } from '#staff/copy.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { formatDateShort, formatDateTimeShort, noonInBogota } from '#ui/format/dates.ts'
import { Link, opensElsewhere } from '#ui/address/link.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { requestQueueCopy as copy } from './copy.ts'
import { displayedMinor, displayedMoney } from '#amounts/amounts.ts'
import { moneyCopy } from '#amounts/copy.ts'
import { useAmountsHidden } from '#amounts/money-text.tsx'
import type { Act, Party, Queued, Transfer } from './requests.ts'

const glanceDialog = lazyCode(() => import('#staff/customers/glance-dialog.tsx'), 'GlanceDialog')

/** The people of a request, with links to them. The request's description is below them. */
export function People({ request }: { request: Queued }) {
  if (request.kind !== 'transfer') return <ActSubject act={request} />
  const { payer, payee, destination } = request
  return (
    <>
      <span className="block font-medium wrap-anywhere">
        <PartyLink party={payer} /> <span className="font-normal text-muted">{copy.to}</span>{' '}
        <PartyLink party={payee} />
      </span>
      {destination !== null && <span className="block wrap-anywhere">{accountInWords(destination)}</span>}
      <Concept request={request} />
    </>
  )
}

/** The subject of an administrator's act, with a link to the customer or batch, and the administrator's name. */
function ActSubject({ act }: { act: Act }) {
  const { id, kind, about, asker } = act
  const words = subjectOf(act)
  return (
    <>
      <span className="block font-medium wrap-anywhere">
        {kind === 'batch' ? (
          <Link to={`/admin/abonos?lote=${id}`} className="queue-link">
            {words}
          </Link>
        ) : about === null || about.name === null ? (
          words
        ) : (
          <PersonLink person={about}>{words}</PersonLink>
        )}
      </span>
      <Concept request={act} />
      <span className="block text-muted wrap-anywhere">{copy.askedBy(nameOf(asker))}</span>
    </>
  )
}

/** The request's description and other details in words, if the request has any. */
export function Concept({ request }: { request: Queued }) {
  const words = (request.kind === 'transfer' ? conceptOf(request) : detailsOf(request))
    .filter((part) => part !== null && part !== undefined)
    .join(' · ')
  return words === '' ? null : <span className="block text-muted wrap-anywhere">{words}</span>
}

function conceptOf({ description, due_on: dueOn }: Transfer) {
  return [description, dueOn === null ? null : copy.dueOn(formatDateShort(noonInBogota(dueOn)))]
}

function detailsOf({
  kind,
  details: { description, right_amount: right, reason, hours, lines, accounts, transfers },
}: Act) {
  if (kind === 'block' && reason !== undefined)
    return [copy.blockedFor(hours ?? null), staffCopy.blockReasons[reason] ?? reason]
  return [
    description,
    right === undefined ? null : copy.rightAmount(displayedMoney(right)),
    reason,
    transfers === undefined ? null : copy.transfers(transfers),
    lines === undefined ? null : accounts === undefined ? copy.deposits(lines) : copy.accounts(accounts),
  ]
}

/** Returns the request's subject, for example `Depósito a Ana`. */
export function subjectOf(request: Queued): string {
  return inWords(request, copy.subjects)
}

/**
 * Names a request for a screen reader as the object of a verb, for example `el depósito a Ana: $10.00, pedida el …`. The
 * buttons of two requests about the same people therefore differ.
 */
export function useRequestName(request: Queued): string {
  const { amountMinor, asked_at: askedAt } = request
  const [isHidden] = useAmountsHidden()
  const money = isHidden ? moneyCopy.hiddenAmount : amountMinor === null ? null : displayedMinor(amountMinor)
  return copy.named(inWords(request, copy.objects), money, formatDateTimeShort(askedAt))
}

function inWords(request: Queued, words: typeof copy.subjects | typeof copy.objects): string {
  if (request.kind === 'transfer') return words.transfer(nameOf(request.payer), nameOf(request.payee))
  const { kind, about, details } = request
  if (kind === 'batch') return words.batch(details.title ?? copy.untitled)
  if (kind === 'file_return') return words.file_return(String(details.file ?? ''))
  const name = about === null ? '' : nameOf(about)
  if (kind === 'transaction') return details.type === 'expense' ? words.expense(name) : words.deposit(name)
  return words[kind](name)
}

/** Returns whether all requests are transfers, for which the page has separate words. */
export function areTransfers(requests: readonly { kind: Queued['kind'] }[]): boolean {
  return requests.every(({ kind }) => kind === 'transfer')
}

function PartyLink({ party }: { party: Party }) {
  // A deleted account and an account at another bank have no page to link to.
  if (party.name === null || party.id === null) return nameOf(party)
  return <PersonLink person={party}>{nameOf(party)}</PersonLink>
}

/** A link that shows a person above the list, so that the administrator stays in the list. */
function PersonLink({ person, children }: { person: Party; children: ReactNode }) {
  const { open, dialog } = useLazyDialog(glanceDialog)
  return (
    <>
      <Link
        to={`/admin/clientes/${person.id}`}
        aria-haspopup="dialog"
        className="queue-link"
        onClick={(event) => {
          if (opensElsewhere(event)) return
          event.preventDefault()
          open({ id: person.id ?? '', name: nameOf(person) })
        }}
      >
        {children}
      </Link>
      {dialog}
    </>
  )
}

export function nameOf({ id, name }: Party): string {
  return name ?? (id === null ? copy.forgotten : adminCopy.goneUser(id))
}
