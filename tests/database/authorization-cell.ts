/** A cell of the authorization matrix: an attempt of an actor on the actor's own rows or on another user's rows. */
import type { Attempt, Target } from '#supabase/authorization/is-permitted.ts'
import type { SqlActor } from './authorization-people.ts'

/** An attempt, in the format that authorization-probe.sql expects. */
export type Cell = {
  readonly sql: string
  readonly role: string
  readonly claims: string
  readonly session: string | null
  readonly person: string | null
  readonly prepare?: string
  readonly observe?: string
}

/** An attempt of the authorization matrix, and the SQL that makes it. */
export type SqlCell = { readonly attempt: Attempt; readonly object: string; readonly cell: Cell }

/** Builds an attempt that runs with the actor's role, claims and session. */
export function asActor(actor: SqlActor, text: string): Cell {
  const { role, claims, session, own } = actor
  return { sql: text, role, claims, session, person: own }
}

/** A user whose rows an attempt concerns, and the ids of two of these rows. */
export type Aim = { target: Target; person: string; aside: string; banked: string }

/** Returns the actor's own rows, if the actor has an account, and another user's rows. */
export function targetsOf(actor: SqlActor): readonly Aim[] {
  const { own, deleted, banked } = actor
  const other = { target: 'other', person: actor.other, aside: deleted.other, banked: banked.other } as const
  if (own === null) return [other]
  return [{ target: 'own', person: own, aside: deleted.own ?? own, banked: banked.own ?? own }, other]
}
