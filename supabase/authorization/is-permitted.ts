/** Parses the sentences in permissions.ts and decides whether any sentence permits an attempt. */
import { permissions } from './permissions.ts'

/** The actors: people, people whose access has ended, and services. docs/authorization.md describes each of them. */
export type Actor =
  | 'nobody'
  | 'anonymous'
  | 'customer'
  | 'forger'
  | 'other customer'
  | 'administrator'
  | 'returned administrator'
  | 'former administrator'
  | 'deleted'
  | 'banned'
  | 'expired'
  | 'service'
  | 'authentication service'

/** The attempted action. */
export type Verb =
  | 'select'
  | 'count'
  | 'insert'
  | 'upsert'
  | 'update'
  | 'delete'
  | 'truncate'
  | 'embed'
  | 'call'
  | 'invoke'
  | 'join'
  | 'receive'

/** Whether the row belongs to the actor (`own`), to another user (`other`) or to no user (`none`). */
export type Target = 'own' | 'other' | 'none'

/** An actor's attempt to use an object. */
export type Attempt = {
  readonly actor: Actor
  readonly verb: Verb
  /** The object's name in requests and in the sentences. The name includes the schema unless the schema is `public`. */
  readonly object: string
  readonly column: string | null
  readonly target: Target
}

type Permission = {
  readonly actors: readonly Actor[]
  readonly verb: Verb
  readonly object: string
  readonly columns: readonly string[] | null
  readonly targets: readonly Target[]
}

const groups: Record<string, readonly Actor[]> = {
  people: ['customer', 'forger', 'other customer', 'administrator', 'returned administrator'],
  administrators: ['administrator'],
  'the service': ['service'],
  'the authentication service': ['authentication service'],
}

const whose: Record<string, readonly Target[]> = {
  'of their own': ['own'],
  'of other users': ['other'],
  'of any user': ['own', 'other', 'none'],
  // Sentences about function calls use these phrases.
  'for themselves': ['own'],
  'for other users': ['other'],
  'for any user': ['own', 'other', 'none'],
}

const sentence = new RegExp(
  `^(${Object.keys(groups).join('|')}) may ([a-z]+) ([\\w.:-]+(?: with \\w+)?)(?:\\(([\\w, ]+)\\))?(?: (${Object.keys(whose).join('|')}))?$`,
)

/** Parses a sentence. Throws if the sentence is invalid. */
function permissionOf(text: string): Permission {
  const [, group = '', verb = '', object = '', columns, targets] = sentence.exec(text) ?? []
  const permitted = groups[group]
  if (permitted === undefined)
    throw new SyntaxError(`The permission does not have the form of a sentence: ${text}`)
  return {
    actors: permitted,
    verb: verb as Verb,
    object,
    columns: columns?.split(', ') ?? null,
    targets: targets === undefined ? ['own', 'other', 'none'] : (whose[targets] ?? []),
  }
}

const parsed = permissions.map(permissionOf)

/** Returns whether any sentence permits the attempt. Permission to select includes permission to count. */
export function isPermitted({ actor, verb, object, column, target }: Attempt): boolean {
  const asked = verb === 'count' ? 'select' : verb
  return parsed.some(
    (each) =>
      each.actors.includes(actor) &&
      each.verb === asked &&
      each.object === object &&
      each.targets.includes(target) &&
      (column === null || each.columns === null || each.columns.includes(column)),
  )
}

/** Returns the sentences that none of the attempts needs. */
export function unusedPermissions(attempts: readonly Attempt[]): readonly string[] {
  return permissions.filter((text) => {
    const { actors: permitted, verb, object } = permissionOf(text)
    return !attempts.some(
      (each) =>
        each.object === object &&
        permitted.includes(each.actor) &&
        (each.verb === verb || (verb === 'select' && each.verb === 'count')),
    )
  })
}

/**
 * Returns the table's column that identifies the owner of a row, or `null` if the table has no owner column.
 */
export function ownerColumn(table: string, columns: readonly string[]): string | null {
  // An audit entry names two people. The target counts as the owner, because the entry reveals facts about
  // the target.
  if (table.startsWith('audit')) return 'target'
  if (['profiles', 'user_safe', 'users'].includes(table)) return 'id'
  return ['user_id', 'actor', 'payer'].find((column) => columns.includes(column)) ?? null
}
