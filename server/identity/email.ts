/** E-mail addresses as this server accepts and stores them. */
import { emailLengthMax } from '@finanzas/contract/limits.ts'

// Narrower than RFC 5321 on purpose: no quoted names, no comments, no address literals, ASCII only.
// Each part ends at a character that it cannot contain, so the check takes linear time.
const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/

/** The address, trimmed and folded to lower case, or `null` when it is invalid: 254 characters at most. */
export function readEmail(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > emailLengthMax * 2) return null
  const email = value.trim().toLowerCase()
  if (email.length > emailLengthMax || !shape.test(email)) return null
  const [local = '', domain = ''] = email.split('@')
  const hasStrayDot = local.startsWith('.') || local.endsWith('.') || local.includes('..')
  const hasStrayHyphen = domain.split('.').some((label) => label.startsWith('-') || label.endsWith('-'))
  return hasStrayDot || hasStrayHyphen ? null : email
}
