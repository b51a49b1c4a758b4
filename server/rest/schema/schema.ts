/** The table API's view of the database: tables, columns, keys and functions of schema `public`. */

export type Column = {
  readonly name: string
  /** The SQL name for a cast, e.g. `timestamp with time zone`. */
  readonly type: string
}

/** A column of a table, with the properties that writes and the types of the contract need. */
export type TableColumn = Column & {
  readonly isNullable: boolean
  /** The default as SQL, which a write uses for a missing key; `null` without a default. */
  readonly defaultSql: string | null
}

/** A relationship from a table to the rows of another table, through a foreign key of either table. */
export type Relationship = {
  /** The name of the foreign key. */
  readonly key: string
  readonly target: string
  /** Pairs of columns that must be equal: a column of this table and a column of the target. */
  readonly pairs: readonly { readonly here: Column; readonly there: Column }[]
  /** Whether the target has at most one row, which is embedded as an object. */
  readonly isToOne: boolean
  /** Whether the foreign key is also unique in its own table, so it links one row to one row. */
  readonly isOneToOne: boolean
  /** Whether this table has the foreign key. */
  readonly isOutgoing: boolean
  /** Whether the target is a view. */
  readonly isToView: boolean
}

export type Table = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** Empty for a table without a primary key; a view has the primary key of the table that it shows. */
  readonly primaryKey: readonly Column[]
  /** Names of the columns in any index. */
  readonly indexedColumns: ReadonlySet<string>
  /** Orders that an index provides. */
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
  /** Whether the parameter takes any number of values, as an array of its type. */
  readonly isVariadic: boolean
}

/** A function that can be called with named arguments. */
export type SqlFunction = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Whether the function may change data; it can then be called only by POST. */
  readonly isVolatile: boolean
  readonly returnsNothing: boolean
  readonly returnsSet: boolean
  /** The type of a single returned value. */
  readonly returnedType: string
  /** The shape of the returned rows; `null` for single values. */
  readonly row: Table | null
}

/** All objects that requests can name. */
export type Schema = {
  readonly tables: ReadonlyMap<string, NamedTable>
  /** By name; an overloaded function has several entries. */
  readonly functions: ReadonlyMap<string, readonly SqlFunction[]>
  /** Comments on check constraints, by the constraints' names. */
  readonly constraintMessages: ReadonlyMap<string, string>
}

export function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]))
}

/** Returns the shape of rows that do not belong to a table. It has columns, but no key and no relationships. */
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
