/**
 * The functions' runtime on this server, with its own database, passwords and rate limits. Creating a user takes two
 * database transactions, because the password is hashed between them. The first transaction checks the request; the
 * second transaction repeats the check and writes the user.
 */
import { randomUUID } from 'node:crypto'
import { statementsAtOnceMax, statementsPerNetworkMax } from '@finanzas/contract/limits.ts'
import { type BankParticulars, type HolderRow, holderOf } from '@finanzas/contract/papers/particulars.ts'
import type { ReceiptAnswer } from '@finanzas/contract/papers/receipt.ts'
import type { StatementAnswer } from '@finanzas/contract/papers/statement.ts'
import {
  type Database,
  SqlError,
  type SqlStatement,
  isOutage,
  isSessionEnded,
  sql,
} from '#database/database.ts'
import { asCaller, auditedAs } from '#database/scope.ts'
import { openStatementKey } from '#database/statement-keys.ts'
import type { Denial } from '#http/log.ts'
import { readEmail } from '#identity/email.ts'
import { isPresentPassword } from '#identity/password/password-proof.ts'
import { type Passwords, WeakPassword } from '#identity/password/passwords.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import { storeWaitingLink } from '#identity/staff-access.ts'
import { createUserStatements } from '#identity/users.ts'
import { type NoticeMailer, mailWaitingLink } from '#mail/notice-mail.ts'
import { PoolFull } from '#overload/fair-pool.ts'
import { mailsPerRecipient } from '#throttle/limits.ts'
import { type Throttle, TooManyRequests } from '#throttle/throttle.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Keys } from '#tokens/keys.ts'
import {
  malformedEmail,
  notSignedIn,
  sessionEnded,
  tooManyRequests,
  unavailable,
  weakPassword,
} from '#functions/handlers/errors.ts'
import type { FunctionRuntime, IdempotencyKey, OrderAnswer } from '#functions/handlers/runtime.ts'
import { becomeAuthenticationService, changeAddress, renewLink } from './local-access.ts'

export type RuntimeServices = {
  readonly database: Database
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly keys: Keys
  readonly config: { readonly displayCurrency: 'USD' | 'COP'; readonly bankParticulars: BankParticulars }
  /** Users whose statements are currently being generated: a map from the user's id to the network. */
  readonly statementsAtWork: Map<string, string>
} & NoticeMailer

/** Context of one call: the caller, the caller's network, and the X-Request-Id of the answer. */
export type CallContext = {
  readonly caller: Caller
  readonly network: string
  readonly requestId: string
  readonly logDenied: (denial: Denial) => void
  /** Logs a mail that could not be sent. The action that requested the mail has already taken effect. */
  readonly logUnsent: (error: unknown) => void
}

