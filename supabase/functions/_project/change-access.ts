/**
 * Changes a person's access on a hosted project, for the staff actions that send a mail. An SQL function authorizes
 * each change. The authentication service then makes the change in a separate database transaction. A repeated call
 * makes the change again, because the earlier call may have stopped before the authentication service made the change.
 */
import type { ChangeEmail } from '@finanzas/contract/wire/functions.ts'
import { tooManyRequests, unavailable } from '#server/functions/handlers/errors.ts'
import type { IdempotencyKey } from '#server/functions/handlers/runtime.ts'
import { type Clients, actorArguments, addressErrorOf, callSql } from './clients.ts'

/** Time to wait after the authentication service refuses to send a mail. The service does not say how long to wait. */
const mailRetrySeconds = 60

/**
 * Mails a link again. The service cannot invite an existing account, so a confirmed account gets a link to reset its
 * password. Throws `FunctionError` and `ApiError`.
 */
export async function resendLink(
  clients: Clients,
  userId: string,
  key: IdempotencyKey | null,
): Promise<void> {
  const { service, anon } = clients
  await callSql(service.rpc('begin_link_mail', { user_id: userId, ...actorArguments(clients, key) }))
  const { data, error: unread } = await service.auth.admin.getUserById(userId)
  if (unread !== null) throw unavailable(unread)
  const { email = '', email_confirmed_at: confirmedAt } = data.user
  const { error } = confirmedAt
    ? await anon.auth.resetPasswordForEmail(email)
    : await anon.auth.resend({ type: 'signup', email })
  if (error?.status === 429) throw tooManyRequests(mailRetrySeconds, error)
  if (error !== null) throw unavailable(error)
}

/**
 * Changes an e-mail address at once, because the service cannot start a change that waits for the person's
 * confirmation. Throws `FunctionError` and `ApiError`.
 */
export async function changeEmail(
  clients: Clients,
  { userId, email }: ChangeEmail,
  key: IdempotencyKey | null,
): Promise<void> {
  const { service, caller } = clients
  await callSql(service.rpc('begin_email_change', { user_id: userId, ...actorArguments(clients, key) }))
  const { error } = await service.auth.admin.updateUserById(userId, { email, email_confirm: true })
  if (error !== null) throw addressErrorOf(error) ?? unavailable(error)
  const entry = { action: 'set_email', actor: caller.id, target: userId, before: null, after: null }
  await callSql(service.rpc('record_audit', entry))
}
