/**
 * Acts of staff on a person's access, on this server: the effect and its audit in one database transaction, then the
 * mail.
 */
import type { ChangeAccess } from '@finanzas/contract/functions.ts'
import { type SqlStatement, sql } from '#database/database.ts'
import { readEmail } from '#identity/email.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import {
  type WaitingLink,
  addressMac,
  beginAddressChange,
  forgetFactorsEnd,
  storeWaitingLink,
} from '#identity/staff-access.ts'
import { type AccessPost, mailWaitingLink } from '#mail/access-mail.ts'
import type { Keys } from '#tokens/keys.ts'
import { emailTaken, malformedEmail, noEmailChange } from '#functions/handlers/errors.ts'
import type { IdempotencyKey } from '#functions/handlers/runtime.ts'

type Rows = readonly (readonly object[])[]

/** One call, with the caller's rights. */
export type AccessCall = AccessPost & {
  readonly keys: Keys
  /** Counts a mail to each of these, and returns the refund; throws `TooManyRequests`. */
  readonly limitMails: (recipients: readonly string[]) => Promise<() => Promise<void>>
  readonly key: IdempotencyKey | null
  readonly read: (statements: readonly SqlStatement[]) => Promise<Rows>
  readonly write: (statements: readonly SqlStatement[]) => Promise<Rows>
}

// From here on the statements are the authentication service's own; the claims stay the caller's.
export const becomeAuthenticationService = sql`select set_config('role', 'supabase_auth_admin', true)`

/** Returns the mails that are to be sent once it has taken effect. */
export async function changeAccess(call: AccessCall, order: ChangeAccess): Promise<() => Promise<void>> {
  const { userId } = order
  const [key, hash] = [call.key?.key ?? null, call.key?.bodyHash ?? null]
  switch (order.action) {
    case 'block':
      return act(call, [
        sql`select public.block_user(${userId}, ${order.reason}, ${order.hours}::integer, ${key}, ${hash})`,
      ])
    case 'unblock':
      return act(call, [sql`select public.unblock_user(${userId}, ${key}, ${hash})`])
    case 'end_sessions':
      return act(call, [sql`select public.end_sessions(${userId}, ${key}, ${hash})`])
    case 'reset_factor':
      return act(call, [
        sql`select public.reset_factor(${userId}, ${key}, ${hash})`,
        becomeAuthenticationService,
        forgetFactorsEnd(userId),
      ])
    case 'cancel_email_change':
      return cancelAddressChange(
        call,
        sql<Cancelled>`select public.cancel_email_change(${userId}, ${key}, ${hash}) as was_waiting`,
      )
    case 'resend': {
      const token = newOneTimeToken()
      const rows = await call.write([
        sql`select public.begin_link_mail(${userId}, ${key}, ${hash})`,
        becomeAuthenticationService,
        storeWaitingLink(userId, token),
      ])
      const { email: to, type } = lastRow(rows) as WaitingLink
      return () => mailWaitingLink(call, { to, type, token })
    }
    case 'change_email':
    default:
      return changeAddress(call, order)
  }
}

/** The database tells the person itself (`private.tell_person`). */
async function act(call: AccessCall, statements: readonly SqlStatement[]): Promise<() => Promise<void>> {
  await call.write(statements)
  return async () => call.mailer.deliverSoon()
}

async function changeAddress(
  call: AccessCall,
  { userId, email }: ChangeAccess & { action: 'change_email' },
): Promise<() => Promise<void>> {
  const newEmail = readEmail(email)
  if (newEmail === null) throw malformedEmail()
  const [taken] = await call.read([sql`select from public.user_safe s where s.email = ${newEmail}`])
  if (taken !== undefined && taken.length > 0) throw emailTaken(null)
  const refund = await call.limitMails([userId, newEmail])
  const { key, keys } = call
  const begun = act(call, [
    sql`
      select public.begin_email_change(
        ${userId}, ${key?.key ?? null}, ${key?.bodyHash ?? null}, ${addressMac(keys, newEmail)})`,
    becomeAuthenticationService,
    beginAddressChange(keys, userId, newEmail),
  ])
  return begun.catch(async (error: unknown) => {
    // A proof may be missing: with it the same call comes again at once.
    await refund()
    throw error
  })
}

type Cancelled = { readonly was_waiting: boolean }

async function cancelAddressChange(
  call: AccessCall,
  statement: SqlStatement<Cancelled>,
): Promise<() => Promise<void>> {
  const cancelled = lastRow(await call.write([statement])) as Cancelled
  if (!cancelled.was_waiting) throw noEmailChange()
  return async () => call.mailer.deliverSoon()
}

/** Throws where the last statement found no row: the statement before it would have. */
function lastRow(rows: Rows): object {
  const row = rows.at(-1)?.[0]
  if (row === undefined) throw new Error('The person is gone.')
  return row
}
