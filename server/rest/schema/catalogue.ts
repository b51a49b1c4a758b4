/** The statement that reads the schema `public` from PostgreSQL's catalogue, and the row that it answers. */
import type { SqlStatement } from '#database/database.ts'
import { type CatalogueFunction, functionsSql } from './catalogue-functions.ts'
import { type CatalogueKeys, type CatalogueTable, keysSql, tablesSql } from './catalogue-tables.ts'

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
