/** This server as the place where a function runs: its own database, passwords and throttle, in the caller's name. */
import {
  type Database,
  DatabaseUnavailable,
  SqlError,
  isTransient,
  isSessionEnded,
  lacksSecondFactor,
} from '#database/database.ts'
import { auditedAs, recordRefusal } from '#database/refusals.ts'
import { asCaller } from '#database/scope.ts'
import { TooManyHashes } from '#overload/hash-pool.ts'
import type { Passwords } from '#identity/password/passwords.ts'
import { functionCallsOfUser } from '#throttle/limits.ts'
import { type Throttle, TooManyRequests } from '#throttle/throttle.ts'
import type { Caller } from '#tokens/caller.ts'
import type { FingerprintKey } from '#tokens/fingerprint-key.ts'
import type { Place } from './handlers/call.ts'
import { notSignedIn, sessionEnded, tooManyRequests, unavailable } from './handlers/refusals.ts'
import { ownAccount } from './own-account.ts'
import { transactionRegister, userRegister } from './registers.ts'

export type PlaceServices = {
  readonly database: Database
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly fingerprintKey: FingerprintKey
}

/** The place of one call: in whose name, and with the X-Request-Id of its answer. */
export function placeOf(
  services: PlaceServices,
  call: {
    readonly caller: Caller
    readonly requestId: string
    readonly log: { error(fields: object, message: string): void }
  },
): Place {
  const { database, passwords, throttle, fingerprintKey } = services
  const { caller, requestId, log } = call
  return {
    async admit() {
      if (caller.role !== 'authenticated') throw notSignedIn()
      const { session } = asCaller(caller, 'write')
      await throttle.take([{ limit: functionCallsOfUser, subject: caller.claims.sub }], { session })
    },
    fingerprint: (body) => fingerprintKey.fingerprint(body),
    bank: (idempotencyKey) => ({
      ...transactionRegister(database, { caller, requestId, idempotencyKey }),
      ...userRegister(database, passwords, { caller, requestId, idempotencyKey }),
      ...ownAccount(services, { caller, requestId }),
    }),
    databaseRefusalOf: (error) => (error instanceof SqlError ? error : null),
    refusalOf(error) {
      const isOutage = error instanceof DatabaseUnavailable || isTransient(error)
      if (isOutage || error instanceof TooManyHashes) return unavailable(error)
      if (error instanceof TooManyRequests) return tooManyRequests(error.retryAfterSeconds, error)
      return isSessionEnded(error) ? sessionEnded(error) : null
    },
    async record(refused) {
      try {
        // A database transaction of its own: the one of the attempt was rolled back.
        await database.transaction(asCaller(caller, 'write'), [auditedAs(requestId), recordRefusal(refused)])
      } catch (error) {
        // The session has ended meanwhile, or has to show a second factor: it acts in nobody's name any more.
        if (isSessionEnded(error) || lacksSecondFactor(error)) return
        log.error({ err: error }, 'a refusal was not recorded')
      }
    },
  }
}
