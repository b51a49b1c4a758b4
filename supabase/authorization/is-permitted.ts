/** Parses the sentences in permissions.ts and decides whether any sentence permits an attempt. */
import { permissions } from './permissions.ts'

/**
 * The actors: people, people whose access has ended, and services. Each description is printed in
 * docs/authorization.md.
 */
export const actorDescriptions = {
  nobody: 'no key, no token',
  anonymous: 'only the public key, no token',
  customer: 'a customer whose session is valid',
  forger: 'the same customer, whose own metadata and token say that they are an administrator',
  'other customer': 'another customer',
  administrator: 'a user whose role in the database is administrator',
  'returned administrator': 'a demoted user who signed in again, with a token that still has the old role',
  'former administrator': 'a demoted user with the token from before the demotion',
  deleted: 'a deleted user with the token from before the deletion',
  banned: 'a banned user with the token from before the ban',
  expired: 'a customer whose token has expired',
  service: 'the operator’s service key, database role `service_role`',
  'authentication service': 'the server’s own database role `supabase_auth_admin`',
}

export type Actor = keyof typeof actorDescriptions

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
