/** Reads schema `public` from PostgreSQL's catalogue. */
import type { Database, SqlStatement } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { type CatalogueFunction, functionsSql } from './catalogue-functions.ts'
import { type CatalogueKeys, type CatalogueTable, keysSql, tablesSql } from './catalogue-tables.ts'
import { readKeys } from './keys.ts'
import type { NamedTable, Schema, SqlFunction, Table, TableColumn } from './schema.ts'

/** What the catalogue says about everything that a request can name. */
export type Catalogue = {
  readonly tables: readonly CatalogueTable[]
  readonly keys: CatalogueKeys
  readonly functions: readonly CatalogueFunction[]
}

/** One row. Every role may read the catalogue. */
export const catalogueStatement: SqlStatement<Catalogue> = {
  text: `select (${tablesSql}) as tables, (${keysSql}) as keys, (${functionsSql}) as functions`,
  values: [],
}

/** The schema as it is now. Throws `SqlError` and `DatabaseUnavailable`. */
export async function readSchema(database: Database): Promise<Schema> {
  const [rows] = await database.transaction(asCaller({ role: 'anon' }, 'read'), [catalogueStatement])
  const [catalogue] = rows
  if (catalogue === undefined) throw new Error('The catalogue answered no row.')
  return schemaOf(catalogue)
}

export function schemaOf({ tables, keys, functions }: Catalogue): Schema {
  const { primaryKeyOf, relationshipsOf } = readKeys(tables, keys)
  const byNumber = new Map(
    tables.map((table): [number, NamedTable] => [
      table.oid,
      {
        name: table.name,
        comment: table.comment,
        isView: table.view_query !== null,
        columns: columnsOf(table),
        primaryKey: primaryKeyOf(table.oid),
        indexedColumns: new Set(table.columns.filter((column) => column.is_indexed).map(({ name }) => name)),
        relationships: relationshipsOf(table.oid),
      },
    ]),
  )
  return {
    tables: new Map([...byNumber.values()].map((table) => [table.name, table])),
    functions: Map.groupBy(
      functions.map((known) => functionOf(known, byNumber)),
      ({ name }) => name,
    ),
    constraintMessages: new Map(Object.entries(keys.constraint_messages)),
  }
}

function columnsOf({ columns }: CatalogueTable): ReadonlyMap<string, TableColumn> {
  return new Map(
    columns.map(({ name, type, comment, is_nullable, default_sql, is_generated }) => [
      name,
      {
        name,
        type,
        comment,
        isNullable: is_nullable,
        defaultSql: default_sql,
        isGenerated: is_generated,
      },
    ]),
  )
}

function functionOf(known: CatalogueFunction, tables: ReadonlyMap<number, Table>): SqlFunction {
  return {
    name: known.name,
    comment: known.comment,
    parameters: known.parameters.map(({ name, type, has_default }) => ({
      name,
      type,
      hasDefault: has_default,
    })),
    isVolatile: known.volatility === 'v',
    returnsNothing: known.returned_type === 'void',
    returnsSet: known.returns_set,
    returnedType: known.returned_type,
    row: tables.get(known.returned_table) ?? rowOf(known),
  }
}

/** Rows that are no table's: they have columns and lead nowhere. */
function rowOf({ name, returned_columns }: CatalogueFunction): Table | null {
  if (returned_columns.length === 0) return null
  const columns = new Map(returned_columns.map((column) => [column.name, column]))
  return { name, columns, primaryKey: [], indexedColumns: new Set(), relationships: [] }
}
