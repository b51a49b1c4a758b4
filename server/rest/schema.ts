/** What the table API knows of the database: tables, columns, keys and functions of schema `public`. */
import type { CatalogueFunction, CatalogueTable } from './catalogue.ts'

/** A column of a table. */
export type Column = {
  readonly name: string
  /** As SQL writes it in a cast, e.g. `timestamp with time zone`. */
  readonly type: string
}

/** A way from one table to rows of another, along a foreign key in either direction. */
export type Relationship = {
  readonly target: string
  /** Columns here and the columns there that equal them. */
  readonly pairs: readonly { readonly here: Column; readonly there: Column }[]
  /** Whether there is at most one row there: it is embedded as an object. */
  readonly isToOne: boolean
}

/** A table or view. */
export type Table = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** Empty for views and tables without one. */
  readonly primaryKey: readonly Column[]
  readonly relationships: readonly Relationship[]
}

/** A parameter of a function, known by its name. */
export type Parameter = Column & { readonly hasDefault: boolean }

/** A function that can be called by the names of its arguments. */
export type SqlFunction = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returnsNothing: boolean
  readonly returnsSet: boolean
}

/** Everything that requests can name. */
export type Schema = {
  readonly tables: ReadonlyMap<string, Table>
  /** By name; several when it is overloaded. */
  readonly functions: ReadonlyMap<string, readonly SqlFunction[]>
}

/** The schema that the rows of the catalogue describe. */
export function schemaOf(tables: readonly CatalogueTable[], functions: readonly CatalogueFunction[]): Schema {
  const columns = new Map(
    tables.map(({ name, columns }) => [name, new Map(columns.map((column) => [column.name, column]))]),
  )
  const find = (table: string, names: readonly string[]): Column[] =>
    names.flatMap((name) => columns.get(table)?.get(name) ?? [])
  const relationships = relationshipsOf(tables, find)
  return {
    tables: new Map(
      tables.map(({ name, primary_key }) => [
        name,
        {
          name,
          columns: columns.get(name) ?? new Map<string, Column>(),
          primaryKey: find(name, primary_key),
          relationships: relationships.get(name) ?? [],
        },
      ]),
    ),
    functions: Map.groupBy(
      functions.map(({ name, parameters, returns_nothing, returns_set }) => ({
        name,
        parameters: parameters.map((parameter) => ({ ...parameter, hasDefault: parameter.has_default })),
        returnsNothing: returns_nothing,
        returnsSet: returns_set,
      })),
      ({ name }) => name,
    ),
  }
}

/** Every foreign key is two relationships: from its own table, and back from the one it refers to. */
function relationshipsOf(
  tables: readonly CatalogueTable[],
  find: (table: string, names: readonly string[]) => Column[],
): Map<string, Relationship[]> {
  const relationships = new Map<string, Relationship[]>(tables.map(({ name }) => [name, []]))
  for (const { name, foreign_keys } of tables) {
    for (const key of foreign_keys) {
      const own = find(name, key.columns)
      const others = find(key.target, key.target_columns)
      relationships.get(name)?.push({ target: key.target, pairs: pair(own, others), isToOne: true })
      relationships.get(key.target)?.push({ target: name, pairs: pair(others, own), isToOne: key.is_unique })
    }
  }
  return relationships
}

function pair(here: readonly Column[], there: readonly Column[]): Relationship['pairs'] {
  return here.flatMap((column, index) => {
    const other = there[index]
    return other === undefined ? [] : [{ here: column, there: other }]
  })
}
