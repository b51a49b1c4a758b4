/** What staff do with the access of a person, on this server: the effect and its audit in one database transaction, then the mail. */
import type { ChangeAccess } from '@finanzas/contract/functions.ts'
import { type SqlStatement, sql } from '#database/database.ts'
import { readEmail } from '#identity/email.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import {
  type WaitingLink,
  forgetFactorsEnd,
  requestAddressFor,
  storeWaitingLink,
} from '#identity/staff-access.ts'
import { type AccessPost, mailAddressChange, mailWaitingLink } from '#mail/access-mail.ts'
import { emailTaken, malformedEmail } from './handlers/errors.ts'
import type { IdempotencyKey } from './handlers/runtime.ts'

type Rows = readonly (readonly object[])[]

/** One call, with the caller's rights. */
export type AccessCall = AccessPost & {
  readonly key: IdempotencyKey | null
  readonly read: (statements: readonly SqlStatement[]) => Promise<Rows>
  readonly write: (statements: readonly SqlStatement[]) => Promise<Rows>
}

// From here on the statements are the authentication service's own; the claims stay the caller's.
export const becomeAuthenticationService = sql`select set_config('role', 'supabase_auth_admin', true)`

/** Answers the mails that are to be sent once it has taken effect. */
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
  const token = newOneTimeToken()
  await call.write([
    sql`select public.begin_email_change(${userId}, ${call.key?.key ?? null}, ${call.key?.bodyHash ?? null})`,
    becomeAuthenticationService,
    ...requestAddressFor(userId, { email: newEmail, token }),
  ])
  return async () => {
    call.mailer.deliverSoon()
    await mailAddressChange(call, { newEmail, token })
  }
}

/** Throws where the last statement found no row: the statement before it would have. */
function lastRow(rows: Rows): object {
  const row = rows.at(-1)?.[0]
  if (row === undefined) throw new Error('The person is gone.')
  return row
}
