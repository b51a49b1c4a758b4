/**
 * The mark that `migrate-engine` leaves on a bank that it has moved. Servers and commands refuse to open a marked bank,
 * because their changes would be missing from the new database. In an embedded bank, the mark is a file among the
 * engine's files, so it moves with the directory. On PostgreSQL, the mark is the comment on an empty schema. Every
 * login can read this comment, and backups do not contain it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { type Owner, sql } from './database.ts'
import { engineDirectoryOf } from '#data-directory/data-directory.ts'
import { syncPath } from '#data-directory/durable-files.ts'

/** The bank was moved. The message tells the operator where the bank is and how to remove the mark. */
export class BankMoved extends Error {
  override readonly name = 'BankMoved'

  constructor(here: string, { to, at }: Move, removal: string) {
    super(
      `El banco que estaba en ${here} se trasladó a ${to} el ${momentInWords(at)}. Inicia el de allá: lo que se registre aquí ` +
        `no le llega. Para volver a usar este de todos modos, ${removal}`,
    )
  }
}

/** `to` contains the bank's new location without a password, and `at` contains the time of the move in ISO 8601. */
type Move = { readonly to: string; readonly at: string }

const schema = 'finanzas_moved'

/** Marks an embedded bank as moved. No process may have the bank open. */
export function markDirectoryMoved(engineDirectory: string, to: string): void {
  const file = join(engineDirectory, schema)
  writeFileSync(file, moveText(to), { mode: 0o600 })
  syncPath(file)
  syncPath(dirname(file))
}

/** Throws `BankMoved` if the bank in the directory was moved. */
export function refuseMovedDirectory(dataDir: string): void {
  const file = join(engineDirectoryOf(dataDir), schema)
  if (existsSync(file))
    throw new BankMoved(dataDir, JSON.parse(readFileSync(file, 'utf8')) as Move, `borra ${file}.`)
}

/** Marks a bank on PostgreSQL as moved, as part of the open database transaction. */
export async function markDatabaseMoved(owner: Owner, to: string): Promise<void> {
  const text = moveText(to).replaceAll("'", "''")
  await owner.script(`create schema ${schema}; comment on schema ${schema} is '${text}'`)
}

/** Throws `BankMoved` if the bank in the database was moved. */
export async function refuseMovedDatabase(owner: Owner): Promise<void> {
  const [found] = await owner.query(sql<{ database: string; move: string | null }>`
    select current_database() as database, obj_description(n.oid, 'pg_namespace') as move
    from pg_catalog.pg_namespace n where n.nspname = ${schema}`)
  if (found === undefined) return
  const move = JSON.parse(found.move ?? '{}') as Move
  throw new BankMoved(`la base de datos ${found.database}`, move, `ejecuta allí: drop schema ${schema};`)
}

function moveText(to: string): string {
  return JSON.stringify({ to, at: new Date().toISOString() } satisfies Move)
}
