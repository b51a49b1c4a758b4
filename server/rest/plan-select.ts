/** Select lists with the columns and relationships that they name (PostgREST v16, Plan/ReadPlan.hs). */
import { restErrors } from './errors.ts'
import type { SelectItem } from './parse-select.ts'
import { columnOf } from './plan-conditions.ts'
import type { Column, Relationship, Schema, Table } from './schema.ts'

/** One entry of the answer's objects, under the key that the client wants. */
export type Selected =
  | { readonly kind: 'column'; readonly key: string; readonly column: Column }
  | {
      readonly kind: 'embed'
      readonly key: string
      readonly table: Table
      readonly relationship: Relationship
      readonly selection: Selection
    }

/** The entries of the answer's objects, in their order. */
export type Selection = readonly Selected[]

/** The entries that a select list asks for. Throws 42703, PGRST200 and PGRST201. */
export function planSelect(schema: Schema, table: Table, items: readonly SelectItem[]): Selection {
  return items.flatMap((item): Selected[] => {
    switch (item.kind) {
      case 'all':
        return [...table.columns.values()].map((column) => ({ kind: 'column', key: column.name, column }))
      case 'column':
        return [{ kind: 'column', key: item.alias ?? item.name, column: columnOf(table, item.name) }]
      case 'embed': {
        const relationship = relationshipOf(table, item.table)
        const target = tableOf(schema, relationship.target)
        const selection = planSelect(schema, target, item.items)
        return [{ kind: 'embed', key: item.alias ?? item.table, table: target, relationship, selection }]
      }
      default:
        return item satisfies never
    }
  })
}

/** The table of that name. Throws PGRST205. */
export function tableOf(schema: Schema, name: string): Table {
  const table = schema.tables.get(name)
  if (table === undefined) throw restErrors.noTable(name)
  return table
}

/** Throws for a filter, order or limit of an embedded table: PGRST108 when it is not in the list. */
export function refuseEmbeddedQuery(items: readonly SelectItem[], names: readonly string[]): void {
  for (const name of names) {
    const isEmbedded = items.some((item) => item.kind === 'embed' && (item.alias ?? item.table) === name)
    throw isEmbedded
      ? restErrors.notImplemented('Filters, order and limits of embedded tables')
      : restErrors.notEmbedded(name)
  }
}

function relationshipOf(table: Table, target: string): Relationship {
  const [relationship, ...others] = table.relationships.filter((known) => known.target === target)
  if (relationship === undefined) throw restErrors.noRelationship(table.name, target)
  if (others.length > 0) throw restErrors.ambiguousRelationship(table.name, target)
  return relationship
}
