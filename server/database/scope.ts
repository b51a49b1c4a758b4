/**
 * With whose rights a database transaction runs. The scope becomes the first statement of every batch:
 * a check that the session is alive, then role and claims, for this database transaction only
 * (compare PostgREST's PreQuery). The check comes first because the role it hands over to could not make it.
 */
import type { DatabaseRole } from '@finanzas/contract/claims.ts'
import type { Caller } from '#tokens/caller.ts'
import { type SqlStatement, sql } from './database.ts'

/** Database roles of the server's own work: the authentication service and the change feed. */
export type ServiceRole = 'supabase_auth_admin' | 'supabase_realtime_admin'

export type Scope = {
  readonly role: DatabaseRole | ServiceRole
  /** JSON of the claims, for `auth.uid()` and its kin; empty for nobody in particular. */
  readonly claims: string
  /** The session that must be alive, or the whole transaction is refused with FZ401. */
  readonly session: ScopeSession | null
  /** Further sessions that must be alive, where a transaction looks at something with several people's eyes in turn. */
  readonly others?: readonly ScopeSession[]
  /** Reads are refused any write by the database itself. */
  readonly access: 'read' | 'write'
  /** The customer's quota of postings does not count (`AUTH_RATE_LIMITS=off`). */
  readonly isWithoutQuota?: true
  /** Passes the admission queue by; only for what asks one thing at a time. */
  readonly bypassesAdmission?: true
}

export type ScopeSession = {
  readonly id: string
  readonly userId: string
  /** What a person may do who has not shown their second factor yet; everything else is refused with 42501. */
  readonly isOneFactorEnough?: true
}

/** The statement that lets the audit's entries of its database transaction name the request. */
export function auditedAs(requestId: string): SqlStatement {
  return sql`select set_config('audit.request_id', ${requestId}, true)`
}

/** The rights of whoever sent the request; a signed-in user's session must be alive. */
export function asCaller(caller: Caller, access: Scope['access']): Scope {
  if (caller.role !== 'authenticated') {
    return { role: caller.role, claims: JSON.stringify({ role: caller.role }), session: null, access }
  }
  const { sub, session_id } = caller.claims
  return {
    role: 'authenticated',
    claims: JSON.stringify(caller.claims),
    session: { id: session_id, userId: sub },
    access,
  }
}

/**
 * The rights that all signed-in people share, and nobody's claims: each statement is preceded by `setClaims` somebody.
 * Every one of their sessions must be alive, or the whole database transaction is refused.
 */
export function asCallers(callers: readonly SignedInCaller[], access: Scope['access']): Scope {
  const others = callers.map(({ claims }) => ({ id: claims.session_id, userId: claims.sub }))
  return { role: 'authenticated', claims: '', session: null, others, access }
}

/** The statement from which on a database transaction of `asCallers` sees what this caller sees. */
export function setClaims({ claims }: SignedInCaller): SqlStatement {
  return { text: `select set_config('request.jwt.claims', $1, true)`, values: [JSON.stringify(claims)] }
}

/** A caller who has a session, by the claims of their token. */
export type SignedInCaller = { readonly claims: { readonly sub: string; readonly session_id: string } }

/** The rights of a user in a session of theirs, which must be alive, where no token came along. */
export function asUser(session: { id: string; userId: string }, access: Scope['access']): Scope {
  const claims = { sub: session.userId, role: 'authenticated', session_id: session.id }
  return { role: 'authenticated', claims: JSON.stringify(claims), session, access }
}

/** The rights of one of the server's own services, in nobody's name. */
export function asService(role: ServiceRole, access: Scope['access']): Scope {
  const own: Scope = { role, claims: '', session: null, access }
  // Sessions that ended must not be noticed in calmer hours only; the change feed asks for one thing at a time.
  return role === 'supabase_realtime_admin' ? { ...own, bypassesAdmission: true } : own
}

/**
 * Nobody's rights, for the question whether the database answers. A busy one does: a proxy that took busy servers
 * out would leave the others with all the work.
 */
export function asHealthCheck(): Scope {
  return { ...asCaller({ role: 'anon' }, 'read'), bypassesAdmission: true }
}

/** How long a statement of a read in somebody's session may take; the embedded engine has no such clock (docs/decisions/0050). */
const readTimeoutMs = 2000

/** The first statement of the batch. */
export function scopeStatement(scope: Scope): SqlStatement {
  const settings =
    `set_config('role', $1, true), set_config('request.jwt.claims', $2, true), ` +
    `set_config('transaction_read_only', $3, true)` +
    (scope.isWithoutQuota === true ? `, set_config('ledger.quota', 'off', true)` : '')
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
  const time = scope.access === 'read' ? `, set_config('statement_timeout', '${readTimeoutMs}', true)` : ''
  return {
    text: `select ${requirement(scope.session)}($4, $5), ${settings}${time}`,
    values: [...values, scope.session.id, scope.session.userId],
  }
}

function requirement({ isOneFactorEnough }: ScopeSession): string {
  return isOneFactorEnough === true ? 'auth.require_open_session' : 'auth.require_session'
}
