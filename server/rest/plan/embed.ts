/**
 * Which way leads from a table to the rows that a select list embeds (PostgREST v16, Plan.hs, findRel).
 * The target is a table, a foreign key or its one column; a hint (`!key`, `!column`) chooses between
 * several. Left out: ways through a table between the two.
 */
import { restErrors } from '#rest/errors.ts'
import type { SelectEmbed } from '#rest/parse/select.ts'
import type { Relationship, Table } from '#rest/schema/schema.ts'

/** The relationship to follow. Throws PGRST200 and PGRST201. */
export function planRelationship(table: Table, { target, hint }: SelectEmbed): Relationship {
  const [relationship, ...others] = table.relationships.filter(
    (known) => isTarget(known, target) && (hint === null || isNamed(known, hint)),
  )
  if (relationship === undefined) throw restErrors.noRelationship(table.name, target, hint)
  if (others.length === 0) return relationship
  const ways = [relationship, ...others].map((way) => ({
    target: way.target,
    key: way.key,
    description: describe(table, way),
  }))
  throw restErrors.ambiguousRelationship({ parent: table.name, child: target }, ways)
}

function isTarget(relationship: Relationship, target: string): boolean {
  return relationship.target === target || relationship.key === target || isOwnColumn(relationship, target)
}

function isNamed(relationship: Relationship, hint: string): boolean {
  return (
    relationship.key === hint || isOwnColumn(relationship, hint) || isOnlyColumn(relationship, 'there', hint)
  )
}

/** Whether that is the one column of a foreign key here. */
function isOwnColumn(relationship: Relationship, name: string): boolean {
  return relationship.isOutgoing && isOnlyColumn(relationship, 'here', name)
}

function isOnlyColumn({ pairs }: Relationship, side: 'here' | 'there', name: string): boolean {
  return pairs.length === 1 && pairs[0]?.[side].name === name
}

function describe({ name }: Table, { key, target, pairs, isToOne, isOneToOne }: Relationship): object {
  const list = (side: 'here' | 'there') => pairs.map((pair) => pair[side].name).join(', ')
  return {
    cardinality: isOneToOne ? 'one-to-one' : isToOne ? 'many-to-one' : 'one-to-many',
    embedding: `${name} with ${target}`,
    relationship: `${key} using ${name}(${list('here')}) and ${target}(${list('there')})`,
  }
}
