/**
 * Acts of staff on a person's access, on a hosted project: in SQL as on our own server, except mails and changes that
 * the authentication service makes in its own database transactions. It sends no mail about the rest.
 */
import type { ChangeAccess } from '@finanzas/contract/functions.ts'
import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { replayedAnswer } from '#server/functions/handlers/call.ts'
import {
  emailTaken,
  malformedEmail,
  noEmailChange,
  tooManyRequests,
  unavailable,
} from '#server/functions/handlers/errors.ts'
import type { IdempotencyKey } from '#server/functions/handlers/runtime.ts'
import { ApiError, type Clients, callSql, keyArguments } from './clients.ts'

/** The authentication service does not say when it will send the next mail. */
const mailRetrySeconds = 60

/** Throws `FunctionError` and `ApiError`. */
export async function changeAccess(
  clients: Clients,
  order: ChangeAccess,
  key: IdempotencyKey | null,
): Promise<void> {
  const { user } = clients
  const person = { user_id: order.userId, ...keyArguments(key) }
  switch (order.action) {
    case 'block':
      await callSql(user.rpc('block_user', { ...person, reason: order.reason, hours: order.hours }))
      return
    case 'unblock':
      await callSql(user.rpc('unblock_user', person))
      return
    case 'end_sessions':
    case 'reset_factor':
      await callSql(user.rpc(order.action, person))
      return
    case 'cancel_email_change':
      if (!(await callSql(user.rpc('cancel_email_change', person)))) throw noEmailChange()
      return
    case 'resend':
      await begin(user.rpc('begin_link_mail', person))
      await resend(clients, order.userId)
      return
    case 'change_email':
    default:
      await begin(user.rpc('begin_email_change', person))
      await changeEmail(clients, order)
  }
}

/** A repeated call goes on: the step behind it may not have been reached, and does the same again. */
async function begin(call: PromiseLike<PostgrestSingleResponse<unknown>>): Promise<void> {
  try {
    await callSql(call)
  } catch (error) {
    if (!(error instanceof ApiError) || replayedAnswer(error) === null) throw error
  }
}

/** The service invites no existing account: a confirmed one gets the link to another password. */
async function resend({ service, anon }: Clients, userId: string): Promise<void> {
  const { data, error: unread } = await service.auth.admin.getUserById(userId)
  if (unread !== null) throw unavailable(unread)
  const { email = '', email_confirmed_at: confirmedAt } = data.user
  const { error } = confirmedAt
    ? await anon.auth.resetPasswordForEmail(email)
    : await anon.auth.resend({ type: 'signup', email })
  if (error?.status === 429) throw tooManyRequests(mailRetrySeconds, error)
  if (error !== null) throw unavailable(error)
}

/** Counts at once: the service knows no change to which the bank agrees in the place of the present address. */
async function changeEmail(
  { service, caller }: Clients,
  { userId, email }: ChangeAccess & { action: 'change_email' },
): Promise<void> {
  const { error } = await service.auth.admin.updateUserById(userId, { email, email_confirm: true })
  if (error?.code === 'email_exists') throw emailTaken(error)
  if (error?.code === 'validation_failed' || error?.code === 'email_address_invalid')
    throw malformedEmail(error)
  if (error !== null) throw unavailable(error)
  const entry = { action: 'set_email', actor: caller.id, target: userId, before: null, after: null }
  await callSql(service.rpc('record_audit', entry))
}
