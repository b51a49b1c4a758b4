/**
 * Represents a bank as lines of text, which are the same on both engines. Backups save, load and compare this text.
 * Rows are sorted by their keys, and values have PostgreSQL's text form, so that banks with equal rows produce equal
 * bytes.
 */
import { createHash } from 'node:crypto'
import { type Owner, type SqlStatement, sql } from '#database/database.ts'
import { type Table, readTables } from './tables.ts'

/** Maximum number of rows held in memory at once. */
const rowsAtOnce = 1000

/** One part of the contents: the number of lines, and the SHA-256 hash of their text. */
export type Part = { readonly name: string; readonly lines: number; readonly sha256: string }

/** The contents of a bank. Two banks with the same rows have the same contents. */
export type Contents = {
  readonly tables: readonly Part[]
  readonly sequences: Part
}

/** The first line of a part. */
export type PartHeading =
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly sequences: true }

/**
 * Reads the whole bank and passes a few hundred lines at a time to `take`. Each line ends with a line feed. Call
 * `beginSnapshot` first, so that the bank does not change between two reads.
 */
export async function readContents(owner: Owner, take: (text: string) => Promise<void>): Promise<Contents> {
  const tables: Part[] = []
  for (const table of await readTables(owner)) {
    const heading = { table: table.name, columns: table.columns.map(({ name }) => name) }
    tables.push(await readPart(owner, heading, linesOf(table), take))
  }
  return { tables, sequences: await readSequences(owner, take) }
}

/**
 * Begins a database transaction that reads one snapshot. The settings of this transaction give each value the same text
 * form on every server.
 */
export async function beginSnapshot(owner: Owner, engine: 'pglite' | 'postgres'): Promise<void> {
  // The embedded engine needs no isolation level, because it has only one connection. The transaction must not be
  // read-only, because the engine's flush to the disk writes to the write-ahead log.
  const mode = engine === 'postgres' ? 'isolation level repeatable read, read only' : ''
  await owner.script(`begin ${mode}; ${textSettings}`)
}

/** Settings of the database transaction that determine the text form of values. */
export const textSettings = `
  set local search_path = pg_catalog; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex';`

function headingLine(heading: PartHeading): string {
  return `${JSON.stringify(heading)}\n`
}

function linesOf({ sql: table, columns, key }: Table): string {
  const line = `jsonb_build_array(${columns.map((column) => `${column.sql}::text`).join(', ')})::text`
  const order = key ?? `${line} collate "C"`
  return `select ${line} as line from ${table} order by ${order}`
}

async function readPart(
  owner: Owner,
  heading: Extract<PartHeading, { table: string }>,
  query: string,
  take: (text: string) => Promise<void>,
): Promise<Part> {
  const hash = createHash('sha256')
  let lines = 0
  const takeText = async (text: string) => {
    hash.update(text)
    await take(text)
  }
  await takeText(headingLine(heading))
  await owner.script(`declare part no scroll cursor for ${query}`)
  const next: SqlStatement<{ line: string }> = { text: `fetch ${rowsAtOnce} from part`, values: [] }
  for (let rows = await owner.query(next); rows.length > 0; rows = await owner.query(next)) {
    lines += rows.length
    await takeText(rows.map(({ line }) => `${line}\n`).join(''))
  }
  await owner.script('close part')
  return { name: heading.table, lines, sha256: hash.digest('hex') }
}

async function readSequences(owner: Owner, take: (text: string) => Promise<void>): Promise<Part> {
  const sequences = await owner.query<{ name: string; sql: string }>(sql`
    select n.nspname || '.' || c.relname as name, format('%I.%I', n.nspname, c.relname) as sql
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and c.relpersistence <> 't'
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    order by (n.nspname || '.' || c.relname) collate "C"`)
  const hash = createHash('sha256')
  let text = headingLine({ sequences: true })
  for (const sequence of sequences) {
    // A sequence can be read like a table with one row; the catalogue query returns the sequence's name already quoted.
    const [state] = await owner.query<{ value: string; called: boolean }>({
      text: `select last_value::text as value, is_called as called from ${sequence.sql}`,
      values: [],
    })
    text += `${JSON.stringify([sequence.name, state?.value, state?.called])}\n`
  }
  hash.update(text)
  await take(text)
  return { name: 'sequences', lines: sequences.length, sha256: hash.digest('hex') }
}
