import { Fragment, type ReactNode } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { formatDateShort } from '#ui/format/dates.ts'
import { requestQueueCopy as copy } from './copy.ts'
import { signsOf, type Queued, type RiskSign, type Transfer } from './requests.ts'

/** Why a request needs a decision: the signs of risk of a transfer, or the power that an act has. */
export function Signs({ request }: { request: Queued }) {
  const signs = request.kind === 'transfer' ? signsOfTransfer(request) : [copy.powers[request.kind]]
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
      if (facts.usualMinor === null) return copy.firstTransfer
      const times = Math.floor(amountMinor / facts.usualMinor)
      return times < timesMin ? copy.signs.amount : copy.times(times)
    },
    hour: () => copy.signs.hour,
  } satisfies Record<RiskSign, () => string>
  return signsOf(risk).map((sign) => words[sign]())
}

/** The effect of a decision, and the payer's habits, in numbers. */
export function Consequences({ request }: { request: Queued }) {
  const parts = request.kind === 'transfer' ? factsOf(request) : effectOf(request)
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

function factsOf({ risk, facts }: Transfer): ReactNode[] {
  if (facts === null) return []
  const { availableMinor, usualMinor, transfersToday, payeeSince } = facts
  return [
    availableMinor !== null && <Money within={copy.availableAfter}>{availableMinor}</Money>,
    usualMinor === null ? copy.sentNothing : <Money within={copy.usual}>{usualMinor}</Money>,
    copy.today(transfersToday),
    // The sign of a new beneficiary says the same.
    payeeSince !== null && !signsOf(risk).includes('payee') && copy.payeeSince(formatDateShort(payeeSince)),
  ].filter((part) => part !== false)
}

function effectOf({ kind, amountMinor, details, facts }: Exclude<Queued, Transfer>): ReactNode[] {
  const balanceMinor = facts?.balanceMinor ?? null
  if (balanceMinor === null || amountMinor === null) return []
  if (kind !== 'transaction') return [<Money within={copy.balanceNow}>{balanceMinor}</Money>]
  const afterMinor = details.type === 'expense' ? balanceMinor - amountMinor : balanceMinor + amountMinor
  return [
    <>
      <Money within={copy.balanceFrom}>{balanceMinor}</Money>{' '}
      <Money within={copy.balanceTo}>{afterMinor as MinorUnits}</Money>
    </>,
  ]
}

function Money({ within, children }: { within: (money: string) => string; children: MinorUnits }) {
  return <MoneyText within={within}>{displayedMinor(children)}</MoneyText>
}
