/**
 * The functions' effects on this server's own database, with the caller's rights. Creating a user takes
 * two steps, because a password is hashed outside of the database: may they, then do it; the second
 * step asks again, so nothing rests on the first.
 */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { readEmail } from '#identity/email.ts'
import { type Passwords, WeakPassword } from '#identity/passwords.ts'
import { createUserStatements } from '#identity/users.ts'
import type { Caller } from '#tokens/caller.ts'
import type { TransactionRegister } from './manage-transactions.ts'
import type { UserRegister } from './manage-users.ts'
import { Refusal } from './refusals.ts'

const requireAdmin = sql`select private.require_admin()`
// From here on the statements are the authentication service's own; the claims stay the caller's.
const becomeAuthenticationService = sql`select set_config('role', 'supabase_auth_admin', true)`

/** Registers transactions in the caller's name. */
export function transactionRegister(database: Database, caller: Caller): TransactionRegister {
  return {
    async registerTransaction({ user_id, type, amount, description, date, category }) {
      const [rows] = await database.transaction(asCaller(caller, 'write'), [
        sql<{
          id: string
        }>`select public.register_transaction(${user_id}, ${type}, ${amount}, ${description}, ${date}, ${category}) as id`,
      ])
      return rows[0]?.id ?? ''
    },
  }
}

/** Creates and deletes users in the caller's name. */
export function userRegister(database: Database, passwords: Passwords, caller: Caller): UserRegister {
  return {
    async createUser({ email, password, role, user_metadata: { full_name: fullName } }) {
      const address = readEmail(email)
      if (address === null) throw new Refusal(400, 'El email no es válido.')
      await database.transaction(asCaller(caller, 'read'), [requireAdmin])
      const passwordHash = await passwords.hash(password).catch((error: unknown) => {
        if (error instanceof WeakPassword)
          throw new Refusal(422, weakPasswordSentence(error), { cause: error })
        throw error
      })
      const id = randomUUID()
      await database.transaction(asCaller(caller, 'write'), [
        requireAdmin,
        becomeAuthenticationService,
        ...createUserStatements({ id, email: address, passwordHash, fullName, role }),
      ])
      return id
    },
    async deleteUser(userId) {
      await database.transaction(asCaller(caller, 'write'), [sql`select public.delete_user(${userId})`])
    },
  }
}

function weakPasswordSentence({ lengthMin, lengthMax }: WeakPassword): string {
  return `La contraseña debe tener entre ${lengthMin} y ${lengthMax} caracteres.`
}
