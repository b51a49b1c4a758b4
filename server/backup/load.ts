/**
 * Loads a backup into the schema for which it was made. Disables the triggers, because the backup already contains the
 * rows that the triggers would write. Uses one database transaction, and commits it only if the loaded contents equal
 * the saved contents byte for byte.
 */
import { type Owner, sql } from '#database/database.ts'
import { type Contents, type PartHeading, readContents, textSettings } from './contents.ts'
import { readLines } from './read-file.ts'
import { BackupRefused, type Manifest } from './manifest.ts'
import { type Table, readTables } from './tables.ts'

/** Loads every row and sequence, and runs `then` in the same database transaction. */
export async function loadBackup(owner: Owner, path: string, manifest: Manifest, then = ''): Promise<void> {
  await owner.script(`begin; ${textSettings}`)
  try {
    const tables = await readTables(owner)
    const triggers = await readTriggers(owner)
    await owner.script(triggers.map(({ off }) => off).join('\n'))
    // A migration or an interrupted restore may have left rows in the tables.
    await owner.script(`truncate ${tables.map(({ sql: name }) => name).join(', ')}`)
    const byName = new Map(tables.map((table) => [table.name, table]))
    await readLines(path, manifest, (heading, lines) => loadPart(owner, heading, lines, byName))
    await owner.script(triggers.map(({ on }) => on).join('\n'))
    const loaded = await readContents(owner, () => Promise.resolve())
    refuseDifference(manifest.contents, loaded)
    await owner.script(`${then}; commit`)
  } catch (error) {
    await owner.script('rollback').catch(() => undefined)
    throw error
  }
}

/** Throws `BackupRefused` if the contents differ. The error names the first part that differs. */
export function refuseDifference(expected: Contents, found: Contents): void {
  const [name] = differences(expected, found)
  if (name === undefined) return
  throw new BackupRefused(
    `Lo que se cargó no es lo que se guardó: ${name} no coincide. No se conserva nada de ello.`,
  )
}

/** Returns the names of the parts in which two banks differ. */
export function differences(expected: Contents, found: Contents): string[] {
  const partsOf = ({ tables, sequences }: Contents) =>
    new Map([
      ...tables.map((part) => [`la tabla ${part.name}`, part.sha256] as const),
      ['las secuencias', sequences.sha256] as const,
    ])
  const [before, after] = [partsOf(expected), partsOf(found)]
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
}

async function loadPart(
  owner: Owner,
  heading: PartHeading,
  lines: readonly string[],
  tables: ReadonlyMap<string, Table>,
): Promise<void> {
  if ('sequences' in heading) {
    for (const line of lines) await loadSequence(owner, line)
    return
  }
  const table = tables.get(heading.table)
  if (table === undefined) {
    throw new BackupRefused(
      `La copia tiene una tabla ${heading.table} que ninguna migración de esta versión crea. Añádela a las migraciones, o guárdala por otro medio.`,
    )
  }
  if (heading.columns.join() !== table.columns.map(({ name }) => name).join())
    throw new BackupRefused(
      `La tabla ${heading.table} de la copia tiene otras columnas que las de las migraciones.`,
    )
  if (lines.length > 0) await owner.query(insertOf(table, lines))
}

function insertOf({ sql: name, columns }: Table, lines: readonly string[]) {
  const values = columns.map(({ type }, index) => `(line ->> ${index})::${type}`)
  return {
    text: `insert into ${name} (${columns.map((column) => column.sql).join(', ')}) overriding system value
           select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as line`,
    values: [`[${lines.join(',')}]`],
  }
}

async function loadSequence(owner: Owner, line: string): Promise<void> {
  const [name, value, called] = JSON.parse(line) as [string, string, boolean]
  const [sequence] = await owner.query<{ id: number | null }>(sql`
    select c.oid as id from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname || '.' || c.relname = ${name}`)
  if (sequence === undefined)
    throw new BackupRefused(
      `La copia tiene una secuencia ${name} que ninguna migración de esta versión crea.`,
    )
  await owner.query(sql`select setval(${sequence.id}::oid::regclass, ${value}::bigint, ${called})`)
}

/** Returns two statements for each enabled trigger: one disables it, the other restores its mode. */
async function readTriggers(owner: Owner): Promise<{ off: string; on: string }[]> {
  return owner.query<{ off: string; on: string }>(sql`
    select
      format('alter table %s disable trigger %I;', t.tgrelid::regclass, t.tgname) as off,
      format(
        'alter table %s enable %s trigger %I;', t.tgrelid::regclass,
        case t.tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, t.tgname
      ) as on
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and t.tgenabled <> 'D' and t.tgparentid = 0
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`)
}
