/**
 * The description of the schema at `/` (OpenAPI 2.0, as PostgREST v16 has it in Response/OpenAPI.hs),
 * made of nothing but the catalogue: tables, columns and functions with their comments. For the operator's tools; the
 * database decides a customer's rights.
 */
import type { Column, NamedTable, Schema, SqlFunction, TableColumn } from '#rest/schema/schema.ts'

type Json = { readonly [key: string]: unknown }

export function describeSchema({ tables, functions }: Schema): Json {
  const named = [...tables.values()]
  const called = [...functions.values()].flatMap(([known]) => (known === undefined ? [] : [known]))
  return {
    swagger: '2.0',
    info: { title: 'public', description: 'The tables and functions of schema public.', version: '1' },
    basePath: '/rest/v1',
    consumes: ['application/json'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    paths: Object.fromEntries([
      ...named.map((table) => [`/${table.name}`, tablePath(table)]),
      ...called.map((known) => [`/rpc/${known.name}`, functionPath(known)]),
    ]),
    definitions: Object.fromEntries(named.map((table) => [table.name, definition(table)])),
  }
}

function tablePath(table: NamedTable): Json {
  const { name, comment, columns } = table
  const filters = [...columns.values()].map((column) => ({
    name: column.name,
    in: 'query',
    type: 'string',
    description: `A filter, such as eq.1${column.comment === null ? '' : `. ${column.comment}`}`,
  }))
  const rows = { description: 'OK', schema: { type: 'array', items: { $ref: `#/definitions/${name}` } } }
  const shape = ['select', 'order', 'limit', 'offset'].map((word) => ({
    name: word,
    in: 'query',
    type: 'string',
  }))
  const body = { name: 'body', in: 'body', schema: { $ref: `#/definitions/${name}` } }
  const operation = (parameters: readonly Json[], responses: Json) => ({
    tags: [name],
    ...(comment === null ? {} : { summary: comment }),
    parameters,
    responses,
  })
  const read = { get: operation([...filters, ...shape], { '200': rows }) }
  if (table.isView) return read
  return {
    ...read,
    post: operation([body], { '201': { description: 'Created' } }),
    patch: operation([...filters, body], { '204': { description: 'No content' } }),
    delete: operation(filters, { '204': { description: 'No content' } }),
  }
}

function functionPath({ name, comment, parameters, isVolatile }: SqlFunction): Json {
  const operation = {
    tags: [`(rpc) ${name}`],
    ...(comment === null ? {} : { summary: comment }),
    responses: { '200': { description: 'OK' } },
  }
  const schema = {
    type: 'object',
    required: parameters.filter(({ hasDefault }) => !hasDefault).map((parameter) => parameter.name),
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, property(parameter)])),
  }
  const post = { ...operation, parameters: [{ name: 'args', in: 'body', required: true, schema }] }
  if (isVolatile) return { post }
  const query = parameters.map((parameter) => ({
    name: parameter.name,
    in: 'query',
    required: !parameter.hasDefault,
    type: 'string',
  }))
  return { get: { ...operation, parameters: query }, post }
}

function definition({ columns, comment, primaryKey }: NamedTable): Json {
  const required = [...columns.values()].filter(isRequired).map(({ name }) => name)
  return {
    type: 'object',
    ...(comment === null ? {} : { description: comment }),
    required,
    properties: Object.fromEntries(
      [...columns.values()].map((column) => [
        column.name,
        { ...property(column), ...describedColumn(column, primaryKey.includes(column)) },
      ]),
    ),
  }
}

function isRequired({ isNullable, defaultSql, isGenerated }: TableColumn): boolean {
  return !isNullable && defaultSql === null && !isGenerated
}

function describedColumn({ comment }: TableColumn, isKey: boolean): Json {
  const parts = [comment, isKey ? 'Part of the primary key.' : null].filter((part) => part !== null)
  return parts.length === 0 ? {} : { description: parts.join(' ') }
}

const numbers = new Set(['smallint', 'integer', 'bigint'])
const fractions = new Set(['numeric', 'real', 'double precision'])

function property({ type }: Column): Json {
  if (type.endsWith('[]'))
    return { type: 'array', format: type, items: property({ name: '', type: type.slice(0, -2) }) }
  if (numbers.has(type)) return { type: 'integer', format: type }
  if (fractions.has(type)) return { type: 'number', format: type }
  if (type === 'boolean') return { type: 'boolean', format: type }
  // Any JSON: a schema without a type permits any value.
  return type === 'json' || type === 'jsonb' ? { format: type } : { type: 'string', format: type }
}
