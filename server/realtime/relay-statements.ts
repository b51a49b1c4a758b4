/** The SQL statements by which servers tell each other (docs/decisions/0038), run as `supabase_realtime_admin`. */
import { type SqlStatement, sql } from '#database/database.ts'
import type { Presence } from './presence.ts'
import type { RelayMessage } from './relay-messages.ts'

/** A server at which somebody is present, and how long ago it gave a sign of life. */
export type ServerSign = { readonly server: string; readonly silentMs: number }

/** Everything new, as of one moment. */
export type RelayNews = {
  readonly snapshot: string
  /** Another one after a crash of the database; `null` before anybody has looked. */
  readonly lifetime: string | null
  readonly servers: readonly ServerSign[]
  /** What was left in each database transaction; `messages` is JSON. */
  readonly batches: readonly { readonly server: string; readonly messages: string }[]
}

/** Reads what the last snapshot did not see, in the order of its writing; with `null` nothing of it. */
export function readNews(self: string, last: string | null): SqlStatement<RelayNews> {
  return sql`
    select pg_current_snapshot()::text as snapshot, (select id from realtime.lifetimes) as lifetime, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'server', server, 'silentMs', (extract(epoch from clock_timestamp() - seen_at) * 1000)::bigint
      )), '[]')
      from realtime.servers where server <> ${self}::uuid
    ) as servers, (
      select coalesce(jsonb_agg(jsonb_build_object('server', server, 'messages', messages) order by xid), '[]')
      from realtime.relayed_messages
      where xid >= pg_snapshot_xmin(${last}::pg_snapshot)
        and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
        and server <> ${self}::uuid
    ) as batches`
}

/** Reads who is present at some servers; `present` is JSON of a `Presence`. */
export function readPresences(
  servers: Iterable<string>,
): SqlStatement<{ readonly server: string; readonly present: string }> {
  return sql`
    select server, present from realtime.presences where server = any(${`{${[...servers].join(',')}}`}::uuid[])`
}

/** Leaves messages for the others: once in a database transaction. */
export function leaveMessages(self: string, messages: readonly RelayMessage[]): SqlStatement {
  return sql`
    insert into realtime.relayed_messages (server, messages) values (${self}::uuid, ${JSON.stringify(messages)})`
}

/** Gives a sign of life; answers no row when this server has been forgotten. */
export function giveSign(self: string): SqlStatement {
  return sql`update realtime.servers set seen_at = clock_timestamp() where server = ${self}::uuid returning server`
}

/** This server is new here. */
export function register(self: string): SqlStatement {
  return sql`insert into realtime.servers (server) values (${self}::uuid)`
}

/** Forgets this server, and who was present. */
export function unregister(self: string): SqlStatement {
  return sql`delete from realtime.servers where server = ${self}::uuid`
}

/** Writes down who is present here, unless this server has been forgotten. */
export function addPresences(self: string, presences: Iterable<Presence>): SqlStatement {
  const rows = Array.from(presences, (each) => ({ ref: each.meta.phx_ref, present: JSON.stringify(each) }))
  return sql`
    insert into realtime.presences (server, ref, present)
    select server, ref, present
    from realtime.servers cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as come (ref text, present text)
    where server = ${self}::uuid`
}

export function removePresences(self: string, refs: readonly string[]): SqlStatement {
  return sql`
    delete from realtime.presences
    where server = ${self}::uuid and ref in (select jsonb_array_elements_text(${JSON.stringify(refs)}::jsonb))`
}

/** Whether anything is older than it is kept. */
export function hasOld(keptSeconds: number): SqlStatement<{ hasOld: boolean }> {
  return sql`
    select exists (select from realtime.relayed_messages where at < clock_timestamp() - make_interval(secs => ${keptSeconds}))
      or exists (select from realtime.servers where seen_at < clock_timestamp() - make_interval(secs => ${keptSeconds})) as "hasOld"`
}

/** Deletes what is older: what was said, and servers that are dead. */
export function deleteOld(keptSeconds: number): SqlStatement[] {
  return [
    sql`delete from realtime.relayed_messages where at < clock_timestamp() - make_interval(secs => ${keptSeconds})`,
    sql`delete from realtime.servers where seen_at < clock_timestamp() - make_interval(secs => ${keptSeconds})`,
  ]
}
