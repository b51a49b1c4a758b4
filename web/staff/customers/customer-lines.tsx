/** Lines about a customer, which the customer's page and the look at a customer share. */
import { formatDateTime } from '#ui/format/dates.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { customersCopy as copy } from './copy.ts'
import type { Customer } from './customer.ts'

/** The balance without the customer's own notes, and the sum of these notes, if there are any. */
export function CustomerParts({ customer: { booked, noted } }: { customer: Customer }) {
  if (noted === 0) return null
  return (
    <span className="text-sm text-muted">
      <MoneyText within={copy.booked}>{displayedMoney(booked)}</MoneyText>
      {' · '}
      <MoneyText within={copy.noted}>{displayedMoney(noted)}</MoneyText>
    </span>
  )
}

/** The customer's address, role and states. */
export function CustomerStates({ customer }: { customer: Customer }) {
  const { id, email, role, confirmed_at, banned_until, block_reason, has_second_factor } = customer
  const isOwn = useUser().id === id
  const { states } = copy
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <li translate="no" className="min-w-0 wrap-anywhere">
        {email}
      </li>
      <State>{staffCopy.roles[role]}</State>
      {isOwn && <State isWarning>{staffCopy.ownAccount}</State>}
      {confirmed_at === null && <State isWarning>{states.unconfirmed}</State>}
      {banned_until !== null && Date.parse(banned_until) > Date.now() && (
        <State isWarning>{blockedInWords(banned_until, block_reason)}</State>
      )}
      {has_second_factor && <State>{states.secondFactor}</State>}
    </ul>
  )
}

function State({ isWarning = false, children }: { isWarning?: boolean; children: string }) {
  const look = isWarning ? 'border-brass bg-warning-soft text-warning' : 'border-line'
  return <li className={`rounded-sm border px-2 py-0.5 text-xs font-medium ${look}`}>{children}</li>
}

/** Describes a block. A permanent block is stored as a block that lasts a hundred years. */
function blockedInWords(until: string, reason: string | null): string {
  const { blocked, blockedForGood } = copy.states
  const isForGood = Date.parse(until) - Date.now() > 50 * 365 * 24 * 3600 * 1000
  const words = isForGood ? blockedForGood : blocked(formatDateTime(until))
  return reason === null ? words : `${words} · ${staffCopy.blockReasons[reason] ?? reason}`
}
