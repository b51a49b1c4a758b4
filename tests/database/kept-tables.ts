/** Copies tables before a test tampers with them, and puts the rows back afterwards. */
const copyOf = (table: string) => `kept.${table.replace('.', '_')}`

/** The column `is_note` is omitted, because PostgreSQL computes its values and refuses inserted values. */
const columns: Readonly<Record<string, string>> = {
  'ledger.journal':
    'user_id, seq, kind, origin, origin_id, transaction_id, delta, balance_after, actor, dated_at, recorded_at, previous_hash, hash',
}

/** Returns SQL that copies the tables. */
export function keepTables(tables: readonly string[]): string {
  const copies = tables.map(
    (table) => `create table ${copyOf(table)} as select ${columns[table] ?? '*'} from ${table};`,
  )
  return `create schema kept; ${copies.join(' ')}`
}

/** Returns SQL that replaces the rows of the tables with the copied rows. */
export function putBack(tables: readonly string[]): string {
  return tables
    .map((table) => {
      const into = columns[table] === undefined ? table : `${table} (${columns[table]})`
      return `delete from ${table}; insert into ${into} table ${copyOf(table)};`
    })
    .join(' ')
}
