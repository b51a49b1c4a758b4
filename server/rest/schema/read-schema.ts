/** Reads schema `public` from PostgreSQL's catalogue. */
import type { Database } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { type Catalogue, type CatalogueFunction, catalogueStatement } from './catalogue.ts'
import { readKeys } from './keys.ts'
import { type NamedTable, type Schema, type SqlFunction, type Table, byName, keylessTable } from './schema.ts'

/** Returns the current schema. Throws `SqlError` and `DatabaseUnavailable`. */
export async function readSchema(database: Database): Promise<Schema> {
  const [rows] = await database.transaction(asCaller({ role: 'anon' }, 'read'), [catalogueStatement])
  const [catalogue] = rows
  if (catalogue === undefined) throw new Error('The catalogue answered no row.')
  return schemaOf(catalogue)
}

export function schemaOf({ tables, keys, functions }: Catalogue): Schema {
  const { primaryKeyOf, relationshipsOf } = readKeys(tables, keys)
  const byNumber = new Map(
    tables.map(({ name, oid, columns, indexes, viewQuery }): [number, NamedTable] => [
      oid,
      {
        name,
        isView: viewQuery !== null,
        columns: byName(columns),
        primaryKey: primaryKeyOf(oid),
        indexedColumns: new Set(columns.filter(({ isIndexed }) => isIndexed).map((column) => column.name)),
        indexes,
        relationships: relationshipsOf(oid),
      },
    ]),
  )
  return {
    tables: byName([...byNumber.values()]),
    functions: Map.groupBy(
      functions.map((known): SqlFunction => ({
        ...known,
        returnsNothing: known.returnedType === 'void',
        row: byNumber.get(known.returnedTable) ?? rowOf(known),
      })),
      ({ name }) => name,
    ),
    constraintMessages: new Map(Object.entries(keys.constraintMessages)),
  }
}

function rowOf({ name, returnedColumns }: CatalogueFunction): Table | null {
  return returnedColumns.length === 0 ? null : keylessTable(name, returnedColumns)
}
