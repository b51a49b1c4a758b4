/**
 * Actions of an administrator on this server. Creating a user takes two database transactions, because the password is
 * hashed between them. The first transaction checks the request; the second transaction repeats the check and writes the
 * user.
 */
import { randomUUID } from 'node:crypto'
import { type SqlStatement, sql } from '#database/database.ts'
import { readEmail } from '#people/email.ts'
import { type Passwords, WeakPassword } from '#people/password/passwords.ts'
import { newOneTimeToken } from '#people/one-time-tokens.ts'
import { storeWaitingLink } from '#people/staff-access.ts'
import { createUserStatements } from '#people/users.ts'
import { mailWaitingLink } from '#mail/notice-mail.ts'
import { mailsPerRecipient } from '#throttle/limits.ts'
import { malformedEmail, weakPassword } from '#functions/handlers/errors.ts'
import type { FunctionRuntime, IdempotencyKey, OrderAnswer } from '#functions/handlers/runtime.ts'
import { becomeAuthenticationService, changeAddress, renewLink } from './local-access.ts'
import type { LocalCall } from './local-call.ts'

type Orders = Pick<
  FunctionRuntime,
  'recordTransaction' | 'createUser' | 'resendLink' | 'changeEmail' | 'deleteUser'
>
type CreateUser = Parameters<Orders['createUser']>

export function localOrders(call: LocalCall): Orders {
  const { services, read, write, post } = call
  const { keys } = services
  return {
    async recordTransaction({ user_id, type, amount, description, date, category }, key) {
      const [, rows] = await write([
        sql`
          select private.register_transaction(
            ${user_id}, ${type}, ${amount}, ${description}, ${date}, ${category},
            ${randomUUID()}, ${key?.key ?? null}, ${key?.bodyHash ?? null}
          ) as answer`,
      ])
      return rows?.[0]?.['answer'] as OrderAnswer
    },
    createUser: (user, key) => createUser(call, user, key),
    async resendLink(userId, key) {
      const limitMails = (subject: string) => limitMailsTo(call, [subject], key)
      const link = await renewLink({ limitMails, key, read, write }, userId)
      if (link !== null) await post(() => mailWaitingLink(services, link))
    },
    async changeEmail(change, key) {
      const limitMails = (recipients: readonly string[]) =>
        limitMailsTo(
          call,
          recipients.map((recipient) => `email change ${recipient}`),
          key,
        )
      await changeAddress({ keys, limitMails, key, read, write }, change)
      services.mailer.deliverSoon()
    },
    async deleteUser(userId, key) {
      const [, rows] = await write([
        sql`select private.delete_user(${userId}, ${key?.key ?? null}, ${key?.bodyHash ?? null}) as answer`,
      ])
      services.mailer.deliverSoon()
      return rows?.[0]?.['answer'] as OrderAnswer
    },
  }
}

async function createUser(
  { services, read, write, post }: LocalCall,
  { email, password, role, user_metadata: { full_name: fullName } }: CreateUser[0],
  key: CreateUser[1],
): Promise<OrderAnswer> {
  const address = readEmail(email)
  if (address === null) throw malformedEmail()
  const [id, orderId] = [randomUUID(), randomUUID()]
  // Runs before the expensive hashing. Answers repeated calls. Refuses callers who are not allowed to create the user or
  // must first enter the password again.
  const [checked] = await read([orderUser({ id, role, orderId, onlyChecks: true }, key)])
  const earlier = checked?.[0]?.['answer'] as OrderAnswer | null
  if (earlier !== null) return earlier
  const passwordHash = await hashed(services.passwords, password, address)
  const token = newOneTimeToken()
  const rows = await write([
    orderUser({ id, role, orderId, onlyChecks: false }, key),
    becomeAuthenticationService,
    ...createUserStatements({ id, email: address, passwordHash, fullName, role, orderId }),
    storeWaitingLink(id, token),
  ])
  // If a concurrent call with the same key created the user, this call created none.
  if (rows.at(-1)?.length === 1)
    await post(() => mailWaitingLink(services, { to: address, type: 'invite', token }))
  services.mailer.deliverSoon()
  return rows[1]?.[0]?.['answer'] as OrderAnswer
}

function hashed(passwords: Passwords, password: string, email: string): Promise<string> {
  return passwords.hash(password, { email }).catch((error: unknown) => {
    if (error instanceof WeakPassword)
      throw weakPassword(error.weakness === 'common' ? 'common' : error, error)
    throw error
  })
}

/**
 * Consumes the limit for one mail to each subject, and returns the function that refunds it. Returns `null` if the call
 * repeats an earlier call. Uses the same limits as `POST /resend`, so that requests from administrators cannot cause more
 * mails to an address than these limits allow.
 */
async function limitMailsTo(
  { services: { throttle }, read }: LocalCall,
  subjects: readonly string[],
  key: IdempotencyKey | null,
): Promise<(() => Promise<void>) | null> {
  // Runs before the limit is consumed, so that only callers who are allowed to order the mail consume it.
  const [earlier] = await read([
    sql`select private.is_repeated('manage-users', ${key?.key ?? null}, ${key?.bodyHash ?? null}) as is_repeated`,
  ])
  if (earlier?.[0]?.['is_repeated'] === true) return null
  const uses = subjects.flatMap((subject) => mailsPerRecipient.map((limit) => ({ limit, subject })))
  await throttle.consume(uses)
  return () => throttle.refund(uses)
}

/** Returns the first step of creating a user. Its answer is `null` if the step only checks a call that is new. */
function orderUser(
  order: { id: string; role: string; orderId: string; onlyChecks: boolean },
  key: IdempotencyKey | null,
): SqlStatement {
  return sql`
    select private.order_user(
      ${order.id}, ${order.role}, ${key?.key ?? null}, ${key?.bodyHash ?? null}, ${order.orderId}, ${order.onlyChecks}
    ) as answer`
}
