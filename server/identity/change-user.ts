/** What signed-in users change about themselves (GoTrue, `api/user.go`). */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { type EmailChange, askForEmailChange } from './email-change.ts'
import { type PasswordProof, checkPasswordProof } from './password-proof.ts'
import type { Passwords } from './passwords.ts'
import { asSignedIn, asSignedInByOneFactor, selectSignedIn, sessionEnded } from './sessions.ts'
import type { User } from './users.ts'

/** `user_metadata` travels in every access token, which must fit into a header; bytes of JSON. */
export const userMetadataBytesMax = 4096

export type UserChange = {
  /** Merged into `user_metadata`; a key whose value is `null` is removed. */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly password: (PasswordProof & { readonly next: string }) | null
  /** Counts once the present and the next address have agreed. */
  readonly email: EmailChange | null
}

export type ChangeOutcome =
  | {
      readonly kind: 'changed'
      readonly user: User
      /** Whether another address was asked for: one's own is no change. */
      readonly isEmailAsked: boolean
    }
  | {
      readonly kind:
        | 'same password'
        | 'too much data'
        | 'proof needed'
        | 'wrong current password'
        | 'wrong nonce'
        | 'email taken'
    }

/** The caller as the database has them now. Throws `SqlError` FZ401 when the session is over. */
export async function readSignedInUser(database: Database, claims: AccessTokenClaims): Promise<User> {
  const [[signedIn]] = await database.transaction(asSignedInByOneFactor(claims, 'read'), [
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
  let passwordHash: string | null = null
  if (change.password !== null) {
    const verdict = await checkPasswordProof(database, passwords, { claims, ...change.password })
    if (verdict !== 'proven') return { kind: verdict }
    passwordHash = await passwords.hash(change.password.next, { email: claims.email })
  }
  const owner = change.email === null ? null : await ownerOf(database, claims, change.email.email)
  if (owner !== null && owner !== claims.sub) return { kind: 'email taken' }
  const email = owner === null ? change.email : null
  const [changed, , [signedIn]] = await database.transaction(asSignedIn(claims, 'write'), [
    applyChange(claims, { data: change.data ?? {}, passwordHash }),
    // Second, because a new password ends what was mailed before.
    askForEmailChange(claims.sub, email),
    selectSignedIn(claims.session_id),
  ])
  if (signedIn === undefined) throw sessionEnded()
  return changed.length === 0
    ? { kind: 'too much data' }
    : { kind: 'changed', user: signedIn.user, isEmailAsked: email !== null }
}

async function ownerOf(database: Database, claims: AccessTokenClaims, email: string): Promise<string | null> {
  const [[owner]] = await database.transaction(asSignedIn(claims, 'read'), [
    sql<{ id: string }>`select u.id from auth.users u where u.email = ${email}`,
  ])
  return owner?.id ?? null
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
      ), settled as (
        -- A recovery link lets somebody choose one password, not one after the other.
        update auth.sessions s
        set amr = (
          select jsonb_agg(
            case when a.entry ->> 'method' in ('recovery', 'invite')
              then jsonb_set(a.entry, '{method}', '"otp"') else a.entry end
            order by a.position)
          from jsonb_array_elements(s.amr) with ordinality as a (entry, position))
        from changed c
        where $3::text is not null and s.user_id = c.id and s.id = $4
      ), revoked as (
        delete from auth.one_time_tokens t using changed c
        where $3::text is not null and t.user_id = c.id
      ), unexchanged as (
        -- A link that was followed under PKCE is still on its way to a session.
        delete from auth.flow_state f using changed c
        where $3::text is not null and f.user_id = c.id
      )
      select c.id from changed c`,
    values: [sub, JSON.stringify(data), passwordHash, ownSession],
  }
}
