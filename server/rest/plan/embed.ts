/**
 * Finds the relationship from a table to the rows that a select list embeds (PostgREST v16, Plan.hs, findRel). The
 * target is the name of a table, of a foreign key, or of a foreign key's only column. A hint (`!key`, `!column`)
 * chooses between several relationships. Relationships through a third table are not supported.
 */
import { restErrors } from '#rest/errors.ts'
import type { SelectEmbed } from '#rest/parse/select.ts'
import type { Relationship, Table } from '#rest/schema/schema.ts'

/**
 * Returns the relationship to the target. Throws PGRST200 if no relationship exists, and PGRST201 if several
 * relationships exist.
 */
export function planRelationship(table: Table, { target, hint }: SelectEmbed): Relationship {
  const [relationship, ...others] = table.relationships.filter((known) =>
    known.target === table.name ? leadsBack(known, target, hint) : leadsTo(known, target, hint),
  )
  if (relationship === undefined) throw restErrors.noRelationship(table.name, target, hint)
  if (others.length === 0) return relationship
  const ways = [relationship, ...others].toSorted(asUpstream).map((way) => ({
    target: way.target,
    key: way.key,
    description: describe(table, way),
  }))
  throw restErrors.ambiguousRelationship({ parent: table.name, child: target }, ways)
}

function leadsTo(known: Relationship, target: string, hint: string | null): boolean {
  if (hint !== null) {
    const isHinted = known.key === hint || isOnlyColumn(known, 'here', hint)
    return known.target === target && (isHinted || isOnlyColumn(known, 'there', hint))
  }
  // A view can be embedded only by its own name, not by the name of a key or a column.
  const isNamed = known.key === target || isOnlyColumn(known, 'here', target)
  return known.target === target || (isNamed && !known.isToView)
}

/**
 * Decides in which direction to follow a foreign key that refers to its own table. If the target is the table's name,
 * the rows that refer to this row are embedded. If the target is the column's name, the row to which this row refers is
 * embedded. A hint must name the referring column.
 */
function leadsBack(known: Relationship, target: string, hint: string | null): boolean {
  if (known.isOneToOne) return false
  const isToMany = known.target === target && !known.isToOne
  if (hint !== null) return isToMany && isOnlyColumn(known, 'there', hint)
  return isToMany || (known.isToOne && isOnlyColumn(known, 'here', target))
}

/** Sorts relationships in the same order as upstream's message, in which relationships to many rows come first. */
function asUpstream(one: Relationship, other: Relationship): number {
  const rank = ({ isToOne, isOneToOne }: Relationship) => (isOneToOne ? 2 : isToOne ? 1 : 0)
  return rank(one) - rank(other)
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
