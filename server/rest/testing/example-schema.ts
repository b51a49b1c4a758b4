/** The database schema of a small library of books, which the tests of server/rest use. */
import type { SqlStatement } from '#database/database.ts'
import type { Catalogue, CatalogueFunction, CatalogueKeys, CatalogueTable } from '#rest/schema/catalogue.ts'
import { schemaOf } from '#rest/schema/read-schema.ts'
import { type RawRequest, parseRequest } from '#rest/parse/parse.ts'
import { planRequest } from '#rest/plan/plan.ts'
import type { Schema } from '#rest/schema/schema.ts'
import type { Answer } from '#rest/sql/parts.ts'
import { statementOf } from '#rest/sql/statement.ts'

/** Describes a table in the format of the catalogue query. Each column is a string `name type`. */
export function catalogueTable(oid: number, name: string, columns: readonly string[]): CatalogueTable {
  return {
    name,
    oid,
    viewQuery: null,
    indexes: [],
    columns: columns.map((column, index) => {
      const space = column.indexOf(' ')
      return {
        name: column.slice(0, space),
        type: column.slice(space + 1),
        number: index + 1,
        isNullable: true,
        defaultSql: null,
        isIndexed: true,
      }
    }),
  }
}

function catalogueFunction(
  name: string,
  parameters: CatalogueFunction['parameters'],
  changes: Partial<CatalogueFunction> = {},
): CatalogueFunction {
  return {
    name,
    parameters,
    isVolatile: true,
    returnsSet: false,
    returnedType: 'integer',
    returnedTable: 0,
    returnedColumns: [],
    ...changes,
  }
}

function foreignKey(
  name: string,
  [table, columns]: [number, number[]],
  target: number,
  isUnique = false,
): CatalogueKeys['foreign'][number] {
  return { name, table, columns, target, targetColumns: [1], isUnique }
}

const parameter = (name: string, type: string, hasDefault = false) => ({
  name,
  type,
  hasDefault,
  isVariadic: false,
})

const books = catalogueTable(3, 'books', [
  'shelf integer',
  'id uuid',
  'author uuid',
  'title text',
  'price numeric',
  'printed timestamp with time zone',
  'facts jsonb',
  'tags text[]',
  'marks json',
])

/**
 * Each book has an author, each loan refers to a book, and each author has at most one portrait. Loans refer to
 * members through two foreign keys. `novels` is a view on `books` without the title.
 */
const libraryCatalogue: Catalogue = {
  tables: [
    catalogueTable(1, 'authors', ['id uuid', 'name text']),
    catalogueTable(2, 'portraits', ['id uuid', 'painter text']),
    {
      ...books,
      indexes: [
        ['shelf', 'id'],
        ['shelf', '-printed', '-id'],
      ].map((names) =>
        names.map((name) => ({ name: name.replace('-', ''), isDescending: name.startsWith('-') })),
      ),
      columns: books.columns.map((column) =>
        column.name === 'price'
          ? { ...column, defaultSql: '10.5' }
          : { ...column, isIndexed: column.name !== 'tags' },
      ),
    },
    catalogueTable(4, 'members', ['id uuid', 'name text']),
    catalogueTable(5, 'loans', ['lender uuid', 'borrower uuid']),
    {
      ...catalogueTable(6, 'novels', ['written_by uuid', 'price numeric']),
      viewQuery:
        '({QUERY :rtable ({RTE :subquery {QUERY :targetList ({TARGETENTRY :resno 1 :resorigtbl 1 :resorigcol 1})}})' +
        ' :targetList ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname written\\}_\\{by :resorigtbl 3 :resorigcol 3 :resjunk false}' +
        ' {TARGETENTRY :expr {SUBLINK {QUERY :targetList ({TARGETENTRY :resno 1 :resorigtbl 1 :resorigcol 1})}} :resno 2 :resname price :resorigtbl 0 :resorigcol 0}) :override 0})',
    },
  ],
  keys: {
    constraintMessages: {},
    primary: [
      { table: 1, columns: [1] },
      { table: 2, columns: [1] },
      { table: 3, columns: [1, 2] },
      { table: 4, columns: [1] },
    ],
    foreign: [
      foreignKey('portraits_id_fkey', [2, [1]], 1, true),
      foreignKey('books_author_fkey', [3, [3]], 1),
      foreignKey('loans_lender_fkey', [5, [1]], 4),
      foreignKey('loans_borrower_fkey', [5, [2]], 4),
    ],
  },
  functions: [
    catalogueFunction('lend', [parameter('book', 'uuid'), parameter('days', 'integer', true)], {
      returnedType: 'void',
    }),
    catalogueFunction('count_books', [], { isVolatile: false }),
    catalogueFunction('list_books', [parameter('about', 'text', true)], {
      isVolatile: false,
      returnsSet: true,
      returnedType: 'books',
      returnedTable: 3,
    }),
    catalogueFunction('list_titles', [], { returnsSet: true, returnedType: 'text' }),
    catalogueFunction('find', [parameter('key', 'uuid')]),
    catalogueFunction('find', [parameter('key', 'text')]),
  ],
}

export const library: Schema = schemaOf(libraryCatalogue)

/** Returns a GET request for a path and query. `changes` replaces other properties of the request. */
export function rawRequest(address: string, changes: Partial<RawRequest> = {}): RawRequest {
  const table = address.split('?', 1)[0] ?? ''
  return { method: 'GET', table, url: `/rest/v1/${address}`, headers: {}, body: undefined, ...changes }
}

/** Returns the SQL statement that the table API would run for a request. */
export function statementFor(request: RawRequest, schema: Schema = library): SqlStatement<Answer> {
  return statementOf(planRequest(schema, parseRequest(request)))
}
