import { adminCopy } from '#features/admin/copy.ts'
import { formatDateShort, formatDateTimeShort, noonInBogota } from '#format/dates.ts'
import { displayedMinor } from '#money/amounts.ts'
import { moneyCopy } from '#money/copy.ts'
import { useAmountsHidden } from '#money/money-text.tsx'
import { Link } from '#ui/address/link.tsx'
import { transferQueueCopy as copy } from './copy.ts'
import type { Party, Transfer } from './requests.ts'

/** The person who pays and the person who is paid, with links to their pages, above the transfer's concept. */
export function People({ transfer }: { transfer: Transfer }) {
  const { payer, payee } = transfer
  return (
    <>
      <span className="block font-medium wrap-anywhere">
        <PartyLink party={payer} /> <span className="font-normal text-muted">{copy.to}</span>{' '}
        <PartyLink party={payee} />
      </span>
      <Concept transfer={transfer} />
    </>
  )
}

/** The transfer's concept, and the day on which it is carried out. Nothing if it has neither. */
export function Concept({ transfer: { description, due_on: dueOn } }: { transfer: Transfer }) {
  const day = dueOn === null ? null : copy.dueOn(formatDateShort(noonInBogota(dueOn)))
  const words = [description, day].filter((part) => part !== null).join(' · ')
  return words === '' ? null : <span className="block text-muted wrap-anywhere">{words}</span>
}

function PartyLink({ party }: { party: Party }) {
  // A deleted account does not have a page to link to.
  if (party.name === null) return nameOf(party)
  return (
    <Link to={`/admin/clientes/${party.id}`} className="queue-link">
      {nameOf(party)}
    </Link>
  )
}

/** Names a transfer for a screen reader, so that the buttons of two transfers between the same people differ. */
export function useTransferName({ payer, payee, amountMinor, asked_at: askedAt }: Transfer): string {
  const [isHidden] = useAmountsHidden()
  const money = isHidden ? moneyCopy.hiddenAmount : displayedMinor(amountMinor)
  return copy.named(copy.between(nameOf(payer), nameOf(payee)), money, formatDateTimeShort(askedAt))
}

export function nameOf({ id, name }: Party): string {
  return name ?? adminCopy.goneUser(id)
}
