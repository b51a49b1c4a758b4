import { Fragment, type ReactNode } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { formatDateShort } from '#ui/format/dates.ts'
import { requestQueueCopy as copy } from './copy.ts'
import { signsOf, type Facts, type Queued, type RiskSign, type Transfer } from './requests.ts'

/**
 * Why a request needs a decision: the signs of risk of a transfer, or the power that an act has. The recent changes of
 * the person's access come last.
 */
export function Signs({ request }: { request: Queued }) {
  const signs = [
    ...(request.kind === 'transfer' ? signsOfTransfer(request) : [copy.powers[request.kind]]),
    ...(request.facts?.accessActs ?? []).map(({ act, acted_at: at }) =>
      copy.accessActs[act](formatDateShort(at)),
    ),
  ]
  if (signs.length === 0) return <span className="text-muted">{copy.noSigns}</span>
  return (
    <ul className="flex flex-wrap gap-1">
      {signs.map((sign) => (
        <li
          key={sign}
          className="rounded-sm border border-brass bg-warning-soft px-1.5 text-xs font-medium text-warning"
        >
          {sign}
        </li>
      ))}
    </ul>
  )
}

/** From this multiple of the usual amount on, the page says the multiple. */
const timesMin = 2

function signsOfTransfer({ risk, amountMinor, facts }: Transfer): string[] {
  const words = {
    payee: () => (facts?.payeeSince ? copy.signs.payee(formatDateShort(facts.payeeSince)) : copy.newPayee),
    amount: () => {
      if (facts === null) return copy.signs.amount
      if (!facts.hasSent) return copy.firstTransfer
      const times = facts.usualMinor === null ? 0 : Math.floor(amountMinor / facts.usualMinor)
      return times < timesMin ? copy.signs.amount : copy.times(times)
    },
    hour: () => copy.signs.hour,
  } satisfies Record<RiskSign, () => string>
  return signsOf(risk).map((sign) => words[sign]())
}

type ConsequencesProps = { request: Queued; isDeclined?: boolean }

/** The effect of an approval and the payer's habits, in numbers. A request that is declined has no effect. */
export function Consequences({ request, isDeclined = false }: ConsequencesProps) {
  const parts = request.kind === 'transfer' ? factsOf(request, isDeclined) : effectOf(request, isDeclined)
  if (parts.length === 0) return null
  return (
    <span className="block text-muted wrap-anywhere">
      {parts.map((part, at) => (
        // The parts never change their order.
        <Fragment key={at}>
          {at > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </span>
  )
}

function factsOf({ risk, facts }: Transfer, isDeclined: boolean): ReactNode[] {
  if (facts === null) return []
  const { availableMinor, transfersToday, payeeSince } = facts
  return [
    !isDeclined && availableMinor !== null && <Money within={copy.availableAfter}>{availableMinor}</Money>,
    usualOf(facts),
    copy.today(transfersToday),
    // The sign of a new beneficiary says the same.
    payeeSince !== null && !signsOf(risk).includes('payee') && copy.payeeSince(formatDateShort(payeeSince)),
  ].filter((part) => part !== false)
}

/** From this number of transfers in 90 days on, the page calls the largest of them usual. */
const habitMin = 3

function usualOf({ hasSent, usualMinor, sentRecently }: Facts): ReactNode {
  if (!hasSent) return copy.sentNothing
  if (usualMinor === null) return copy.sentNothingRecently
  return <Money within={sentRecently < habitMin ? copy.largest : copy.usual}>{usualMinor}</Money>
}

/** The balance according to the bank, now or as the act changes it. The balance after notes stands beside it. */
function effectOf(act: Exclude<Queued, Transfer>, isDeclined: boolean): ReactNode[] {
  const { kind, amountMinor, details, facts } = act
  const { balanceMinor = null, heldMinor = null } = facts ?? {}
  if (balanceMinor === null || heldMinor === null || amountMinor === null) return []
  const isNoted = balanceMinor !== heldMinor
  const words = isNoted ? copy.held : copy.balance
  const afterMinor = details.type === 'expense' ? heldMinor - amountMinor : heldMinor + amountMinor
  const effect =
    isDeclined || kind !== 'transaction' ? (
      <Money within={words.now}>{heldMinor}</Money>
    ) : (
      <>
        <Money within={words.from}>{heldMinor}</Money>{' '}
        <Money within={copy.balanceTo}>{afterMinor as MinorUnits}</Money>
      </>
    )
  return isNoted ? [effect, <Money within={copy.withNotes}>{balanceMinor}</Money>] : [effect]
}

function Money({ within, children }: { within: (money: string) => string; children: MinorUnits }) {
  return <MoneyText within={within}>{displayedMinor(children)}</MoneyText>
}
