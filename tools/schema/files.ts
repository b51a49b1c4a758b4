/**
 * The product's SQL by subject (supabase/schemas), in the order in which PostgreSQL can read it: the tables of all
 * subjects, then the functions, then the triggers. The first file takes the default privileges on functions away, and the
 * last one gives them back. supabase/config.toml lists the files.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#tools/tree.ts'
import { type Subject, subjects } from '#tools/subjects.ts'

export type SchemaFile = { readonly path: string; readonly subject: Subject; readonly text: string }

export const passes = ['begin', 'tables', 'functions', 'triggers', 'end'] as const

const migrationsFolder = join(root, 'supabase/migrations')

/** Returns the files in the order of `schema_paths` in supabase/config.toml. */
export function schemaFiles(): SchemaFile[] {
  return schemaPaths().map((path) => ({
    path,
    subject: subjectOf(path),
    text: readFileSync(join(root, 'supabase/schemas', path), 'utf8'),
  }))
}

/** Returns the paths in `schema_paths`, relative to supabase/schemas. */
function schemaPaths(): string[] {
  const config = readFileSync(join(root, 'supabase/config.toml'), 'utf8')
  const [, list = ''] = /^schema_paths = \[(.*?)^\]/ms.exec(config) ?? []
  return [...list.matchAll(/"\.\/schemas\/(.*?)"/g)].map(([, path = '']) => path)
}

function subjectOf(path: string): Subject {
  const [folder = ''] = path.split('/')
  if (!Object.hasOwn(subjects, folder)) throw new Error(`${path}: tools/subjects.ts does not name ${folder}.`)
  return folder as Subject
}

/** Returns all files as one text, which creates the product's objects in a new database. */
export function assembledSchema(): string {
  return schemaFiles()
    .map(({ path, text }) => `-- supabase/schemas/${path}\n\n${text}`)
    .join('\n')
}

export type MigrationFile = { readonly path: string; readonly release: string; readonly text: string }

/** Returns the files of supabase/migrations, oldest first. The name of each file ends in its release. */
export function migrationFiles(): MigrationFile[] {
  return readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const path = join(migrationsFolder, name)
      const [, release = ''] = /^\d{14}_(\d+_\d+_\d+)\.sql$/.exec(name) ?? []
      return { path, release: release.replaceAll('_', '.'), text: readFileSync(path, 'utf8') }
    })
}

/** Returns the path of a release's new migration. Its version is today's date. */
export function newMigrationPath(release: string, today = new Date()): string {
  const date = today.toISOString().slice(0, 10).replaceAll('-', '')
  return join(migrationsFolder, `${date}000000_${release.replaceAll('.', '_')}.sql`)
}
