// `npm run schema-picture`: draws docs/schema from the catalogue of a migrated database and from supabase/schemas.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '#server/database/database.ts'
import { openTestDatabase } from '#testing/database.ts'
import { type Subject, subjects } from '#tools/subjects.ts'
import { root } from '#tools/tree.ts'
import { type SchemaFile, schemaFiles } from './files.ts'
import {
  type ClientFunction,
  type ForeignKey,
  type Table,
  type Trigger,
  readClientFunctions,
  readForeignKeys,
  readTables,
  readTriggers,
  withSchema,
} from './keys-and-triggers.ts'
import { type Use, allowedUses, objectsOf, usesOf } from './uses.ts'

export const picturesFolder = join(root, 'docs/schema')

const made = '<!-- `npm run schema-picture` writes this page. -->'

const phases = [
  'before the statement',
  'before each row',
  'after each row',
  'after the statement',
  'at commit',
]

type Place = Subject | 'platform'

type Schema = {
  readonly files: readonly SchemaFile[]
  readonly tables: readonly Table[]
  readonly keys: readonly ForeignKey[]
  readonly triggers: readonly Trigger[]
  readonly functions: readonly ClientFunction[]
  readonly placeOf: (object: string) => Place
}

if (import.meta.main) {
  const bank = await openTestDatabase()
  const pages = await drawnPages(bank.owner)
  await bank.close()
  rmSync(picturesFolder, { recursive: true, force: true })
  mkdirSync(picturesFolder)
  for (const [name, text] of pages) writeFileSync(join(picturesFolder, name), text)
}

/** Returns the text of each page by the name of its file. */
export async function drawnPages(owner: Owner): Promise<Map<string, string>> {
  const files = schemaFiles()
  const owners = objectsOf(files)
  const schema: Schema = {
    files,
    tables: await readTables(owner),
    keys: await readForeignKeys(owner),
    triggers: await readTriggers(owner),
    functions: await readClientFunctions(owner),
    placeOf: (object) => owners.get(withSchema(object)) ?? 'platform',
  }
  const places: Place[] = [...(Object.keys(subjects) as Subject[]), 'platform']
  return new Map([
    ['README.md', overview(schema)],
    ...places.map((place) => [`${place}.md`, pageOf(place, schema)] as const),
  ])
}

function overview({ files }: Schema): string {
  const uses = usesOf(files)
  const names = Object.keys(subjects) as Subject[]
  const rows = names.map(
    (name) => `| [${name}](${name}.md) | ${descriptionOf(files.filter(({ subject }) => subject === name))} |`,
  )
  return `# The schema by subject

${made}

An arrow means *uses*: the subject calls functions, reads tables or listens to tables of the other subject. A subject may
also use everything below the subjects that it uses. A dotted arrow is a use that
[the table of subjects](../../tools/subjects.ts) does not allow yet, with the number of places. Every subject uses the
[platform](platform.md): users, sessions, mails and the change feed.

\`\`\`mermaid
graph BT
${arrowsOf(uses).join('\n')}
\`\`\`

The SQL of a subject is in \`supabase/schemas/<subject>\`: its tables, its functions, and all triggers on its tables.

| subject | contents |
| --- | --- |
${rows.join('\n')}
`
}

/** Returns the arrows of the table of subjects, and the uses that the table does not allow. */
function arrowsOf(uses: readonly Use[]): string[] {
  const allowed = Object.entries<readonly string[]>(subjects).flatMap(([from, lower]) =>
    lower.map((to) => `  ${from} --> ${to}`),
  )
  const forbidden = uses.filter(({ from, to }) => !allowedUses(from).has(to))
  const dotted = counted(forbidden.map(({ from, to }) => `${from} ${to}`)).map(
    ([pair, count]) => `  ${pair.replace(' ', ` -. ${count} .-> `)}`,
  )
  return [...allowed, ...dotted]
}

/** Returns the text at the top of a subject's first file. */
function descriptionOf([first]: readonly SchemaFile[]): string {
  const [, text = ''] = /^-- \w+: ([\s\S]*?)\n-- Uses:/.exec(first?.text ?? '') ?? []
  const line = text.replaceAll('\n-- ', ' ')
  return line.charAt(0).toUpperCase() + line.slice(1)
}

