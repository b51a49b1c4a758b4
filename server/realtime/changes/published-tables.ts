/**
 * The tables in the publication `supabase_realtime`, as one database role sees them: their columns with the role's
 * grants, and their SELECT policies as text. The catalogue is read with that role, so that PostgreSQL itself decides
 * which grants and policies apply.
 */
import type { DatabaseRole } from '@finanzas/contract/people/claims.ts'
import { type Database, SqlError, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'

export type PublishedColumn = {
  readonly name: string
  /** The type's name in `pg_type.typname`. Clients use this name to convert values. */
  readonly type: string
  readonly isKey: boolean
  /**
   * True if changes include the column's old value. By default, changes include only the old values of the key columns.
   * The table's replica identity can add other columns.
   */
  readonly isIdentity: boolean
  readonly isSelectable: boolean
}

export type Policy = { readonly expression: string; readonly isPermissive: boolean }

export type PublishedTable = {
  /** The table's oid. The oid changes if the table is dropped and created again under the same name. */
  readonly oid: string
  readonly schema: string
  readonly table: string
  /** Schema and table, quoted for SQL. */
  readonly qualifiedName: string
  /** The table's name without its schema, quoted for SQL. */
  readonly quotedName: string
  readonly columns: readonly PublishedColumn[]
  /** The table's SELECT policies; `null` if row-level security does not apply to the role. */
  readonly policies: readonly Policy[] | null
  /** True if row-level security is enabled on the table, even if it does not apply to the role. */
  readonly hasRowSecurity: boolean
  /** True if the table's changes are recorded (`realtime.capture_published_tables`). */
  readonly isCaptured: boolean
}

/** The longest time until a changed policy takes effect. */
const cacheMs = 5000

/** The published tables from which each role may select. */
export class PublishedTables {
  readonly #database: Database
  readonly #known = new Map<
    DatabaseRole,
    { readonly tables: Promise<PublishedTable[]>; readonly at: number }
  >()
  /**
   * Tables whose changes could not be recorded at the last attempt. Only a table that is not in this set causes another
   * attempt.
   */
  #tried: ReadonlySet<string> = new Set()

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the tables with at least one column that the role may select. Throws `DatabaseUnavailable`. */
  async of(role: DatabaseRole): Promise<readonly PublishedTable[]> {
    const known = this.#known.get(role)
    if (known !== undefined && Date.now() - known.at < cacheMs) return known.tables
    const tables = this.#read(role)
    this.#known.set(role, { tables, at: Date.now() })
    tables.catch(() => this.forget(role))
    return tables
  }

  /** Forgets what is cached for the role, so that the next call of `of` reads the catalogue again. */
  forget(role: DatabaseRole): void {
    this.#known.delete(role)
  }

  async #read(role: DatabaseRole): Promise<PublishedTable[]> {
    const tables = await this.#catalogue(role)
    const isNew = tables.some(
      ({ isCaptured, qualifiedName }) => !isCaptured && !this.#tried.has(qualifiedName),
    )
    const isTried = isNew && (await this.#capture())
    const known = isTried ? await this.#catalogue(role) : tables
    if (isTried)
      this.#tried = new Set(
        known.filter(({ isCaptured }) => !isCaptured).map(({ qualifiedName }) => qualifiedName),
      )
    return known.filter(
      ({ isCaptured, columns }) => isCaptured && columns.some(({ isSelectable }) => isSelectable),
    )
  }

  /**
   * Starts to record changes to tables that were added to the publication. Returns false if another transaction is
   * writing to one of these tables.
   */
  async #capture(): Promise<boolean> {
    try {
      await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
        sql`select realtime.capture_published_tables()`,
      ])
    } catch (error) {
      // Another transaction is writing to the table and holds its lock. The next read of the catalogue tries again.
      if (error instanceof SqlError) return false
      throw error
    }
    return true
  }

  async #catalogue(role: DatabaseRole): Promise<PublishedTable[]> {
    const scope = { role, claims: '', session: null, access: 'read' } as const
    const [, tables] = await this.#database.transaction(scope, [
      // With an empty search path, PostgreSQL qualifies every name in a policy's text with its schema.
      sql`select set_config('search_path', '', true)`,
      publishedTables,
    ])
    return tables
  }
}

const publishedTables = sql<PublishedTable>`
  select
    class.oid::text as oid,
    namespace.nspname as schema,
    class.relname as "table",
    format('%I.%I', namespace.nspname, class.relname) as "qualifiedName",
    quote_ident(class.relname) as "quotedName",
    (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'name', attribute.attname,
          'type', type.typname,
          'isKey', coalesce(attribute.attnum = any (key.indkey), false),
          'isIdentity', coalesce(case class.relreplident
            when 'f' then true
            when 'i' then attribute.attnum = any (identity.indkey)
            else attribute.attnum = any (key.indkey)
          end, false),
          'isSelectable', has_column_privilege(class.oid, attribute.attnum, 'select')
        )
        order by attribute.attnum
      ), '[]')
      from pg_attribute attribute
      join pg_type type on type.oid = attribute.atttypid
      left join pg_index key on key.indrelid = class.oid and key.indisprimary
      left join pg_index identity on identity.indrelid = class.oid and identity.indisreplident
      where attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
    ) as columns,
    case when row_security_active(class.oid) then (
      select coalesce(
        jsonb_agg(
          jsonb_build_object(
            'expression', pg_get_expr(policy.polqual, policy.polrelid),
            'isPermissive', policy.polpermissive
          )
        ),
        '[]'
      )
      from pg_policy policy
      where policy.polrelid = class.oid
        and policy.polcmd in ('r', '*')
        and policy.polqual is not null
        and exists (
          select from unnest(policy.polroles) member (role)
          where case member.role when 0 then true else pg_has_role(member.role, 'usage') end
        )
    ) end as policies,
    class.relrowsecurity as "hasRowSecurity",
    exists (
      select from pg_trigger capture where capture.tgrelid = class.oid and capture.tgname = 'zz_realtime_capture'
    ) as "isCaptured"
  from pg_publication_tables published
  join pg_namespace namespace on namespace.nspname = published.schemaname
  join pg_class class on class.relnamespace = namespace.oid and class.relname = published.tablename
  where published.pubname = 'supabase_realtime' and has_schema_privilege(namespace.oid, 'usage')`
