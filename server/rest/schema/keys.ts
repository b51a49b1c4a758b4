/**
 * Primary keys and relationships, of tables and through views (PostgREST v16, SchemaCache.hs,
 * addViewM2OAndO2ORels). A view stands for the table whose columns it shows: wherever both ends of a
 * foreign key can be seen, in a table or in a view, they are related. The tables themselves need not be.
 */
import type { CatalogueColumn, CatalogueKeys, CatalogueTable } from './catalogue-tables.ts'
import type { Column, Relationship } from './schema.ts'
import { type ViewColumn, viewColumnsOf } from './view-columns.ts'

/** Some columns of a table, as they are seen: in itself, or in a view of it. */
type Sight = { readonly seenIn: CatalogueTable; readonly columns: readonly Column[] }

type Keys = {
  readonly primaryKeyOf: (table: number) => readonly Column[]
  readonly relationshipsOf: (table: number) => readonly Relationship[]
}

/** The keys of all tables and views, by their numbers. */
export function readKeys(tables: readonly CatalogueTable[], keys: CatalogueKeys): Keys {
  const sightsOf = createSights(tables)
  const primaryKeys = new Map<number, readonly Column[]>()
  for (const { table, columns } of keys.primary) {
    for (const sight of sightsOf(table, columns)) {
      if (!primaryKeys.has(sight.seenIn.oid)) primaryKeys.set(sight.seenIn.oid, sight.columns)
    }
  }
  const relationships = new Map<number, Relationship[]>(tables.map(({ oid }) => [oid, []]))
  for (const { name: key, table, columns, target, target_columns, is_unique: isOneToOne } of keys.foreign) {
    const targets = sightsOf(target, target_columns)
    for (const own of sightsOf(table, columns)) {
      for (const other of targets) {
        relationships.get(own.seenIn.oid)?.push({
          key,
          target: other.seenIn.name,
          pairs: pair(own.columns, other.columns),
          isToOne: true,
          isOneToOne,
          isOutgoing: true,
        })
        relationships.get(other.seenIn.oid)?.push({
          key,
          target: own.seenIn.name,
          pairs: pair(other.columns, own.columns),
          isToOne: isOneToOne,
          isOneToOne,
          isOutgoing: false,
        })
      }
    }
  }
  return {
    primaryKeyOf: (table) => primaryKeys.get(table) ?? [],
    relationshipsOf: (table) => relationships.get(table) ?? [],
  }
}

/** Where the columns of a table can be seen, all of them together. */
function createSights(
  tables: readonly CatalogueTable[],
): (table: number, columns: readonly number[]) => Sight[] {
  const sources = new Map(
    tables.flatMap(({ oid, view_query }) =>
      view_query === null
        ? []
        : [[oid, new Map(viewColumnsOf(view_query).map((source) => [source.column, source]))] as const],
    ),
  )
  /** Whether that column of a view is that one of a table, through views of views; a view may be one of itself. */
  const isFrom = (source: ViewColumn, table: number, column: number): boolean => {
    let origin: ViewColumn | undefined = source
    for (let depth = 0; origin !== undefined && depth <= sources.size; depth += 1) {
      if (origin.table === table && origin.tableColumn === column) return true
      origin = sources.get(origin.table)?.get(origin.tableColumn)
    }
    return false
  }
  /** The column of the view or table that shows that column of a table. */
  const shows = (seenIn: number, table: number, column: number): number | undefined =>
    seenIn === table
      ? column
      : [...(sources.get(seenIn)?.values() ?? [])].find((source) => isFrom(source, table, column))?.column
  return (table, columns) =>
    tables.flatMap((seenIn) => {
      const seen = columns.flatMap((column): CatalogueColumn[] => {
        const number = shows(seenIn.oid, table, column)
        return seenIn.columns.filter((known) => known.number === number)
      })
      return seen.length === columns.length && seen.length > 0 ? [{ seenIn, columns: seen }] : []
    })
}

function pair(here: readonly Column[], there: readonly Column[]): Relationship['pairs'] {
  return here.flatMap((column, index) => {
    const other = there[index]
    return other === undefined ? [] : [{ here: column, there: other }]
  })
}