function pageOf(place: Place, schema: Schema): string {
  const tables = schema.tables.filter(
    ({ schema: name, name: table }) => schema.placeOf(`${name}.${table}`) === place,
  )
  const names = new Set(tables.map((table) => `${table.schema}.${table.name}`))
  const triggers = schema.triggers.filter(({ table }) => names.has(withSchema(table)))
  const keys = schema.keys.filter(({ from }) => names.has(withSchema(from)))
  const functions = schema.functions.filter(({ name }) => schema.placeOf(`public.${name}`) === place)
  const own = schema.files.filter(({ subject }) => subject === place)
  const intro =
    place === 'platform'
      ? 'The objects that a hosted project already has. Our own server creates them from `server/database/platform`.'
      : `${descriptionOf(own)}\n\n${neighbours(place, schema)}\n\n${filesOf(own)}`
  const parts = [
    `# ${place.charAt(0).toUpperCase()}${place.slice(1)}\n\n${made}\n\n${intro}\n`,
    ...(tables.length === 0 ? [] : [tablesSection(tables, keys)]),
    ...(triggers.length === 0 ? [] : [triggersSection(triggers, schema)]),
    ...(functions.length === 0 ? [] : [functionsSection(functions)]),
  ]
  return parts.join('\n')
}

/**
 * Returns the subjects that the subject uses and that use it. The pages do not count uses or functions, because a new
 * function would then change the pages of several subjects.
 */
function neighbours(place: Place, { files }: Schema): string {
  const uses = usesOf(files)
  const listed = (others: readonly Place[]) =>
    [...new Set(others)]
      .toSorted()
      .map((other) => `[${other}](${other}.md)`)
      .join(', ') || 'none'
  return `| uses | used by |
| --- | --- |
| ${listed(uses.filter(({ from }) => from === place).map(({ to }) => to))} | ${listed(uses.filter(({ to }) => to === place).map(({ from }) => from))} |`
}

/** Returns each name once with its number, sorted by name. */
function counted(names: readonly string[]): [name: string, count: number][] {
  return [...new Set(names)].toSorted().map((name) => [name, names.filter((each) => each === name).length])
}

function filesOf(files: readonly SchemaFile[]): string {
  return `The SQL is in these files:\n\n${files.map(({ path }) => `- [${path}](../../supabase/schemas/${path})`).join('\n')}`
}

function tablesSection(tables: readonly Table[], keys: readonly ForeignKey[]): string {
  const rows = tables.map(
    ({ schema, name, comment }) => `| \`${schema}.${name}\` | ${(comment ?? '').replaceAll('|', '\\|')} |`,
  )
  return `## Tables

The picture shows the columns of primary keys (PK) and of foreign keys (FK).

\`\`\`mermaid
erDiagram
${[...tables.map((table) => entity(table, keys)), ...keys.map(relation)].join('\n')}
\`\`\`

| table | description |
| --- | --- |
${rows.join('\n')}
`
}

function entity({ schema, name, keys: columns }: Table, keys: readonly ForeignKey[]): string {
  const foreign = new Set(
    keys.filter(({ from }) => withSchema(from) === `${schema}.${name}`).flatMap((key) => key.columns),
  )
  const lines = columns.map((column) => {
    const marks = [column.isPrimary ? ['PK'] : [], foreign.has(column.name) ? ['FK'] : []].flat()
    return `    ${column.type.replaceAll(/\W+/g, '_')} ${column.name} ${marks.join(', ')}`
  })
  return `  ${name} {\n${lines.join('\n')}\n  }`
}

function relation({ from, to, columns, isOneToOne, deletes }: ForeignKey): string {
  const bare = (name: string) => name.replace(/^\w+\./, '')
  return `  ${bare(from)} ${isOneToOne ? '|o' : '}o'}--|| ${bare(to)} : "${columns.join(', ')} (on delete ${deletes})"`
}

function triggersSection(triggers: readonly Trigger[], { placeOf }: Schema): string {
  const rows = triggers.map(
    ({ table, phase, events, name, calls }) =>
      `| \`${withSchema(table)}\` | ${phases[phase] ?? ''} | ${events} | \`${name}\` | \`${withSchema(calls)}\` | ${placeOf(calls)} |`,
  )
  return `## Triggers

The triggers of each table, in the order in which they fire.

| table | when | event | trigger | calls | of |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

function functionsSection(functions: readonly ClientFunction[]): string {
  const rows = functions.map(
    ({ name, callers, comment }) =>
      `| \`${name}\` | ${callers ?? ''} | ${(comment ?? '').replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`,
  )
  return `## Functions that clients call

[permissions.ts](../../supabase/authorization/permissions.ts) lists the people who may call each function.

| function | granted to | comment |
| --- | --- | --- |
${rows.join('\n')}
`
}
