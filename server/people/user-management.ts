/**
 * User management with the service key (GoTrue, `api/admin.go`). The audit log names the service as the actor. Triggers
 * record the changes that they can see, and the server records the other changes (docs/decisions/0017).
 */
import { randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { type Factor, type User, appMetadata, createIdentity, userAsJson } from './users.ts'

/**
 * A change to a user. Only the fields that are present are changed. Metadata is merged, and a key whose value is `null`
 * is removed.
 */
export type AdminChange = {
  readonly email: string | null
  readonly passwordHash: string | null
  readonly isConfirmed: boolean
  readonly userMetadata: Readonly<Record<string, unknown>>
  readonly appMetadata: Readonly<Record<string, unknown>>
  /** Duration of a ban in seconds from now; 0 ends the ban. */
  readonly banSeconds: number | null
}

/** Returns one page of the users, newest first, and the total number of users. */
export async function listUsers(
  database: Database,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ readonly users: readonly User[]; readonly total: number }> {
  const pageOfUsers: SqlStatement<{ user: User }> = {
    text: `
      select ${userAsJson} as "user"
      from auth.users u
      order by u.created_at desc, u.id
      limit $1 offset $2`,
    values: [perPage, (page - 1) * perPage],
  }
  const [rows, [count]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    pageOfUsers,
    sql<{ total: number }>`select count(*) as total from auth.users`,
  ])
  return { users: rows.map(({ user }) => user), total: count?.total ?? 0 }
}

export async function findUser(database: Database, id: string): Promise<User | null> {
  const [[found]] = await database.transaction(asService('supabase_auth_admin', 'read'), [selectUser(id)])
  return found?.user ?? null
}

/** Creates a user in one database transaction. Throws the `SqlError` that `isEmailTaken` recognizes. */
export async function createUser(
  database: Database,
  { id = randomUUID(), email, ...change }: AdminChange & { readonly id?: string; readonly email: string },
): Promise<User | null> {
  const [, , , , , [created]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    actAsService,
    // Like GoTrue, first creates a plain account and then changes it to the requested values, so that the triggers run
    // for both steps.
    sql`
      insert into auth.users (id, email, encrypted_password, raw_app_meta_data)
      values (${id}, ${email}, ${change.passwordHash}, ${JSON.stringify(appMetadata('user'))})`,
    createIdentity(id),
    applyChange(id, { ...change, email: null }),
    updateIdentity(id),
    selectUser(id),
  ])
  return created?.user ?? null
}

/**
 * Changes a user. Returns `null` if the user does not exist. A new password or a ban ends all sessions of the user at
 * once. A new password or a new address voids every mailed link and any pending address change. Throws the `SqlError`
 * that `isEmailTaken` recognizes. Throws PT403 if the bank's rules protect an administrator from the role change or the
 * ban.
 */
export async function updateUser(database: Database, id: string, change: AdminChange): Promise<User | null> {
  const [, , , , , [found]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    actAsService,
    applyChange(id, change),
    endSessions(id, change),
    endLinks(id, change),
    updateIdentity(id),
    selectUser(id),
    recordUntriggered(id, change),
  ])
  return found?.user ?? null
}

/**
 * Removes a user with all their data; returns false when the user does not exist. Throws `SqlError` PT403 if the user
 * is the last administrator.
 */
export async function deleteUser(database: Database, id: string): Promise<boolean> {
  const [, deleted] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    actAsService,
    sql`delete from auth.users u where u.id = ${id} returning u.id`,
  ])
  return deleted.length === 1
}

/** Removes a factor; returns `null` when the user has no such factor. */
export async function deleteFactor(
  database: Database,
  { userId, factorId }: { readonly userId: string; readonly factorId: string },
): Promise<Factor | null> {
  const user = await findUser(database, userId)
  const factor = user?.factors.find(({ id }) => id === factorId)
  if (factor === undefined) return null
  const [, [removed]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    actAsService,
    sql<{ is_removed: boolean }>`select auth.remove_factor(${userId}, ${factorId}) as is_removed`,
    sql`select private.record_audit('remove_factor', ${userId}, null, null)`,
  ])
  return removed?.is_removed === true ? factor : null
}

/** Sets the service as the actor in the audit log, instead of a user. */
export const actAsService = sql`select private.act_as('service')`

/** Writes audit entries for the changes that triggers cannot see. The entries do not contain the new values. */
function recordUntriggered(id: string, { passwordHash, email }: AdminChange): SqlStatement {
  return sql`
    select private.record_audit(unseen.action, u.id, null, null)
    from auth.users u,
      lateral (
        values ('set_password', ${passwordHash !== null}::boolean), ('set_email', ${email !== null}::boolean)
      ) as unseen (action, is_done)
    where u.id = ${id} and unseen.is_done`
}

function applyChange(id: string, change: AdminChange): SqlStatement {
  const userMetadata = change.isConfirmed
    ? { ...change.userMetadata, email_verified: true }
    : change.userMetadata
  return sql`
    update auth.users u
    set
      email = coalesce(${change.email}, u.email),
      encrypted_password = coalesce(${change.passwordHash}, u.encrypted_password),
      email_confirmed_at = case
        when ${change.isConfirmed}::boolean then coalesce(u.email_confirmed_at, now())
        else u.email_confirmed_at
      end,
      raw_user_meta_data = (u.raw_user_meta_data || given.of_user)
        - array(select e.key from jsonb_each(given.of_user) e where e.value = 'null'),
      raw_app_meta_data = (u.raw_app_meta_data || given.of_app)
        - array(select e.key from jsonb_each(given.of_app) e where e.value = 'null'),
      banned_until = case
        when given.ban_seconds is null then u.banned_until
        when given.ban_seconds > 0 then now() + make_interval(secs => given.ban_seconds)
      end,
      updated_at = now()
    from (
      select
        ${JSON.stringify(userMetadata)}::jsonb as of_user,
        ${JSON.stringify(change.appMetadata)}::jsonb as of_app,
        ${change.banSeconds}::double precision as ban_seconds
    ) as given
    where u.id = ${id}`
}

/** A trigger ends the sessions of a banned user. */
function endSessions(id: string, { passwordHash }: AdminChange): SqlStatement {
  return sql`delete from auth.sessions s where s.user_id = ${id} and ${passwordHash !== null}::boolean`
}

function endLinks(id: string, { passwordHash, email }: AdminChange): SqlStatement {
  return sql`select auth.end_links(${id}) where ${passwordHash !== null || email !== null}::boolean`
}

function updateIdentity(id: string): SqlStatement {
  return sql`
    update auth.identities i
    set identity_data = i.identity_data || jsonb_build_object(
          'email', u.email, 'email_verified', u.email_confirmed_at is not null),
        updated_at = now()
    from auth.users u
    where u.id = ${id} and i.user_id = u.id and i.provider = 'email'`
}

function selectUser(id: string): SqlStatement<{ user: User }> {
  return { text: `select ${userAsJson} as "user" from auth.users u where u.id = $1`, values: [id] }
}
