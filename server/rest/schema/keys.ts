/**
 * Primary keys and relationships, of tables and through views (PostgREST v16, SchemaCache.hs,
 * addViewM2OAndO2ORels). A view stands for the table whose columns it shows: wherever both ends of a
 * foreign key can be seen, in a table or in a view, they are related. The tables themselves need not be.
 */
import type { CatalogueKeys, CatalogueTable } from './catalogue.ts'
import type { Column, Relationship } from './schema.ts'

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
    tables.flatMap(({ oid, viewQuery }) =>
      viewQuery === null
        ? []
        : [[oid, new Map(viewColumnsOf(viewQuery).map((source) => [source.column, source]))] as const],
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
      const seen = columns.flatMap((column): Column[] => {
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

/** A column of a view and of a table: all three by number. */
type ViewColumn = { readonly column: number; readonly table: number; readonly tableColumn: number }

/**
 * The columns of a view, each with the column of a table or view that it shows unchanged. PostgreSQL keeps what a view
 * selects as the text of a tree, `{QUERY … :targetList ({TARGETENTRY … :resno 1 … :resorigtbl 16385 :resorigcol 1 …})
 * …}`, in which every column says where it comes from: 0, which is no table, for an expression. Sub-queries have target
 * lists of their own inside of it, so only the outermost is read (PostgreSQL, outfuncs.c).
 */
function viewColumnsOf(viewQuery: string): readonly ViewColumn[] {
  return targetEntries(viewQuery).map((entry) => ({
    column: numberAfter(entry, ':resno '),
    table: numberAfter(entry, ':resorigtbl '),
    tableColumn: numberAfter(entry, ':resorigcol '),
  }))
}

const targetListName = ':targetList '

/** The text of each outermost target entry, without what stands in braces inside of it. */
function targetEntries(tree: string): string[] {
  const entries: string[] = []
  let depth = 0
  let isInList = false
  let entry = ''
  for (let at = 0; at < tree.length; at += 1) {
    const character = tree.charAt(at)
    if (character === '\\') {
      // What follows belongs to a name or a text.
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
