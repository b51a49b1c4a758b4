/**
 * Finds the primary keys and relationships of tables and views (PostgREST v16, SchemaCache.hs, addViewM2OAndO2ORels). A
 * view has the keys of the tables whose columns it shows. Two tables or views are related if one of them shows the
 * columns of a foreign key and the other shows the columns to which the key refers. The foreign key's own tables need
 * not be visible to clients.
 */
import type { CatalogueKeys, CatalogueTable } from './catalogue.ts'
import type { Column, Relationship } from './schema.ts'

/**
 * A table or view (`seenIn`) that shows some columns of a table. `columns` are the corresponding columns of `seenIn`.
 */
type Sight = { readonly seenIn: CatalogueTable; readonly columns: readonly Column[] }

type Keys = {
  readonly primaryKeyOf: (table: number) => readonly Column[]
  readonly relationshipsOf: (table: number) => readonly Relationship[]
}

/** Finds the keys of all tables and views. The returned functions look up the keys by the oid of the table or view. */
export function readKeys(tables: readonly CatalogueTable[], keys: CatalogueKeys): Keys {
  const sightsOf = createSights(tables)
  const primaryKeys = new Map<number, Set<Column>>()
  for (const { table, columns } of keys.primary) {
    const isAdded = new Set<number>()
    // If a view shows several tables, its key consists of the key columns of all these tables. If a view shows a key
    // several times, only the first occurrence is used.
    for (const { seenIn, columns: seen } of sightsOf(table, columns)) {
      if (isAdded.has(seenIn.oid)) continue
      isAdded.add(seenIn.oid)
      primaryKeys.set(seenIn.oid, new Set([...(primaryKeys.get(seenIn.oid) ?? []), ...seen]))
    }
  }
  const relationships = new Map<number, Relationship[]>(tables.map(({ oid }) => [oid, []]))
  for (const { name: key, table, columns, target, targetColumns, isUnique: isOneToOne } of keys.foreign) {
    const targets = sightsOf(target, targetColumns)
    for (const own of sightsOf(table, columns)) {
      for (const other of targets) {
        relationships.get(own.seenIn.oid)?.push({
          key,
          target: other.seenIn.name,
          pairs: pair(own.columns, other.columns),
          isToOne: true,
          isOneToOne,
          isOutgoing: true,
          isToView: other.seenIn.viewQuery !== null,
        })
        relationships.get(other.seenIn.oid)?.push({
          key,
          target: own.seenIn.name,
          pairs: pair(other.columns, own.columns),
          isToOne: isOneToOne,
          isOneToOne,
          isOutgoing: false,
          isToView: own.seenIn.viewQuery !== null,
        })
      }
    }
  }
  return {
    primaryKeyOf: (table) => [...(primaryKeys.get(table) ?? [])],
    relationshipsOf: (table) => relationships.get(table) ?? [],
  }
}

/**
 * Returns a function that takes columns of a table. This function finds every table or view that shows all of these
 * columns.
 */
function createSights(
  tables: readonly CatalogueTable[],
): (table: number, columns: readonly number[]) => Sight[] {
  const sources = new Map(
    tables.flatMap(({ oid, viewQuery }) =>
      viewQuery === null
        ? []
        : [[oid, new Map(viewColumnsOf(viewQuery).map((source) => [source.column, source]))] as const],
    ),
  )
  const shown = new Map(tables.map((seenIn) => [seenIn, columnsByOrigin(seenIn, sources)]))
  return (table, columns) =>
    tables.flatMap((seenIn) => {
      const ways = columns.map((column) => shown.get(seenIn)?.get(originOf(table, column)) ?? [])
      return combinationsOf(ways).map((seen) => ({ seenIn, columns: seen }))
    })
}

type Sources = ReadonlyMap<number, ReadonlyMap<number, ViewColumn>>

/**
 * Returns the columns of a table or view, keyed by the original column that each of them shows. Also follows views that
 * are based on other views.
 */
function columnsByOrigin({ oid, columns }: CatalogueTable, sources: Sources): Map<string, Column[]> {
  const byOrigin = new Map<string, Column[]>()
  for (const column of columns) {
    let origin: ViewColumn | undefined = { column: 0, table: oid, tableColumn: column.number }
    // The depth is limited, because a view may refer to itself.
    for (let depth = 0; origin !== undefined && depth <= sources.size; depth += 1) {
      const key = originOf(origin.table, origin.tableColumn)
      const known = byOrigin.get(key) ?? []
      if (!known.includes(column)) byOrigin.set(key, [...known, column])
      origin = sources.get(origin.table)?.get(origin.tableColumn)
    }
  }
  return byOrigin
}

function originOf(table: number, column: number): string {
  return `${table}.${column}`
}

/** Maximum number of ways in which a view may show a key. Further ways are ignored. */
const sightsMax = 16

/**
 * Returns all combinations of one item from each list. Several combinations exist if a view shows a column several
 * times.
 */
function combinationsOf<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (begun, list) => begun.flatMap((items) => list.map((item) => [...items, item])).slice(0, sightsMax),
    [[]],
  )
}

function pair(here: readonly Column[], there: readonly Column[]): Relationship['pairs'] {
  return here.flatMap((column, index) => {
    const other = there[index]
    return other === undefined ? [] : [{ here: column, there: other }]
  })
}

/**
 * A column of a view, and the original column that it shows. Columns are identified by number, and the table by oid.
 */
type ViewColumn = { readonly column: number; readonly table: number; readonly tableColumn: number }

/**
 * Returns those columns of a view that show a column of a table or view unchanged. Each column comes with the original
 * column. PostgreSQL stores a view's query as the text of a tree, `{QUERY … :targetList ({TARGETENTRY … :resno 1 …
 * :resorigtbl 16385 :resorigcol 1 …}) …}`. Every entry contains the oid of the column's source table, or 0 for an
 * expression. Subqueries have target lists of their own, so only the outermost list is read (PostgreSQL, outfuncs.c).
 */
function viewColumnsOf(viewQuery: string): readonly ViewColumn[] {
  return targetEntries(viewQuery).map((entry) => ({
    column: numberAfter(entry, ':resno '),
    table: numberAfter(entry, ':resorigtbl '),
    tableColumn: numberAfter(entry, ':resorigcol '),
  }))
}

const targetListName = ':targetList '

/** Returns the text of each entry in the outermost target list, without the contents of nested braces. */
function targetEntries(tree: string): string[] {
  const entries: string[] = []
  let depth = 0
  let isInList = false
  let entry = ''
  for (let at = 0; at < tree.length; at += 1) {
    const character = tree.charAt(at)
    if (character === '\\') {
      // The next character is escaped, because it belongs to a name or a string.
      at += 1
    } else if (character === '{') {
      depth += 1
      if (depth === 2) entry = ''
    } else if (character === '}') {
      if (depth === 2 && isInList) entries.push(entry)
      depth -= 1
    } else if (depth === 2) {
      entry += character
    } else if (depth === 1 && character === ':') {
      isInList = tree.startsWith(targetListName, at)
    }
  }
  return entries
}

function numberAfter(entry: string, label: string): number {
  const start = entry.indexOf(label)
  return start === -1 ? 0 : Number.parseInt(entry.slice(start + label.length), 10)
}
