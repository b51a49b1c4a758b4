/** What the functions do on a hosted project, in the name of one caller. */
import type { Bank } from '#server/functions/handlers/call.ts'
import type { IdempotencyKey } from '#server/functions/handlers/idempotency.ts'
import { tooManyRequests, unavailable } from '#server/functions/handlers/refusals.ts'
import { createUser } from './create-user.ts'
import { type Hands, callSql, keyArguments } from './hands.ts'

/** The authentication service does not say when it will have forgotten. */
const passwordWaitSeconds = 60

/** The bank; with a key, an effect happens once. */
export function bankOf(hands: Hands, key: IdempotencyKey | null): Bank {
  const { caller, own, visitor, service } = hands
  return {
    async registerTransaction(transaction) {
      return String(await callSql(own.rpc('register_transaction', { ...transaction, ...keyArguments(key) })))
    },
    createUser: (user) => createUser(hands, user, key),
    async deleteUser(userId) {
      await callSql(own.rpc('delete_user', { user_id: userId, ...keyArguments(key) }))
    },
    async hasPassword(password) {
      const { error } = await visitor.auth.signInWithPassword({ email: caller.email ?? '', password })
      if (error === null) await visitor.auth.signOut({ scope: 'local' })
      else if (error.status === 429) throw tooManyRequests(passwordWaitSeconds, error)
      else if (error.code !== 'invalid_credentials') throw unavailable(error)
      return error === null
    },
    async erase() {
      await callSql(service.rpc('erase_account', { user_id: caller.id }))
    },
  }
}
