/** Accounts that begin without their owner's sign-up: by a magic link, an invitation, or an operator's link. */
import { randomUUID } from 'node:crypto'
import type { UserMetadata } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { appMetadata, createIdentity } from './users.ts'

export type OpenedAccount = {
  /** As `readEmail` answers it. */
  readonly email: string
  /** `null`: the owner comes in by links, or chooses a password behind the first one. */
  readonly passwordHash: string | null
  readonly userMetadata: UserMetadata
}

/**
 * Opens an account whose address is still to be confirmed. Where one waits already, a password that is given replaces
 * the one that was chosen before (docs/decisions/0022); a confirmed one stays as it is.
 */
export async function openAccount(database: Database, account: OpenedAccount): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), openAccountStatements(account))
}

function openAccountStatements({ email, passwordHash, userMetadata }: OpenedAccount): SqlStatement[] {
  const id = randomUUID()
  return [
    sql`
      insert into auth.users as u (id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data)
      values (
        ${id}, ${email}, ${passwordHash},
        ${JSON.stringify(appMetadata('user'))}, ${JSON.stringify(userMetadata)})
      on conflict (email) do update
      set encrypted_password = excluded.encrypted_password
      where u.email_confirmed_at is null and excluded.encrypted_password is not null`,
    createIdentity(id),
  ]
}
