/** Runs plpgsql_check (https://github.com/okbob/plpgsql_check) over every function and trigger. */
import { type Owner, sql } from '#server/database/database.ts'

/**
 * Returns each finding once, as the function and the fault. `superuser` may create extensions. Returns null if
 * PostgreSQL does not have the extension.
 */
export async function checkedFunctions(superuser: Owner): Promise<string[] | null> {
  const available = await superuser.query(
    sql`select from pg_available_extensions where name = 'plpgsql_check'`,
  )
  if (available.length === 0) return null
  await superuser.query(sql`create extension plpgsql_check`)
  const found = await superuser.query(sql<{ finding: string }>`
    with routines as (
      select p.oid, 0::oid as relation, null::name as old_rows, null::name as new_rows from pg_proc p
      where p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      union
      select t.tgfoid, t.tgrelid, t.tgoldtable, t.tgnewtable from pg_trigger t where not t.tgisinternal
    )
    select distinct format('%s.%s%s: %s', p.pronamespace::regnamespace, p.proname,
        case when f.level = 'error' and r.relation <> 0 then ' on ' || r.relation::regclass end,
        case when f.message like 'target type is different%' then f.detail else f.message end) collate "C" as finding
    from routines r
    join pg_proc p on p.oid = r.oid
    join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
    cross join lateral plpgsql_check_function_tb(p.oid::regprocedure, relid => r.relation::regclass,
      fatal_errors => false, other_warnings => false, performance_warnings => true, oldtable => r.old_rows,
      newtable => r.new_rows) as f
    where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger', 'auth', 'realtime', 'rest')
    order by 1`)
  return found.map(({ finding }) => finding)
}

/** The findings of version 2.3 that are known. This list may only become shorter. */
export const functionsToMend: readonly string[] = [
  'auth.consume_one_time_token: cast "bigint" value to "integer" type',
  'auth.prepare_serving_login: cast "text" value to "name" type',
  'auth.purge_rows: routine is marked as VOLATILE, should be STABLE',
  'auth.redeem_one_time_token: cast "integer" value to "smallint" type',
  'auth.refuse_partial_update: routine is marked as VOLATILE, should be IMMUTABLE',
  'ledger.check_audit: cast "bigint" value to "integer" type',
  'ledger.check_balances: cast "bigint" value to "integer" type',
  'ledger.check_clearing_files: cast "bigint" value to "integer" type',
  'ledger.check_entries: cast "bigint" value to "integer" type',
  'ledger.check_transfers: cast "bigint" value to "integer" type',
  'ledger.entry_hash: cast "bigint" value to "text" type',
  'private.open_accounts: column "instance_id" of relation "users" does not exist',
  'private.post_batch_piece: cast "bigint" value to "integer" type',
  'private.purge_rows: routine is marked as VOLATILE, should be STABLE',
  'private.rename_category: cast "bigint" value to "integer" type',
  'private.schedule_jobs: routine is marked as VOLATILE, should be IMMUTABLE',
  'private.schedule_jobs: schema "cron" does not exist',
  'private.watch_standby: cast "numeric" value to "double precision" type',
  'public.create_batch: cast "bigint" value to "integer" type',
  'public.create_customers: cast "bigint" value to "integer" type',
  'public.return_clearing_file: cast "bigint" value to "integer" type',
  'public.save_recurring_expense: cast "numeric" value to "integer" type',
  'rest.require_max_affected: routine is marked as VOLATILE, should be STABLE',
  'rest.require_single: routine is marked as VOLATILE, should be STABLE',
]
