/** E-mail addresses in the form that this server accepts and stores. */
import { emailLengthMax } from '@finanzas/contract/limits.ts'

// Deliberately narrower than RFC 5321: only ASCII is accepted, and quoted names, comments and address literals are not.
// The pattern needs only linear time, because no repeated part can match the character that must follow this part.
const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/

/** Returns the address, trimmed and in lower case; `null` when it is invalid or longer than 254 characters. */
export function readEmail(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > emailLengthMax * 2) return null
  const email = value.trim().toLowerCase()
  if (email.length > emailLengthMax || !shape.test(email)) return null
  const [local = '', domain = ''] = email.split('@')
  const hasStrayDot = local.startsWith('.') || local.endsWith('.') || local.includes('..')
  const hasStrayHyphen = domain.split('.').some((label) => label.startsWith('-') || label.endsWith('-'))
  return hasStrayDot || hasStrayHyphen ? null : email
}