export function localRuntime(
  services: RuntimeServices,
  { caller, network, requestId, logDenied, logUnsent }: CallContext,
): FunctionRuntime {
  const { database, passwords, throttle, keys } = services

  const signedIn = () => {
    if (caller.role !== 'authenticated') throw notSignedIn()
    return caller.claims
  }
  const read = (statements: readonly SqlStatement[]) =>
    database.transaction(asCaller(caller, 'read'), statements)
  const write = (statements: readonly SqlStatement[]) =>
    database.transaction(asCaller(caller, 'write'), [auditedAs(requestId), ...statements])

  const post = (send: () => Promise<void>) => send().catch(logUnsent)

  return {
    async admit() {
      const { sub } = signedIn()
      const { session } = asCaller(caller, 'write')
      await throttle.consume([{ limit: 'function call', subject: sub }], { session })
    },
    fingerprint: (body) => keys.fingerprints.mac(body),

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

    async createUser({ email, password, role, user_metadata: { full_name: fullName } }, key) {
      const address = readEmail(email)
      if (address === null) throw malformedEmail()
      const [id, orderId] = [randomUUID(), randomUUID()]
      // Runs before the expensive hashing. Answers repeated calls. Refuses callers who are not allowed to create the
      // user or must first enter the password again.
      const [checked] = await read([orderUser({ id, role, orderId, onlyChecks: true }, key)])
      const earlier = checked?.[0]?.['answer'] as OrderAnswer | null
      if (earlier !== null) return earlier
      const passwordHash = await passwords.hash(password, { email: address }).catch((error: unknown) => {
        if (error instanceof WeakPassword)
          throw weakPassword(error.weakness === 'common' ? 'common' : error, error)
        throw error
      })
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
    },

    async resendLink(userId, key) {
      // Each administrator has a separate limit, which calls from other administrators do not consume.
      const subject = `${signedIn().sub} to ${userId}`
      await throttle.consume(mailsPerRecipient.map((limit) => ({ limit, subject })))
      const link = await renewLink({ key, read, write }, userId)
      if (link !== null) await post(() => mailWaitingLink(services, link))
    },
    async changeEmail(change, key) {
      // Uses the same limits as `POST /resend`, so that requests from administrators cannot cause more mails to an
      // address than these limits allow.
      const limitMails = async (recipients: readonly string[]) => {
        // Runs before the limit is consumed, so that only callers who are allowed to change the address consume it.
        const [earlier] = await read([
          sql`select private.is_repeated('manage-users', ${key?.key ?? null}, ${key?.bodyHash ?? null}) as is_repeated`,
        ])
        if (earlier?.[0]?.['is_repeated'] === true) return null
        const uses = recipients.flatMap((recipient) =>
          mailsPerRecipient.map((limit) => ({ limit, subject: `email change ${recipient}` })),
        )
        await throttle.consume(uses)
        return () => throttle.refund(uses)
      }
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

    async isOwnPassword(password) {
      const claims = signedIn()
      await throttle.consume([{ limit: 'password asked once more', subject: claims.session_id }])
      return isPresentPassword(database, passwords, { claims, password })
    },
    async eraseOwnAccount() {
      await write([sql`select private.delete_own_account()`])
    },

    bank: {
      bankName: services.config.brandName,
      currency: services.config.displayCurrency,
      particulars: services.config.bankParticulars,
    },
    async inTurn(work) {
      const { sub } = signedIn()
      const { session } = asCaller(caller, 'read')
      const { statementsAtWork: atWork } = services
      const ofNetwork = [...atWork.values()].filter((each) => each === network).length
      // A refused call does not consume the rate limit.
      if (atWork.has(sub) || atWork.size >= statementsAtOnceMax || ofNetwork >= statementsPerNetworkMax)
        throw unavailable(null)
      atWork.set(sub, network)
      try {
        await throttle.consume([{ limit: 'statement', subject: sub }], { session })
        return await work()
      } finally {
        atWork.delete(sub)
      }
    },
    async readHolder() {
      const rows = await read([
        sql`
          select h.full_name, h.account_number, h.document_kind, h.document_number
          from public.account_holders h where h.user_id = ${signedIn().sub}`,
        becomeAuthenticationService,
        sql`
          select coalesce(btrim(u.raw_user_meta_data ->> 'full_name'), '') as "fullName", coalesce(u.email, '') as email
          from auth.users u where u.id = ${signedIn().sub}`,
      ])
      return holderOf(rows[0]?.[0] as HolderRow, rows[2]?.[0] as { fullName: string; email: string })
    },
    async readStatement(month, { afterRow, untilSeq }) {
      const [rows] = await read([
        sql`select public.statement(${`${month}-01`}::date, ${untilSeq}, ${afterRow})::jsonb as answer`,
      ])
      return rows?.[0]?.['answer'] as StatementAnswer
    },
    async readReceipt({ transaction_id, user_id }) {
      // Uses a write transaction, because a receipt that an administrator requests adds an entry to the audit log.
      const [, rows] = await write([
        sql`select to_jsonb(public.receipt(${transaction_id}, ${user_id})) as answer`,
      ])
      return rows?.[0]?.['answer'] as ReceiptAnswer
    },
    openStatementKey: () => openStatementKey(database, keys.statements),

    databaseErrorOf: (error) => (error instanceof SqlError ? error : null),
    errorOf(error) {
      if (isOutage(error) || error instanceof PoolFull) return unavailable(error)
      if (error instanceof TooManyRequests) return tooManyRequests(error.retryAfterSeconds, error)
      return isSessionEnded(error) ? sessionEnded(error) : null
    },
    logDenied: (denied) => logDenied({ actor: signedIn().sub, ...denied }),
  }
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
