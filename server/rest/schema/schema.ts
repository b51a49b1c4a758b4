/** The table API's view of the database: tables, columns, keys and functions of schema `public`. */

export type Column = {
  readonly name: string
  /** As SQL writes it in a cast, e.g. `timestamp with time zone`. */
  readonly type: string
}

/** A column as a table has it, with what a writer and the types of the contract must know. */
export type TableColumn = Column & {
  readonly isNullable: boolean
  /** Value that an insert uses for a missing key: SQL of the catalogue; `null` for nothing. */
  readonly defaultSql: string | null
}

/** A way from one table to rows of another, along a foreign key in either direction. */
export type Relationship = {
  /** The name of the foreign key. */
  readonly key: string
  readonly target: string
  /** Columns here and the columns there that equal them. */
  readonly pairs: readonly { readonly here: Column; readonly there: Column }[]
  /** Whether there is at most one row there: it is embedded as an object. */
  readonly isToOne: boolean
  /** Whether the foreign key is a key of its own table too: one row here, one row there. */
  readonly isOneToOne: boolean
  /** Whether the foreign key's columns are the ones here. */
  readonly isOutgoing: boolean
  /** Whether the rows there are those of a view. */
  readonly isToView: boolean
}

export type Table = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** Empty for tables without one; a view has that of the table whose key it shows. */
  readonly primaryKey: readonly Column[]
  /** Names of the columns of any index. */
  readonly indexedColumns: ReadonlySet<string>
  /** Orders that an index holds. */
  readonly indexes: readonly (readonly { readonly name: string; readonly isDescending: boolean }[])[]
  readonly relationships: readonly Relationship[]
}

/** A table or view that a request can name by itself. */
export type NamedTable = Omit<Table, 'columns'> & {
  readonly columns: ReadonlyMap<string, TableColumn>
  readonly isView: boolean
}

export type Parameter = Column & {
  readonly hasDefault: boolean
  /** Whether it takes any number of values, as an array of its type. */
  readonly isVariadic: boolean
}

/** A function that can be called by the names of its arguments. */
export type SqlFunction = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Whether it may change anything: only such a function needs a POST. */
  readonly isVolatile: boolean
  readonly returnsNothing: boolean
  readonly returnsSet: boolean
  /** The type of one value that it answers. */
  readonly returnedType: string
  /** The shape of its rows; `null` when it returns single values. */
  readonly row: Table | null
}

/** Everything that requests can name. */
export type Schema = {
  readonly tables: ReadonlyMap<string, NamedTable>
  /** By name; several when it is overloaded. */
  readonly functions: ReadonlyMap<string, readonly SqlFunction[]>
  /** Comments of check constraints by their names. */
  readonly constraintMessages: ReadonlyMap<string, string>
}

export function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]))
}

/** Rows that do not belong to a table: they have columns and no relationships. */
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
