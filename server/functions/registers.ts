/**
 * The functions' effects on this server's own database, with the caller's rights. Creating a user takes
 * two steps, because a password is hashed outside of the database: may they, then do it; the second
 * step asks again, so nothing rests on the first. A key that came with the call is claimed with its effect.
 */
import { randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asCaller, auditedAs } from '#database/scope.ts'
import { readEmail } from '#identity/email.ts'
import { type Passwords, WeakPassword } from '#identity/password/passwords.ts'
import { createUserStatements } from '#identity/users.ts'
import type { Caller } from '#tokens/caller.ts'
import type { IdempotencyKey } from './handlers/idempotency.ts'
import type { TransactionRegister } from './handlers/manage-transactions.ts'
import type { UserRegister } from './handlers/manage-users.ts'
import { malformedEmail, weakPassword } from './handlers/refusals.ts'

const requireAdmin = sql`select private.require_admin()`
// From here on the statements are the authentication service's own; the claims stay the caller's.
const becomeAuthenticationService = sql`select set_config('role', 'supabase_auth_admin', true)`

/** One call of a function: in whose name, the X-Request-Id of its answer, and what makes it the same call. */
export type Call = {
  readonly caller: Caller
  readonly requestId: string
  readonly idempotencyKey: IdempotencyKey | null
}

/** Registers transactions in the caller's name. */
export function transactionRegister(
  database: Database,
  { caller, requestId, idempotencyKey }: Call,
): TransactionRegister {
  return {
    async registerTransaction({ user_id, type, amount, description, date, category }) {
      const [, rows] = await database.transaction(asCaller(caller, 'write'), [
        auditedAs(requestId),
        sql<{ id: string }>`
          select public.register_transaction(
            ${user_id}, ${type}, ${amount}, ${description}, ${date}, ${category},
            ${randomUUID()}, ${idempotencyKey?.key ?? null}, ${idempotencyKey?.bodyHash ?? null}
          ) as id`,
      ])
      return rows[0]?.id ?? ''
    },
  }
}

/** Creates and deletes users in the caller's name. */
export function userRegister(
  database: Database,
  passwords: Passwords,
  { caller, requestId, idempotencyKey }: Call,
): UserRegister {
  return {
    async createUser({ email, password, role, user_metadata: { full_name: fullName } }) {
      const address = readEmail(email)
      if (address === null) throw malformedEmail()
      // Hashing is the dear part: who asks again is told before it.
      await database.transaction(asCaller(caller, 'read'), [
        requireAdmin,
        ...(idempotencyKey === null ? [] : [replayAnswer(idempotencyKey)]),
      ])
      const passwordHash = await passwords.hash(password, { email: address }).catch((error: unknown) => {
        if (error instanceof WeakPassword)
          throw weakPassword(error.weakness === 'common' ? 'common' : error, error)
        throw error
      })
      const id = randomUUID()
      await database.transaction(asCaller(caller, 'write'), [
        auditedAs(requestId),
        requireAdmin,
        ...(idempotencyKey === null ? [] : [claimAnswer(idempotencyKey, id)]),
        becomeAuthenticationService,
        ...createUserStatements({ id, email: address, passwordHash, fullName, role }),
      ])
      return id
    },
    async deleteUser(userId) {
      await database.transaction(asCaller(caller, 'write'), [
        auditedAs(requestId),
        sql`select public.delete_user(
          ${userId}, ${idempotencyKey?.key ?? null}, ${idempotencyKey?.bodyHash ?? null})`,
      ])
    },
  }
}

function replayAnswer({ key, bodyHash }: IdempotencyKey): SqlStatement {
  return sql`select private.replay_answer('manage-users', ${key}, ${bodyHash})`
}

function claimAnswer({ key, bodyHash }: IdempotencyKey, id: string): SqlStatement {
  return sql`select private.claim_answer('manage-users', ${key}, ${bodyHash}, ${id})`
}
