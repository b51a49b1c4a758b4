/**
 * The first statement of every batch. This statement checks that the caller's session has not ended, then sets the role
 * and the claims for this database transaction (compare PostgREST's PreQuery). The check runs before the role is set,
 * because the caller's role has no right to run this check.
 */
import type { Caller } from '#tokens/caller.ts'
import { type Scope, type ScopeSession, type ServiceRole, type SqlStatement, sql } from './database.ts'

/**
 * Returns a statement that puts the request's id on all audit entries of its database transaction. It must be the first
 * statement, because functions of the database add other parts to the same setting.
 */
export function auditedAs(requestId: string): SqlStatement {
  return sql`select set_config('audit.context', ${JSON.stringify({ request_id: requestId })}, true)`
}

/**
 * The JSON text of each claims object. All verifications of a cached token return the same claims object, so its text
 * needs to be computed only once.
 */
const claimTexts = new WeakMap<object, string>()

function claimText(claims: object): string {
  const text = claimTexts.get(claims) ?? JSON.stringify(claims)
  claimTexts.set(claims, text)
  return text
}

/** Returns the scope for the caller of a request. The database refuses a signed-in user whose session has ended. */
export function asCaller(caller: Caller, access: Scope['access']): Scope {
  if (caller.role !== 'authenticated') {
    return { role: caller.role, claims: JSON.stringify({ role: caller.role }), session: null, access }
  }
  const { sub, session_id, app_metadata } = caller.claims
  return {
    role: 'authenticated',
    claims: claimText(caller.claims),
    session: { id: session_id, userId: sub },
    access,
    isStaff: app_metadata.role === 'admin',
  }
}

/**
 * Returns a scope with the role of signed-in users and without claims. Within the batch, `setClaims` sets the caller
 * for the statements that follow it. If any caller's session has ended, the whole database transaction is refused.
 */
export function asCallers(callers: readonly SignedInCaller[], access: Scope['access']): Scope {
  const others = callers.map(({ claims }) => ({ id: claims.session_id, userId: claims.sub }))
  return { role: 'authenticated', claims: '', session: null, others, access }
}

export function setClaims({ claims }: SignedInCaller): SqlStatement {
  return { text: `select set_config('request.jwt.claims', $1, true)`, values: [JSON.stringify(claims)] }
}

export type SignedInCaller = { readonly claims: { readonly sub: string; readonly session_id: string } }

/**
 * Returns the scope for a user's session, if the caller has the session's id but no access token. The database refuses
 * a session that has ended.
 */
export function asUser(session: { id: string; userId: string }, access: Scope['access']): Scope {
  const claims = { sub: session.userId, role: 'authenticated', session_id: session.id }
  return { role: 'authenticated', claims: JSON.stringify(claims), session, access }
}

export function asService(role: ServiceRole, access: Scope['access']): Scope {
  const own: Scope = { role, claims: '', session: null, access }
  // The change feed must notice revocations even under overload. The feed may bypass the queue, because it sends one
  // transaction at a time.
  return role === 'supabase_realtime_admin' ? { ...own, bypassesAdmission: true } : own
}

/**
 * Returns the scope of `/ready`. The health check bypasses the queue, because otherwise a proxy would take busy servers
 * out of rotation and overload the remaining servers.
 */
export function asHealthCheck(): Scope {
  return { ...asCaller({ role: 'anon' }, 'read'), bypassesAdmission: true }
}

/** Time limit for each read of a signed-in user. The embedded engine cannot enforce this limit (docs/overload.md). */
const readTimeoutMs = 2000

export function scopeStatement(scope: Scope): SqlStatement {
  const isTimed = scope.session !== null && scope.others === undefined && scope.access === 'read'
  // `set_config` returns the new value. `num_nulls` reduces the values to a number, so that the database does not send
  // the claims back.
  const settings =
    `num_nulls(set_config('role', $1, true), set_config('request.jwt.claims', $2, true), ` +
    `set_config('transaction_read_only', $3, true)` +
    (isTimed ? `, set_config('statement_timeout', '${readTimeoutMs}', true))` : ')')
  const values = [scope.role, scope.claims, scope.access === 'read' ? 'on' : 'off']
  if (scope.others !== undefined) {
    const sessions = scope.others.map(({ id, userId }) => ({ session: id, person: userId }))
    return {
      text:
        `select (select count(*) from jsonb_to_recordset($4::jsonb) as each (session uuid, person uuid), ` +
        `auth.require_session(each.session, each.person)), ${settings}`,
      values: [...values, JSON.stringify(sessions)],
    }
  }
  if (scope.session === null) return { text: `select ${settings}`, values }
  const { refusals = [] } = scope
  const first = values.length + 3
  const fewRefusals = refusals.map(
    (_, index) => `private.limit_refused_writes($${first + 2 * index}, $${first + 2 * index + 1}), `,
  )
  return {
    text: `select ${requirement(scope.session)}($4, $5), ${fewRefusals.join('')}${settings}`,
    values: [
      ...values,
      scope.session.id,
      scope.session.userId,
      ...refusals.flatMap(({ limit, key }) => [limit, key]),
    ],
  }
}

function requirement({ isOneFactorEnough }: ScopeSession): string {
  return isOneFactorEnough === true ? 'auth.require_session_aal1' : 'auth.require_session'
}

/**
 * Creates the login that serves requests, and lets it call the functions that check a request before the role is set.
 */
export const prepareServingLogin: SqlStatement = sql`
  select auth.prepare_serving_login(array[
    'auth.require_session(uuid, uuid)', 'auth.require_session_aal1(uuid, uuid)', 'private.limit_refused_writes(text, text)'
  ])`
