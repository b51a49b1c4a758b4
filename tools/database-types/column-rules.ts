// Facts about columns that their SQL types do not express: which columns signed-in users may write, which values a
// check constraint permits, and which attributes a composite type has.
import type { SqlStatement } from '#server/database/database.ts'

/** Looks up the rules for a column by the names of its table and column. */
export type ColumnRules = {
  canInsert(table: string, column: string): boolean
  canUpdate(table: string, column: string): boolean
  /**
   * Returns the values to which a check constraint limits this column, or `null` if the column has no such
   * constraint.
   */
  valuesOf(table: string, column: string): readonly string[] | null
  /** Returns the maximum numbers of characters that check constraints permit, by table and column. */
  lengthsMax(): Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Returns the attributes of the composite type with this name, or an empty list for any other type. */
  attributesOf(type: string): readonly Attribute[]
}

/**
 * One attribute of a composite type. PostgreSQL does not support `not null` for attributes. Therefore the comment
 * on an attribute says when the attribute is null.
 */
export type Attribute = { readonly name: string; readonly type: string; readonly isNullable: boolean }

/** One column in schema `public`, as the catalogue query returns it. */
export type ColumnRow = {
  table: string
  column: string
  can_insert: boolean
  can_update: boolean
  type: string
  is_of_composite: boolean
  comment: string | null
  /** The check constraints that concern only this column, as PostgreSQL prints them. */
  checks: readonly string[]
}

export const columnRowsStatement: SqlStatement<ColumnRow> = {
  text: `
    select
      c.relname as "table",
      a.attname as "column",
      has_column_privilege('authenticated', c.oid, a.attnum, 'insert') as can_insert,
      has_column_privilege('authenticated', c.oid, a.attnum, 'update') as can_update,
      format_type(a.atttypid, -1) as type,
      c.relkind = 'c' as is_of_composite,
      col_description(c.oid, a.attnum) as comment,
      (
        select coalesce(jsonb_agg(pg_get_constraintdef(k.oid) order by k.conname), '[]')
        from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
      ) as checks
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'c')
    order by c.relname, a.attnum`,
  values: [],
}

/** Derives the column rules from the rows of the catalogue query. */
export function columnRulesOf(rows: readonly ColumnRow[]): ColumnRules {
  const find = (table: string, column: string) =>
    rows.find((row) => row.table === table && row.column === column)
  return {
    canInsert: (table, column) => find(table, column)?.can_insert === true,
    canUpdate: (table, column) => find(table, column)?.can_update === true,
    valuesOf(table, column) {
      const lists = (find(table, column)?.checks ?? []).flatMap((check) => {
        const values = valuesOfCheck(check)
        return values === null ? [] : [values]
      })
      return lists[0] ?? null
    },
    lengthsMax() {
      const lengths: Record<string, Record<string, number>> = {}
      for (const { table, column, checks } of rows) {
        const found = checks.flatMap((check) => longest.exec(check)?.slice(1).find(Boolean) ?? [])
        if (found[0] !== undefined) (lengths[table] ??= {})[column] = Number(found[0])
      }
      return lengths
    },
    attributesOf(type) {
      const name = type.replace(/^public\./, '')
      return rows
        .filter((row) => row.is_of_composite && row.table === name)
        .map((row) => ({ name: row.column, type: row.type, isNullable: /\bnull\b/.test(row.comment ?? '') }))
    },
  }
}

// Matches the length in a constraint such as `check (char_length(name) <= 80)` or `check (private.is_word(name, 80))`.
const longest = /char_length\(\w+\) <= (\d+)|private\.is_word\(\w+, (\d+)\)/

// Matches a constraint such as `check (type in ('deposit', 'expense'))` in PostgreSQL's output format.
const oneOf = /^CHECK \(\(\(?[\w"]+\)?(?:::text)? = ANY \(+ARRAY\[(.*?)\]\)?(?:::text\[\])?\)+$/

function valuesOfCheck(check: string): string[] | null {
  const list = oneOf.exec(check)?.[1]
  if (list === undefined) return null
  const values = [...list.matchAll(/'((?:[^']|'')*)'::[a-z ]+/g)].map(([, value = '']) =>
    value.replaceAll("''", "'"),
  )
  return values.length === 0 ? null : values
}
