/** Describes audit entries in Spanish. */
import type { Json } from '@finanzas/contract/database-types.ts'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { adminCopy } from '#staff/copy.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { formatDateTime, formatDateWithYear } from '#ui/format/dates.ts'
import { formatMonthAndYear } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { approverIn, type AuditEntry } from './audit.ts'
import { auditCopy } from './copy.ts'

/** Returns the Spanish name of the action, or its technical name if the copy does not contain a translation. */
export function actionInWords({ action }: Pick<AuditEntry, 'action'>): string {
  return auditCopy.actions[action] ?? action.replaceAll('_', ' ')
}

/** Returns a sentence with the old and the new value, or `null` if the entry contains neither. */
export function changeInWords({
  action,
  before,
  after,
}: Pick<AuditEntry, 'action' | 'before' | 'after'>): string | null {
  if (requestActions.has(action)) return requestInWords(after)
  const [was, is] = [stateInWords(before), stateInWords(after)]
  if (was === null) return is
  return is === null ? auditCopy.removed(was) : auditCopy.changed(was, is)
}

/** Actions about a request: a transfer, or an act that needs a second administrator. */
const requestActions: ReadonlySet<string> = new Set([
  'decide_request',
  'return_transfer',
  'request_approval',
  'cancel_request',
])

/**
 * Describes a request by its decision, its kind and its amount, as far as the entry contains them. Returns `null` if
 * the entry contains none of these.
 */
function requestInWords(after: Json | null): string | null {
  if (after === null || typeof after !== 'object' || Array.isArray(after)) return null
  const { decision, kind } = after
  const money = moneyIn(after)
  const parts = [
    decision === 'first_approved' || decision === 'approved' || decision === 'declined'
      ? auditCopy.request[decision]
      : null,
    typeof kind === 'string' ? (auditCopy.request.kinds[kind] ?? kind) : null,
    money === null ? null : auditCopy.request.amount(money),
  ].filter((part) => part !== null)
  const words = parts.join(', ')
  return words === '' ? null : words.charAt(0).toUpperCase() + words.slice(1)
}

type Person = {
  id: string | null
  /** The name in the audit entry, or `null` if the entry does not contain the name. */
  name: string | null
}

/**
 * Returns the person's name or e-mail address, or a part of the id if the account was deleted. Returns `null` if the
 * entry does not contain an id.
 */
export function personInWords({ id, name }: Person, namesById: ReadonlyMap<string, string>): string | null {
  if (id === null) return null
  return name?.trim() || namesById.get(id) || adminCopy.goneUser(id)
}

/**
 * Describes the actor: a person (with the administrator who approved the act), a service that acted on behalf of a
 * person, or an origin such as an operator.
 */
export function actorInWords(
  { origin, actor, actor_name: name, after }: Pick<AuditEntry, 'origin' | 'actor' | 'actor_name' | 'after'>,
  namesById: ReadonlyMap<string, string>,
): string {
  const person = personInWords({ id: actor, name }, namesById)
  if (person === null) return auditCopy.origins[origin] ?? origin
  const approver = personInWords({ id: approverIn(after), name: null }, namesById)
  if (approver !== null) return auditCopy.approvedBy(person, approver)
  return origin === 'service' ? auditCopy.byService(person) : person
}

function stateInWords(state: Json | null): string | null {
  if (state === null) return null
  if (typeof state !== 'object' || Array.isArray(state)) return JSON.stringify(state)
  const { role, type, date, banned_until: bannedUntil, balance, lines, number, reason, link } = state
  if (link === 'recovery') return auditCopy.recoveryLink
  const money = moneyIn(state)
  if (role === 'admin' || role === 'user') {
    const words = staffCopy.roles[role]
    return typeof balance === 'string' && money !== null ? auditCopy.withBalance(words, money) : words
  }
  if ((type === 'deposit' || type === 'expense') && money !== null && typeof date === 'string') {
    return auditCopy.movement(staffCopy.types[type], money, formatDateWithYear(date))
  }
  if (typeof number === 'number') {
    // The hash identifies the file that the bank sends to the clearing house.
    const hash = typeof state['xml_sha256'] === 'string' ? `, SHA-256 ${state['xml_sha256']}` : ''
    return auditCopy.clearingFile(number, `${money === null ? '' : `: ${money}`}${hash}`)
  }
  if (typeof lines === 'number') {
    return money === null ? auditCopy.found(lines) : auditCopy.batch(lines, money)
  }
  // A block and a paper can have the same reason.
  if (bannedUntil !== undefined) {
    const words = banInWords(bannedUntil)
    return typeof reason === 'string' ? `${words} · ${staffCopy.blockReasons[reason] ?? reason}` : words
  }
  const paperReason = typeof reason === 'string' ? staffCopy.paperReasons[reason] : undefined
  if (paperReason !== undefined) {
    const { month } = state
    return typeof month === 'string'
      ? auditCopy.statement(formatMonthAndYear(month), paperReason)
      : paperReason
  }
  return Object.entries(state)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ')
}

/** Returns the formatted amount from an entry's old or new state, or `null` if the state does not contain an amount. */
export function moneyIn(state: Json | null): string | null {
  if (state === null || typeof state !== 'object' || Array.isArray(state)) return null
  // Instead of an amount, the entry for a deleted customer contains the balance that was written off.
  const amount = state['amount'] ?? state['balance']
  if (typeof amount !== 'string') return null
  const amountMinor = minorFromDecimal(amount)
  return amountMinor === null ? amount : displayedMinor(amountMinor)
}

function banInWords(until: Json): string {
  if (until === null) return auditCopy.notBanned
  const time = typeof until === 'string' ? formatDateTime(until) : ''
  return time === '' ? auditCopy.bannedForGood : auditCopy.bannedUntil(time)
}
