// Generates the TypeScript type `Database` from the schema. supabase-js derives the types of its queries from this
// type (GenericSchema in supabase-js). The insert and update types contain only the columns that customers may
// write. Code that writes any other column does not compile.
import type { NamedTable, Schema, SqlFunction, Table } from '#server/rest/schema/schema.ts'
import type { ColumnRules } from './column-rules.ts'

const head = `/**
 * The tables, views and functions of schema \`public\`, in the form that supabase-js expects, and the lists that the
 * database and the page share. \`npm run types\` generates this file from the catalogue of a migrated database; a test
 * fails when the file is out of date.
 * \`Insert\` and \`Update\` have only the columns that a signed-in person may write; the bank writes the other
 * columns through functions. Numbers may be sent as decimal text, so that they keep all digits.
 */

/** Any JSON value. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]
`

/** Returns the text of the generated file before it is formatted. */
export function typesOf({ tables, functions }: Schema, rules: ColumnRules): string {
  const named = [...tables.values()]
  const tablesText = named.filter(({ isView }) => !isView).map((table) => tableText(table, rules))
  const viewsText = named.filter(({ isView }) => isView).map((table) => tableText(table, rules))
  const functionsText = [...functions].map(
    ([name, known]) =>
      `${quoted(name)}: ${known.map((each) => functionText(each, tables, rules)).join(' | ')}`,
  )
  return `${head}
/** The database, as the type parameter of \`createClient\`. */
export type Database = {
  __InternalSupabase: { PostgrestVersion: '14' }
  public: {
    Tables: ${objectOf(tablesText)}
    Views: ${objectOf(viewsText)}
    Functions: ${objectOf(functionsText)}
    Enums: ${objectOf([])}
    CompositeTypes: ${objectOf([])}
  }
}
`
}

function tableText(table: NamedTable, rules: ColumnRules): string {
  const parts = [`Row: ${rowText(table, rules)}`]
  if (!table.isView) {
    parts.push(`Insert: ${insertText(table, rules)}`, `Update: ${updateText(table, rules)}`)
  }
  parts.push(`Relationships: [${relationshipsText(table)}]`)
  return `${quoted(table.name)}: ${objectOf(parts)}`
}

function rowText({ name, columns, primaryKey }: NamedTable, rules: ColumnRules): string {
  return objectOf(
    [...columns.values()].map((column) => {
      // PostgreSQL reports every column of a view as nullable, but the key columns of a view are never null.
      const isNullable = column.isNullable && !primaryKey.some((key) => key.name === column.name)
      return `${quoted(column.name)}: ${valuesText(name, column, rules)}${isNullable ? ' | null' : ''}`
    }),
  )
}

function insertText({ name, columns }: NamedTable, rules: ColumnRules): string {
  const written = [...columns.values()].filter((column) => rules.canInsert(name, column.name))
  if (written.length === 0) return 'never'
  return objectOf(
    written.map((column) => {
      const isOptional = column.isNullable || column.defaultSql !== null
      const value = sentText(name, column, rules)
      return `${quoted(column.name)}${isOptional ? '?' : ''}: ${value}${column.isNullable ? ' | null' : ''}`
    }),
  )
}

function updateText({ name, columns }: NamedTable, rules: ColumnRules): string {
  const written = [...columns.values()].filter((column) => rules.canUpdate(name, column.name))
  if (written.length === 0) return 'never'
  return objectOf(
    written.map(
      (column) =>
        `${quoted(column.name)}?: ${sentText(name, column, rules)}${column.isNullable ? ' | null' : ''}`,
    ),
  )
}

function relationshipsText({ relationships }: Table): string {
  return relationships
    .filter(({ isOutgoing }) => isOutgoing)
    .map(({ key, target, pairs, isOneToOne }) => {
      const list = (side: 'here' | 'there') => pairs.map((pair) => literal(pair[side].name)).join(', ')
      return objectOf([
        `foreignKeyName: ${literal(key)}`,
        `columns: [${list('here')}]`,
        `isOneToOne: ${isOneToOne}`,
        `referencedRelation: ${literal(target)}`,
        `referencedColumns: [${list('there')}]`,
      ])
    })
    .join(', ')
}

function functionText(known: SqlFunction, tables: Schema['tables'], rules: ColumnRules): string {
  const args = known.parameters.map(
    ({ name, type, hasDefault }) => `${quoted(name)}${hasDefault ? '?' : ''}: ${sentType(type)}`,
  )
  const one = returnedText(known, tables, rules)
  return objectOf([
    `Args: ${args.length === 0 ? 'never' : objectOf(args)}`,
    `Returns: ${known.returnsSet ? `(${one})[]` : one}`,
  ])
}

function returnedText(
  { row, returnedType, returnsNothing }: SqlFunction,
  tables: Schema['tables'],
  rules: ColumnRules,
): string {
  if (returnsNothing) return 'undefined'
  if (row === null) return typeText(returnedType)
  const table = tables.get(row.name)
  // A row that several functions return stands once, so that a new column of the table appears once in the file.
  if (table === row) {
    return `Database['public'][${literal(table.isView ? 'Views' : 'Tables')}][${literal(table.name)}]['Row']`
  }
  if (rules.attributesOf(returnedType).length > 0) return compositeText(returnedType, rules)
  return objectOf(
    [...row.columns.values()].map(({ name, type }) => `${quoted(name)}: ${typeText(type)} | null`),
  )
}

/**
 * Returns the TypeScript type for a composite SQL type. The attributes of this type may themselves be composites or
 * arrays.
 */
function compositeText(type: string, rules: ColumnRules): string {
  if (type.endsWith('[]')) return `(${compositeText(type.slice(0, -2), rules)})[]`
  const attributes = rules.attributesOf(type)
  if (attributes.length === 0) return typeText(type)
  return objectOf(
    attributes.map(
      (each) => `${quoted(each.name)}: ${compositeText(each.type, rules)}${each.isNullable ? ' | null' : ''}`,
    ),
  )
}

type TypedColumn = { readonly name: string; readonly type: string }

/**
 * Returns the TypeScript type of a column. If a check constraint limits the values, this type is a union of the values.
 */
function valuesText(table: string, { name, type }: TypedColumn, rules: ColumnRules): string {
  const values = rules.valuesOf(table, name)
  return values === null ? typeText(type) : values.map(literal).join(' | ')
}

function sentText(table: string, column: TypedColumn, rules: ColumnRules): string {
  return rules.valuesOf(table, column.name) === null
    ? sentType(column.type)
    : valuesText(table, column, rules)
}

function sentType(type: string): string {
  return type === 'numeric' || type === 'bigint' ? 'number | string' : typeText(type)
}

const numbers = new Set(['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision'])

function typeText(type: string): string {
  if (type.endsWith('[]')) return `(${typeText(type.slice(0, -2))})[]`
  if (numbers.has(type)) return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'json' || type === 'jsonb' ? 'Json' : 'string'
}

function objectOf(members: readonly string[]): string {
  return members.length === 0 ? '{ [name in never]: never }' : `{ ${members.join('; ')} }`
}

function quoted(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
