/**
 * Services that the functions need from the process that runs them, which is either this server or the edge runtime of
 * a hosted project.
 */
import type {
  ChangeEmail,
  CreateTransaction,
  CreateUser,
  IssueCertificate,
  IssueMonth,
  IssueReceipt,
} from '@finanzas/contract/wire/functions.ts'
import type { CertificateAnswer } from '@finanzas/contract/papers/certificate.ts'
import type { BankParticulars, Particulars } from '@finanzas/contract/papers/particulars.ts'
import type { ReceiptAnswer } from '@finanzas/contract/papers/receipt.ts'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import type { HolderName, Issued, PagePlace, StatementAnswer } from '@finanzas/contract/papers/statement.ts'
import type { DatabaseError, FunctionError } from './errors.ts'

/** The `Idempotency-Key` header of a call, and a keyed hash of the call's body. */
export type IdempotencyKey = {
  readonly key: string
  /** 64 hexadecimal digits. */
  readonly bodyHash: string
}

/**
 * The answer to an order, an action that may need another administrator's approval: the id of the transaction or user,
 * and a status only if the order has to wait for the approval. `private.answer_of` writes it.
 */
export type OrderAnswer = { readonly id: string; readonly status?: 'waiting' }

/**
 * The runtime of one call. Methods act with the caller's rights. With an idempotency key, a repeated call takes effect
 * only once. Methods throw `FunctionError`, or an error that `databaseErrorOf` or `errorOf` understands.
 */
export type FunctionRuntime = {
  /** Throws if the caller is not signed in or has used up the rate limit. */
  admit(): Promise<void>
  /** Computes a keyed hash of a body: 64 hexadecimal digits. */
  fingerprint(body: Uint8Array<ArrayBuffer>): string | Promise<string>
  recordTransaction(
    transaction: CreateTransaction['transactionData'],
    key: IdempotencyKey | null,
  ): Promise<OrderAnswer>
  /** Creates a user. A new administrator who needs an approval remains a customer until the approval. */
  createUser(user: CreateUser, key: IdempotencyKey | null): Promise<OrderAnswer>
  /** Mails another confirmation or invitation, or a link for a new password to a user who has signed in. */
  resendLink(userId: string, key: IdempotencyKey | null): Promise<void>
  changeEmail(change: ChangeEmail, key: IdempotencyKey | null): Promise<void>
  deleteUser(userId: string, key: IdempotencyKey | null): Promise<OrderAnswer>
  isOwnPassword(password: string): Promise<boolean>
  eraseOwnAccount(): Promise<void>
  /** The bank's name, particulars and currency, which appear on statements. */
  readonly bank: Pick<Issued, 'bankName' | 'currency'> & { readonly particulars: BankParticulars }
  /** Runs the work that generates a statement. Throws when too many statements are already being generated. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Returns the caller's name, e-mail address and particulars, which appear on a statement. */
  readHolder(): Promise<
    HolderName & { readonly particulars: Pick<Particulars, 'document' | 'accountNumber'> }
  >
  /**
   * Records that an administrator makes a statement for a customer, and returns what the statement says about the
   * customer.
   */
  recordStatement(
    asked: IssueMonth & { readonly user_id: string },
  ): Promise<Awaited<ReturnType<FunctionRuntime['readHolder']>>>
  /** Returns a page of rows of `public.statement` or, for a customer, of `public.read_customer_statement`. */
  readStatement(asked: Pick<IssueMonth, 'month' | 'user_id'>, place: PagePlace): Promise<StatementAnswer>
  /** Returns the answer of `public.receipt`. */
  readReceipt(asked: IssueReceipt): Promise<ReceiptAnswer>
  /** Returns the answer of `public.balance_certificate`. */
  readCertificate(asked: IssueCertificate): Promise<CertificateAnswer>
  /** Returns the key with which the bank signs statements, or `null` if the bank has no key. */
  openStatementKey(): Promise<SigningKey | null>
  /**
   * Writes the PDF of a signed paper, and signs it. `null` on a hosted project, which issues only CSV
   * files (docs/decisions/0106).
   */
  readonly writePdf: ((csv: string, key: SigningKey) => Promise<Uint8Array<ArrayBuffer>>) | null
  /** Returns the fields of an error that the database raised, or `null` for any other error. */
  databaseErrorOf(error: unknown): DatabaseError | null
  /** Returns the answer to an outage, an ended session or a rate limit, or `null` if the error is a bug. */
  errorOf(error: unknown): FunctionError | null
  /** Logs `action denied`. */
  logDenied(denied: Denied): void
}

/** A refused attempt by an admitted caller. */
export type Denied = {
  readonly action: string
  readonly target: string | null
  /** SQLSTATE with which the database refused the attempt; `null` if the function itself refused the attempt. */
  readonly code: string | null
}
