/** The table API's view of the database: tables, columns, keys and functions of schema `public`. */

export type Column = {
  readonly name: string
  /** The type's SQL name, as it is used in casts, e.g. `timestamp with time zone`. */
  readonly type: string
}

/**
 * A table's column, with the additional properties that writes and the generated types (contract/database-types.ts)
 * need.
 */
export type TableColumn = Column & {
  readonly isNullable: boolean
  /** The column's default as SQL, which a write can use for an omitted key; `null` without a default. */
  readonly defaultSql: string | null
}

/** A relationship from a table to another table's rows, through a foreign key that belongs to one of the two tables. */
export type Relationship = {
  /** The name of the foreign key. */
  readonly key: string
  readonly target: string
  /** Pairs of columns whose values must be equal. Each pair is a column of this table and a column of the target. */
  readonly pairs: readonly { readonly here: Column; readonly there: Column }[]
  /** Whether each row has at most one related row, which is then embedded as an object. */
  readonly isToOne: boolean
  /** Whether the foreign key's columns are also unique in their own table, so that the key links one row to one row. */
  readonly isOneToOne: boolean
  /** Whether the foreign key belongs to this table and not to the target. */
  readonly isOutgoing: boolean
  readonly isToView: boolean
}

export type Table = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /**
   * The columns of the primary key; empty for a table without a primary key. A view has the primary key of the table
   * that it shows.
   */
  readonly primaryKey: readonly Column[]
  /** The names of all columns that belong to an index. */
  readonly indexedColumns: ReadonlySet<string>
  /** The orders in which indexes can provide the rows. */
  readonly indexes: readonly (readonly { readonly name: string; readonly isDescending: boolean }[])[]
  readonly relationships: readonly Relationship[]
}

/** A table or view that a request can name. */
export type NamedTable = Omit<Table, 'columns'> & {
  readonly columns: ReadonlyMap<string, TableColumn>
  readonly isView: boolean
}

export type Parameter = Column & {
  readonly hasDefault: boolean
  /** Whether the parameter takes any number of values, which are passed as an array. */
  readonly isVariadic: boolean
}

/** A function that can be called with named arguments. */
export type SqlFunction = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Whether the function may change data. A function that may change data can be called only by POST. */
  readonly isVolatile: boolean
  readonly returnsNothing: boolean
  readonly returnsSet: boolean
  /** The type of the returned value, if the function returns single values. */
  readonly returnedType: string
  /** The columns of the returned rows; `null` if the function returns single values. */
  readonly row: Table | null
}

/** All objects that requests can name. */
export type Schema = {
  readonly tables: ReadonlyMap<string, NamedTable>
  /** The functions by name. An overloaded function has several entries. */
  readonly functions: ReadonlyMap<string, readonly SqlFunction[]>
  /** The comments on check constraints, by constraint name. */
  readonly constraintMessages: ReadonlyMap<string, string>
}

export function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]))
}

/**
 * Returns a table description for rows that do not belong to a table. The description has columns, but neither keys nor
 * relationships.
 */
export function keylessTable(name: string, columns: readonly Column[]): Table {
  return {
    name,
    columns: byName(columns),
    primaryKey: [],
    indexedColumns: new Set(),
    indexes: [],
    relationships: [],
  }
}
