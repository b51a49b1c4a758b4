/** A small library: the schema that the tests of this room parse, plan and write SQL against. */
import type { SqlStatement } from '#database/database.ts'
import type { CatalogueTable } from './catalogue.ts'
import { type RawRequest, parseRequest } from './parse.ts'
import { planRequest } from './plan.ts'
import { type Schema, schemaOf } from './schema.ts'
import { type Answer, statementOf } from './sql.ts'

const column = (name: string, type: string) => ({ name, type })

/** Books have an author and loans, an author has one portrait; two keys lead from loans to members. */
export const library: Schema = schemaOf(
  [
    {
      name: 'authors',
      columns: [column('id', 'uuid'), column('name', 'text')],
      primary_key: ['id'],
      foreign_keys: [],
    },
    {
      name: 'portraits',
      columns: [column('id', 'uuid'), column('painter', 'text')],
      primary_key: ['id'],
      foreign_keys: [{ columns: ['id'], target: 'authors', target_columns: ['id'], is_unique: true }],
    },
    {
      name: 'books',
      columns: [
        column('shelf', 'integer'),
        column('id', 'uuid'),
        column('author', 'uuid'),
        column('title', 'text'),
        column('price', 'numeric'),
        column('printed', 'timestamp with time zone'),
      ],
      primary_key: ['shelf', 'id'],
      foreign_keys: [{ columns: ['author'], target: 'authors', target_columns: ['id'], is_unique: false }],
    },
    { name: 'members', columns: [column('id', 'uuid')], primary_key: ['id'], foreign_keys: [] },
    {
      name: 'loans',
      columns: [column('lender', 'uuid'), column('borrower', 'uuid')],
      primary_key: [],
      foreign_keys: [
        { columns: ['lender'], target: 'members', target_columns: ['id'], is_unique: false },
        { columns: ['borrower'], target: 'members', target_columns: ['id'], is_unique: false },
      ],
    },
  ],
  [
    {
      name: 'lend',
      parameters: [
        { ...column('book', 'uuid'), has_default: false },
        { ...column('days', 'integer'), has_default: true },
      ],
      returns_nothing: true,
      returns_set: false,
    },
    { name: 'count_books', parameters: [], returns_nothing: false, returns_set: false },
    { name: 'list_books', parameters: [], returns_nothing: false, returns_set: true },
    {
      name: 'find',
      parameters: [{ ...column('key', 'uuid'), has_default: false }],
      returns_nothing: false,
      returns_set: false,
    },
    {
      name: 'find',
      parameters: [{ ...column('key', 'text'), has_default: false }],
      returns_nothing: false,
      returns_set: false,
    },
  ],
)

/** A GET of that path and query, changed as told. */
export function rawRequest(address: string, changes: Partial<RawRequest> = {}): RawRequest {
  const table = address.split('?', 1)[0] ?? ''
  return { method: 'GET', table, url: `/rest/v1/${address}`, headers: {}, body: undefined, ...changes }
}

/** The statement that the library's table API would send for a request, or that of these tables alone. */
export function statementFor(request: RawRequest, tables?: readonly CatalogueTable[]): SqlStatement<Answer> {
  const schema = tables === undefined ? library : schemaOf(tables, [])
  return statementOf(planRequest(schema, parseRequest(request)))
}
