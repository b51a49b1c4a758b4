/** What the functions need of the process that runs them: this server, or the edge runtime of a hosted project. */
import type {
  ChangeAccess,
  CorrectTransaction,
  CreateTransaction,
  CreateUser,
} from '@finanzas/contract/functions.ts'
import type { DatabaseError, FunctionError } from './errors.ts'

/** `Idempotency-Key` of a call, and the keyed hash of its body. */
export type IdempotencyKey = {
  readonly key: string
  /** 64 hexadecimal digits. */
  readonly bodyHash: string
}

/**
 * The runtime of one call. Everything it does is done in the caller's name and with the caller's rights; with a key, an
 * effect takes place once. Methods throw `FunctionError`, or an error that `databaseErrorOf` or `errorOf` understands.
 */
export type FunctionRuntime = {
  /** Throws unless the caller is signed in and within the rate limit. */
  admit(): Promise<void>
  /** Keyed hash of a body: 64 hexadecimal digits. */
  fingerprint(body: Uint8Array<ArrayBuffer>): string | Promise<string>
  /** Answers the new transaction's id. */
  recordTransaction(
    transaction: CreateTransaction['transactionData'],
    key: IdempotencyKey | null,
  ): Promise<string>
  /** Answers the correcting transaction's id. */
  correctTransaction(
    correction: CorrectTransaction['correction'],
    key: IdempotencyKey | null,
  ): Promise<string>
  /** Answers the new user's id. */
  createUser(user: CreateUser, key: IdempotencyKey | null): Promise<string>
  /** Tells the person by mail, where the runtime has one. */
  changeAccess(order: ChangeAccess, key: IdempotencyKey | null): Promise<void>
  deleteUser(userId: string, key: IdempotencyKey | null): Promise<void>
  isOwnPassword(password: string): Promise<boolean>
  eraseOwnAccount(): Promise<void>
  /** The database's fields, when the error is its own. */
  databaseErrorOf(error: unknown): DatabaseError | null
  /** The answer to an outage, an ended session or a rate limit; `null` for a bug. */
  errorOf(error: unknown): FunctionError | null
  /** Logs `action denied`. */
  logDenied(denied: Denied): void
}

/** What an admitted caller tried and may not do. */
export type Denied = {
  readonly action: string
  readonly target: string | null
  /** SQLSTATE of the database's error; `null` where the function refused. */
  readonly code: string | null
}
