/**
 * One call of a function, from its request to its answer, wherever it runs: on this server, or in the edge runtime
 * of a hosted project (docs/decisions/0032). What differs between the two is the `Place`.
 */
import { type Attempt, attemptOf } from './attempt.ts'
import { type OwnAccount, deleteAccount } from './delete-account.ts'
import { type IdempotencyKey, readIdempotencyKey, replayedAnswer } from './idempotency.ts'
import { type TransactionRegister, manageTransactions } from './manage-transactions.ts'
import { type UserRegister, manageUsers } from './manage-users.ts'
import { type DatabaseRefusal, Refusal, refusalOfDatabase, refusalResponse } from './refusals.ts'

/** What the functions do, in the name of one caller. */
export type Bank = TransactionRegister & UserRegister & OwnAccount

/** Where a function runs, as far as one call can tell. */
export type Place = {
  /** Lets the caller in, or throws `Refusal`: every function acts in somebody's name, and not too often. */
  admit(): Promise<void>
  /** What makes two bodies the same without keeping either: 64 hexadecimal digits. */
  fingerprint(body: Uint8Array<ArrayBuffer>): string | Promise<string>
  /** The bank in the admitted caller's name; with a key, an effect happens once. */
  bank(key: IdempotencyKey | null): Bank
  /** What the database said, when an error is its refusal. */
  databaseRefusalOf(error: unknown): DatabaseRefusal | null
  /** What any other error of this place amounts to, or `null` when it is a mistake of ours. */
  refusalOf(error: unknown): Refusal | null
  /** Logs what the admitted caller may not do. */
  logDenied(denied: Attempt & { readonly code: string | null }): void
}

const handlers: Readonly<Record<FunctionName, (request: Request, bank: Bank) => Promise<Response>>> = {
  'delete-account': deleteAccount,
  'manage-transactions': manageTransactions,
  'manage-users': manageUsers,
}

/** The functions as the wire names them. */
export type FunctionName = 'delete-account' | 'manage-transactions' | 'manage-users'

/** Statuses of refusals that say something about the attempt, not about the server, the session or the form of the body. */
const deniedStatuses: ReadonlySet<number> = new Set([403, 404, 409])

/** Whether there is a function of that name. */
export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(handlers, name)
}

/** Answers a call. Throws only what is a mistake of ours. */
export async function answerCall(
  name: FunctionName,
  { headers, body }: { readonly headers: Headers; readonly body: Uint8Array<ArrayBuffer> },
  place: Place,
): Promise<Response> {
  let isAdmitted = false
  try {
    await place.admit()
    isAdmitted = true
    const key = await readIdempotencyKey(headers.get('idempotency-key'), () => place.fingerprint(body))
    const request = new Request(`http://functions.local/${name}`, { method: 'POST', body })
    return await handlers[name](request, place.bank(key))
  } catch (error) {
    const said = place.databaseRefusalOf(error)
    const replayed = said === null ? null : replayedAnswer(said)
    if (replayed !== null) return replayed
    const spoken = said === null ? null : refusalOfDatabase(said, error)
    const refusal = error instanceof Refusal ? error : (spoken ?? place.refusalOf(error))
    if (refusal === null) throw error
    if (isAdmitted && deniedStatuses.has(refusal.status))
      place.logDenied({
        ...attemptOf(name, new TextDecoder().decode(body)),
        code: said?.sqlState ?? null,
      })
    return refusalResponse(refusal)
  }
}
