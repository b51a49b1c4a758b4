/**
 * With whose rights a database transaction runs. The scope becomes the first statement of every batch:
 * a check that the session is alive, then role and claims, for this database transaction only
 * (compare PostgREST's PreQuery). The check comes first because the role it hands over to could not make it.
 */
import type { DatabaseRole } from '@finanzas/contract/claims.ts'
import type { Caller } from '#tokens/caller.ts'
import type { SqlStatement } from './database.ts'

/** Database roles of the server's own work: the authentication service and the change feed. */
export type ServiceRole = 'supabase_auth_admin' | 'supabase_realtime_admin'

export type Scope = {
  readonly role: DatabaseRole | ServiceRole
  /** JSON of the claims, for `auth.uid()` and its kin; empty for nobody in particular. */
  readonly claims: string
  /** The session that must be alive, or the whole transaction is refused with FZ401. */
  readonly session: { readonly id: string; readonly userId: string } | null
  /** Reads are refused any write by the database itself. */
  readonly access: 'read' | 'write'
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

/** The rights of a user in a session of theirs, which must be alive, where no token came along. */
export function asUser(session: { id: string; userId: string }, access: Scope['access']): Scope {
  const claims = { sub: session.userId, role: 'authenticated', session_id: session.id }
  return { role: 'authenticated', claims: JSON.stringify(claims), session, access }
}

/** The rights of one of the server's own services, in nobody's name. */
export function asService(role: ServiceRole, access: Scope['access']): Scope {
  return { role, claims: '', session: null, access }
}

/** The first statement of the batch. */
export function scopeStatement(scope: Scope): SqlStatement {
  const settings =
    `set_config('role', $1, true), set_config('request.jwt.claims', $2, true), ` +
    `set_config('transaction_read_only', $3, true)`
  const values = [scope.role, scope.claims, scope.access === 'read' ? 'on' : 'off']
  return scope.session === null
    ? { text: `select ${settings}`, values }
    : {
        text: `select auth.require_session($4, $5), ${settings}`,
        values: [...values, scope.session.id, scope.session.userId],
      }
}
