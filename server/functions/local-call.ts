/** One call of a function on this server: the statements that it runs with the caller's rights. */
import type { BankParticulars } from '@finanzas/contract/papers/particulars.ts'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import type { Database, SqlStatement } from '#database/database.ts'
import { asCaller, auditedAs } from '#database/scope.ts'
import type { Denial } from '#http/log.ts'
import type { Passwords } from '#people/password/passwords.ts'
import type { NoticeMailer } from '#mail/notice-mail.ts'
import type { PaperWriter } from '#papers/paper-writer.ts'
import type { Throttle } from '#throttle/throttle.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Keys } from '#tokens/keys.ts'
import { notSignedIn } from '#functions/handlers/errors.ts'

export type RuntimeServices = {
  readonly database: Database
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly keys: Keys
  readonly config: { readonly displayCurrency: 'USD' | 'COP'; readonly bankParticulars: BankParticulars }
  /** Users whose statements are currently being generated: a map from the user's id to the network. */
  readonly statementsAtWork: Map<string, string>
  readonly papers: Pick<PaperWriter, 'write'>
  /** The key of the certificate that the bank brings; `null` if the bank issues the certificate to itself. */
  readonly paperKey: SigningKey | null
} & NoticeMailer

/** Context of one call: the caller, the caller's network, and the X-Request-Id of the answer. */
export type CallContext = {
  readonly caller: Caller
  readonly network: string
  readonly requestId: string
  /** Aborted with `ClientLeft` when the client closes the connection before the answer. */
  readonly left: AbortSignal
  readonly logDenied: (denial: Denial) => void
  /** Logs a mail that could not be sent. The action that requested the mail has already taken effect. */
  readonly logUnsent: (error: unknown) => void
}

/** The services and the context of a call, and the functions with which it reads and writes. */
export type LocalCall = ReturnType<typeof localCall>

export function localCall(services: RuntimeServices, context: CallContext) {
  const { database } = services
  const { caller, requestId, logUnsent } = context
  return {
    services,
    context,
    /** Returns the caller's claims. Throws if the caller is not signed in. */
    signedIn: () => {
      if (caller.role !== 'authenticated') throw notSignedIn()
      return caller.claims
    },
    read: (statements: readonly SqlStatement[]) => database.transaction(asCaller(caller, 'read'), statements),
    write: (statements: readonly SqlStatement[]) =>
      database.transaction(asCaller(caller, 'write'), [auditedAs(requestId), ...statements]),
    /** Sends a mail. A failure is only logged. */
    post: (send: () => Promise<void>) => send().catch(logUnsent),
  }
}
