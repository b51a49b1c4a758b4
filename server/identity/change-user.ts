/** What signed-in users change about themselves (GoTrue, `api/user.go`). */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import type { Passwords } from './passwords.ts'
import { asSignedIn, selectSignedIn, sessionEnded } from './sessions.ts'
import type { User } from './users.ts'

/** `user_metadata` travels in every access token, which must fit into a header; bytes of JSON. */
export const userMetadataBytesMax = 4096

export type UserChange = {
  /** Merged into `user_metadata`; a key whose value is `null` is removed. */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly password: string | null
}

export type ChangeOutcome = { kind: 'changed'; user: User } | { kind: 'same password' | 'too much data' }

/** The caller as the database has them now. Throws `SqlError` FZ401 when the session is over. */
export async function readSignedInUser(database: Database, claims: AccessTokenClaims): Promise<User> {
  const [[signedIn]] = await database.transaction(asSignedIn(claims, 'read'), [
    selectSignedIn(claims.session_id),
  ])
  if (signedIn === undefined) throw sessionEnded()
  return signedIn.user
}

/**
 * Changes the caller, all of it or nothing. A new password ends every other session and every link
 * that was mailed. Throws `SqlError` FZ401, `WeakPassword` and `TooManyHashes`.
 */
export async function changeUser(
  database: Database,
  passwords: Passwords,
  { claims, change }: { claims: AccessTokenClaims; change: UserChange },
): Promise<ChangeOutcome> {
  const { password } = change
  if (password !== null && (await isPresentPassword(database, passwords, { claims, password })))
    return { kind: 'same password' }
  const passwordHash = password === null ? null : await passwords.hash(password)
  const [changed, [signedIn]] = await database.transaction(asSignedIn(claims, 'write'), [
    applyChange(claims, { data: change.data ?? {}, passwordHash }),
    selectSignedIn(claims.session_id),
  ])
  if (signedIn === undefined) throw sessionEnded()
  return changed.length === 0 ? { kind: 'too much data' } : { kind: 'changed', user: signedIn.user }
}

async function isPresentPassword(
  database: Database,
  passwords: Passwords,
  { claims, password }: { claims: AccessTokenClaims; password: string },
): Promise<boolean> {
  const [[account]] = await database.transaction(asSignedIn(claims, 'read'), [
    sql<{ encrypted_password: string | null }>`
      select u.encrypted_password from auth.users u where u.id = ${claims.sub}`,
  ])
  const { matches } = await passwords.compare(password, account?.encrypted_password ?? null)
  return matches
}

/** Answers a row when the change was made, none when the merged metadata would be too long. */
function applyChange(
  { sub, session_id: ownSession }: AccessTokenClaims,
  { data, passwordHash }: { data: Readonly<Record<string, unknown>>; passwordHash: string | null },
): SqlStatement {
  const merged = `(u.raw_user_meta_data || $2::jsonb)
    - array(select e.key from jsonb_each($2::jsonb) e where e.value = 'null')`
  return {
    text: `
      with changed as (
        update auth.users u
        set raw_user_meta_data = ${merged},
            encrypted_password = coalesce($3::text, u.encrypted_password),
            updated_at = now()
        where u.id = $1 and octet_length((${merged})::text) <= ${userMetadataBytesMax}
        returning u.id
      ), ended as (
        delete from auth.sessions s using changed c
        where $3::text is not null and s.user_id = c.id and s.id <> $4
      ), revoked as (
        delete from auth.one_time_tokens t using changed c
        where $3::text is not null and t.user_id = c.id
      )
      select c.id from changed c`,
    values: [sub, JSON.stringify(data), passwordHash, ownSession],
  }
}
