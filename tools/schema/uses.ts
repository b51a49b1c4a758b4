/**
 * Counts the uses between the subjects of supabase/schemas. A use is a name of an object in a function's body, a view,
 * a foreign key, a column, a policy or an index. A trigger is a use of its table by the subject of its function.
 */
import { generalTriggerFunctions, subjects, type Subject } from '#tools/subjects.ts'
import type { SchemaFile } from './files.ts'
import { statementsOf } from './statements.ts'

export type Use = {
  readonly from: Subject
  readonly to: Subject
  /** The object that uses, or the file if the statement creates no named object. */
  readonly user: string
  readonly used: string
}

const objectName = String.raw`(?:public|private|ledger)\.[a-z_]+`

/** Returns each object of the files with its subject. */
export function objectsOf(files: readonly SchemaFile[]): Map<string, Subject> {
  const create = new RegExp(`^create (?:(?:unlogged )?table|view|type|function) (${objectName})`)
  return new Map(
    files.flatMap(({ subject, text }) =>
      statementsOf(text).flatMap((statement) => {
        const [, name] = create.exec(statement) ?? []
        return name === undefined ? [] : [[name, subject] as const]
      }),
    ),
  )
}

/** Returns every use of another subject's object, once. */
export function usesOf(files: readonly SchemaFile[]): Use[] {
  const owners = objectsOf(files)
  const found = files.flatMap((file) =>
    statementsOf(file.text).flatMap((statement) => namesIn(statement, file)),
  )
  const uses = new Map<string, Use>()
  for (const { user, used, subject } of found) {
    const [from, to] = [owners.get(user) ?? subject, owners.get(used)]
    if (to !== undefined && from !== to) uses.set(`${user} ${used}`, { from, to, user, used })
  }
  return [...uses.values()]
}

type Naming = { readonly user: string; readonly used: string; readonly subject: Subject }

function namesIn(statement: string, { path, subject }: SchemaFile): Naming[] {
  if (statement.startsWith('comment on ')) return []
  const [, table = '', called = ''] =
    /^create (?:constraint )?trigger [\s\S]*? on ([a-z_.]+)[\s\S]*execute function ([a-z_.]+)\(/.exec(
      statement,
    ) ?? []
  if (called !== '') {
    const isGeneral = generalTriggerFunctions.includes(called)
    // A table of the platform has no subject, and any subject may use it.
    return [isGeneral ? { user: table, used: called, subject } : { user: called, used: table, subject }]
  }
  const [, made] =
    new RegExp(`^create (?:(?:unlogged )?table|view|type|function) (${objectName})`).exec(statement) ?? []
  const names = new Set(statement.match(new RegExp(`\\b${objectName}\\b`, 'g')))
  return [...names].map((used) => ({ user: made ?? path, used, subject }))
}

/** Returns the subjects that a subject may use, directly or through others. */
export function allowedUses(subject: Subject): Set<Subject> {
  const direct: readonly Subject[] = subjects[subject]
  return new Set(direct.flatMap((each) => [each, ...allowedUses(each)]))
}

/** Returns the uses that the table of subjects does not allow, as text. */
export function forbiddenUses(uses: readonly Use[]): string[] {
  return uses
    .filter(({ from, to }) => !allowedUses(from).has(to))
    .map(({ from, to, user, used }) => `${from} → ${to}: ${user} names ${used}`)
    .toSorted()
}

/** Returns the pairs of subjects that use each other. */
export function mutualPairs(uses: readonly Use[]): string[] {
  const arrows = new Set(uses.map(({ from, to }) => `${from} ${to}`))
  return [...new Set(uses.filter(({ from, to }) => arrows.has(`${to} ${from}`)).map(pairOf))].toSorted()
}

function pairOf({ from, to }: Use): string {
  return [from, to].toSorted().join(', ')
}
