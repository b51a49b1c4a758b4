/** Changes that signed-in users make to their own accounts (GoTrue, `api/user.go`). */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, SqlError, type SqlStatement, sql } from '#database/database.ts'
import { type EmailChange, requestEmailChange } from './email-change.ts'
import { type PasswordProof, type ProofVerdict, checkProof } from '#people/password/password-proof.ts'
import type { Passwords } from '#people/password/passwords.ts'
import { asSignedIn, asSignedInByOneFactor, selectSignedIn, sessionEnded } from '#people/session/sessions.ts'
import type { User } from './users.ts'

/**
 * Maximum size of `user_metadata` as JSON. Every access token contains this metadata, and a token must fit into a
 * header.
 */
export const userMetadataBytesMax = 4096

export type UserChange = {
  /** The fields to merge into `user_metadata`. A field with the value `null` is removed. */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly password: string | null
  /**
   * The current password or a mailed code, which a new password requires. Without a new password, the session records
   * the proof, and later changes that require a proof are allowed for ten minutes.
   */
  readonly proof: PasswordProof
  /** The new address, which takes effect after both the current and the new address have confirmed it. */
  readonly email: EmailChange | null
}

export type ChangeOutcome =
  | {
      readonly kind: 'changed'
      readonly user: User
      /** True if the user requested a new address; false if the requested address is the current address. */
      readonly isEmailAsked: boolean
      /**
       * True if another account has the new address. The change can then never take effect, but the answer is the same,
       * so that it does not reveal which addresses have accounts.
       */
      readonly isEmailTaken: boolean
      /** True if the bank had already requested a change to this address. The change then takes effect at once. */
      readonly isEmailAccepted: boolean
    }
  | {
      readonly kind:
        | 'same password'
        | 'too much data'
        | 'proof needed'
        | 'wrong current password'
        | 'wrong nonce'
    }

/** Returns the caller's current row. Throws `SqlError` FZ401 when the session has ended. */
export async function readSignedInUser(database: Database, claims: AccessTokenClaims): Promise<User> {
  const [[signedIn]] = await database.transaction(asSignedInByOneFactor(claims, 'read'), [
    selectSignedIn(claims.session_id),
  ])
  if (signedIn === undefined) throw sessionEnded()
  return signedIn.user
}

/**
 * Applies either all of the caller's changes or none of them. A new password ends every other session, and voids every
 * mailed link and any pending address change. Throws `SqlError` FZ401 and 42501, `WeakPassword` and `PoolFull`.
 */
export async function changeUser(
  database: Database,
  passwords: Passwords,
  { claims, change }: { claims: AccessTokenClaims; change: UserChange },
): Promise<ChangeOutcome> {
  const { password: next, proof } = change
  let proven: ProofVerdict & { kind: 'proven' } = { kind: 'proven', stored: null, method: null }
  if (next !== null || proof.currentPassword !== null || proof.nonceMac !== null) {
    const verdict = await checkProof(database, passwords, { claims, ...proof, next })
    if (verdict.kind !== 'proven') return verdict
    proven = verdict
  }
  const passwordHash = next === null ? null : await passwords.hash(next, { email: claims.email })
  const asked = change.email === null ? null : await lookUp(database, claims, change.email.email)
  const owner = asked?.owner ?? null
  const isWaiting = asked?.isWaiting ?? false
  const email = owner === claims.sub || isWaiting ? null : change.email
  try {
    const [, , , , [accepted], , [signedIn]] = await database.transaction(asSignedIn(claims, 'write'), [
      applyChange(claims, { data: change.data ?? {}, passwordHash, stored: proven.stored }),
      sql`
        select private.note_own_password(${claims.sub}, ${claims.session_id})
        where ${passwordHash !== null}::boolean`,
      sql`
        select auth.settle_password(${claims.sub}, ${claims.session_id})
        where ${passwordHash !== null}::boolean`,
      sql`
        select auth.record_proof(${claims.sub}, ${claims.session_id}, ${proven.method})
        where ${proven.method}::text is not null`,
      // Runs after the statement that records the proof, because this request itself may contain the proof that the
      // change requires.
      sql<{ is_accepted: boolean }>`
        select auth.accept_address_change(
          ${claims.sub}, ${claims.session_id}, ${change.email?.email ?? null}) as is_accepted
        where ${isWaiting}::boolean`,
      // Runs after the new password is stored, because a new password voids links that were mailed earlier.
      requestEmailChange(claims.sub, email),
      selectSignedIn(claims.session_id),
    ])
    if (signedIn === undefined) throw sessionEnded()
    return {
      kind: 'changed',
      user: signedIn.user,
      isEmailAsked: email !== null,
      isEmailTaken: email !== null && owner !== null,
      isEmailAccepted: accepted?.is_accepted ?? false,
    }
  } catch (error) {
    if (!(error instanceof SqlError) || error.sqlState !== 'P0001') throw error
    if (error.hint === 'too much data' || error.hint === 'proof needed') return { kind: error.hint }
    throw error
  }
}

/**
 * Returns the owner of the address. `isWaiting` is true if the bank requested the change to this address and the
 * address has been confirmed.
 */
async function lookUp(
  database: Database,
  claims: AccessTokenClaims,
  email: string,
): Promise<{ owner: string | null; isWaiting: boolean } | undefined> {
  const [[found]] = await database.transaction(asSignedIn(claims, 'read'), [
    sql<{ owner: string | null; isWaiting: boolean }>`
      select (select u.id from auth.users u where u.email = ${email}) as owner,
        exists (
          select from auth.address_changes c
          where c.user_id = ${claims.sub} and c.email = ${email} and c.confirmed_at is not null
        ) as "isWaiting"`,
  ])
  return found
}

/**
 * Changes the metadata and the password. Refuses the whole change if the merged metadata would be too long. Also
 * refuses it if another request has changed the password since the proof was checked, because a proof is valid for only
 * one new password. A refusal raises P0001 with the outcome as its hint.
 */
function applyChange(
  { sub }: AccessTokenClaims,
  change: { data: Readonly<Record<string, unknown>>; passwordHash: string | null; stored: string | null },
): SqlStatement {
  const { data, passwordHash, stored } = change
  const merged = `(u.raw_user_meta_data || $2::jsonb)
    - array(select e.key from jsonb_each($2::jsonb) e where e.value = 'null')`
  // A request without metadata is not refused, because the stored metadata may already exceed the limit: a sign-up
  // counts only the fields in its own request, and operators may add other fields.
  const isTooMuch = `$2::jsonb <> '{}' and octet_length((${merged})::text) > ${userMetadataBytesMax}`
  return {
    text: `
      with changed as (
        update auth.users u
        set raw_user_meta_data = ${merged},
            encrypted_password = coalesce($3::text, u.encrypted_password),
            updated_at = now()
        where u.id = $1 and not (${isTooMuch})
          and ($3::text is null or u.encrypted_password is not distinct from $4)
        returning u.id
      )
      select auth.refuse_partial_update(case
        when ${isTooMuch} then 'too much data'
        when not exists (select from changed) then 'proof needed'
      end)
      from auth.users u
      where u.id = $1`,
    values: [sub, JSON.stringify(data), passwordHash, stored],
  }
}
