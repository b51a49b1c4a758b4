/**
 * Administrator actions that change a user's access and mail a link. One database transaction contains both the action
 * and its audit entry. The mail is sent after the commit.
 */
import { randomUUID } from 'node:crypto'
import type { ChangeEmail } from '@finanzas/contract/wire/functions.ts'
import { type SqlStatement, sql } from '#database/database.ts'
import { readEmail } from '#people/email.ts'
import { newOneTimeToken } from '#people/one-time-tokens.ts'
import { type WaitingLink, addressMac, beginAddressChange, storeWaitingLink } from '#people/staff-access.ts'
import type { Keys } from '#tokens/keys.ts'
import { emailTaken, malformedEmail } from '#functions/handlers/errors.ts'
import type { IdempotencyKey } from '#functions/handlers/runtime.ts'

type Rows = readonly (readonly object[])[]

/** One call that runs with the caller's rights. */
export type AccessCall = {
  readonly key: IdempotencyKey | null
  readonly read: (statements: readonly SqlStatement[]) => Promise<Rows>
  readonly write: (statements: readonly SqlStatement[]) => Promise<Rows>
}

// The statements after this one run with the role of the authentication service, but with the caller's claims.
export const becomeAuthenticationService = sql`select set_config('role', 'supabase_auth_admin', true)`

/** Consumes a rate limit. Returns the function that refunds it, and `null` if the call repeats an earlier call. */
type LimitMails<T> = (of: T) => Promise<(() => Promise<void>) | null>

/**
 * Stores a new link and returns the mail to send after the commit; `null` if the call repeats an earlier call.
 * `limitMails` consumes the rate limit for one mail of this purpose to this address.
 */
export async function renewLink(
  { limitMails, key, read, write }: AccessCall & { readonly limitMails: LimitMails<string> },
  userId: string,
): Promise<{ to: string; type: WaitingLink['type']; token: string } | null> {
  const token = newOneTimeToken()
  const orderId = randomUUID()
  // Only an administrator reads another person's row.
  const [person] = await read([
    sql<{ email: string; hasSignedIn: boolean }>`
      select s.email, s.last_sign_in_at is not null as "hasSignedIn" from public.user_safe s where s.id = ${userId}`,
  ])
  const { email, hasSignedIn } = (person?.[0] ?? {}) as { email?: string; hasSignedIn?: boolean }
  // The customer's own requests consume the same limit (`limitMails` of server/auth/rate-limits.ts).
  const refund = await limitMails(`${hasSignedIn === true ? 'recovery' : 'sign-up'} ${email ?? userId}`)
  if (refund === null) return null
  const begun = write([
    sql`select private.begin_link_mail(${userId}, ${key?.key ?? null}, ${key?.bodyHash ?? null}, ${orderId})`,
    becomeAuthenticationService,
    storeWaitingLink(userId, token, { orderId }),
  ])
  const rows = await begun.catch((error: unknown) => refundAfter(error, refund))
  // `private.begin_link_mail` has already refused unknown users.
  const link = rows.at(-1)?.[0] as WaitingLink | undefined
  return link === undefined ? null : { to: link.email, type: link.type, token }
}

/**
 * Refunds the limit of a refused call, because a refusal may only mean that the user must enter the password again. The
 * page then repeats the call.
 */
async function refundAfter(error: unknown, refund: () => Promise<void>): Promise<never> {
  await refund()
  throw error
}

/**
 * Begins an address change; the database queues the mails to both addresses. `limitMails` consumes the rate limit for
 * one mail to each address.
 */
export async function changeAddress(
  call: AccessCall & {
    readonly keys: Keys
    readonly limitMails: LimitMails<readonly string[]>
  },
  { userId, email }: ChangeEmail,
): Promise<void> {
  const newEmail = readEmail(email)
  if (newEmail === null) throw malformedEmail()
  const [taken] = await call.read([sql`select from public.user_safe s where s.email = ${newEmail}`])
  if (taken !== undefined && taken.length > 0) throw emailTaken(null)
  const refund = await call.limitMails([userId, newEmail])
  if (refund === null) return
  const { key, keys } = call
  const orderId = randomUUID()
  const begun = call.write([
    sql`
      select private.begin_email_change(
        ${userId}, ${key?.key ?? null}, ${key?.bodyHash ?? null}, ${addressMac(keys, newEmail)}, ${orderId})`,
    becomeAuthenticationService,
    beginAddressChange(keys, { userId, email: newEmail, orderId }),
  ])
  await begun.catch((error: unknown) => refundAfter(error, refund))
}
