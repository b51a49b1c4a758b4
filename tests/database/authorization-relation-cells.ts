/** The cells of tables and views: each verb on each column, and the verbs that concern whole rows. */
import { type Target, type Verb, ownerColumn } from '#supabase/authorization/is-permitted.ts'
import { type SqlCell, asActor, targetsOf } from './authorization-cell.ts'
import type { SqlActor } from './authorization-people.ts'
import { valueOf } from './authorization-values.ts'

export type Relation = {
  name: string
  schema: string
  kind: 'r' | 'v'
  columns: { name: string; type: string }[]
  key: string[]
}
/**
 * Schemas in which every column has a cell. In other schemas, one column of each relation is enough, because requests
 * have no right to use these schemas.
 */
export const productSchemas = ['public', 'ledger']

/** Returns the cells of a table or view. */
export function relationCells(actor: SqlActor, relation: Relation): SqlCell[] {
  const table = tableOf(relation)
  const isOurs = productSchemas.includes(relation.schema)
  const cell = cellsOf(actor, relation)
  const columns = isOurs ? relation.columns : relation.columns.slice(0, 1)
  const cells = targetsOf(actor).flatMap(({ target, person }) => {
    const owner = ownerOf(relation)
    const filter = owner === null ? '' : ` where ${owner} = '${person}'`
    return [
      ...columns.map(({ name }) => cell('select', name, target, `select ${name} from ${table}${filter}`)),
      cell('count', null, target, `select count(*) from ${table}${filter} having count(*) > 0`),
      ...insertCells(actor, relation, { target, person, columns }),
      ...changeCells(actor, relation, { target, where: filter, columns }),
      // A statement without a filter reads no column, so neither a missing select right nor a select policy can refuse
      // the statement.
      ...(target === 'own' || actor.own === null
        ? changeCells(actor, relation, { target, where: '', columns })
        : []),
    ]
  })
  const emptied = relation.kind === 'v' ? [] : [cell('truncate', null, 'none', `truncate ${table}`)]
  const isShownToOwner = actor.name === 'anonymous' && isOurs && relation.kind !== 'v'
  return [...cells, ...emptied, ...(isShownToOwner ? [ownersCell(actor, relation)] : [])]
}

const tableOf = ({ schema, name }: Relation) => `${schema}.${name}`
const objectOf = (relation: Relation) => (relation.schema === 'public' ? relation.name : tableOf(relation))
const ownerOf = ({ name, columns }: Relation) =>
  ownerColumn(
    name,
    columns.map((column) => column.name),
  )

const cellsOf =
  (actor: SqlActor, relation: Relation) =>
  (verb: Verb, column: string | null, target: Target, text: string): SqlCell => ({
    attempt: { actor: actor.name, verb, object: objectOf(relation), column, target },
    object: tableOf(relation),
    cell: asActor(actor, text),
  })

type Columns = Relation['columns']

function insertCells(
  actor: SqlActor,
  relation: Relation,
  { target, person, columns }: { target: Target; person: string; columns: Columns },
): SqlCell[] {
  const table = tableOf(relation)
  const cell = cellsOf(actor, relation)
  const owner = ownerOf(relation)
  const needed = rowsByTable[relation.name] ?? null
  // Sets only the required columns. If the statement set other columns too, a missing right on these columns would
  // hide the effect of a grant on a single column.
  const base = { ...(owner === null || needed === null ? {} : { [owner]: `'${person}'` }), ...needed }
  const given = (name: string, type: string) => (name === owner ? `'${person}'` : valueOf(name, type))
  const keyed = Object.fromEntries(
    relation.key.map((name) => [name, given(name, columnType(relation, name))]),
  )
  const insert = (values: Record<string, string>) =>
    `insert into ${table} (${Object.keys(values).join(', ')}) values (${Object.values(values).join(', ')})`
  const cells = columns.map(({ name, type }) =>
    cell('insert', name, target, insert({ ...base, [name]: given(name, type) })),
  )
  if (relation.name === 'transactions')
    cells.push(cell('insert', 'a deposit', target, insert({ ...base, type: "'deposit'" })))
  if (relation.kind === 'v') return cells
  const written = columns[0]?.name ?? ''
  const key = relation.key.length === 0 ? '' : ` (${relation.key.join(', ')})`
  const upsert = `${insert({ ...base, ...keyed })} on conflict${key} do update set ${written} = excluded.${written}`
  return [...cells, cell('upsert', null, target, upsert)]
}

function changeCells(
  actor: SqlActor,
  relation: Relation,
  { target, where, columns }: { target: Target; where: string; columns: Columns },
): SqlCell[] {
  const table = tableOf(relation)
  const cell = cellsOf(actor, relation)
  return [
    ...columns.map(({ name, type }) => {
      const value = name === 'role' ? otherRole : valueOf(name, type)
      const rows = ownWords(relation.name, name, where)
      return cell('update', name, target, `update ${table} set ${name} = ${value}${rows}`)
    }),
    cell('delete', null, target, `delete from ${table}${where}`),
  ]
}

/** The read of a table by the role that owns it, which row-level security must refuse as well. */
function ownersCell(actor: SqlActor, relation: Relation): SqlCell {
  const table = tableOf(relation)
  const column = 'as the owner of the table'
  return {
    attempt: { actor: actor.name, verb: 'select', object: objectOf(relation), column, target: 'none' },
    object: table,
    cell: {
      ...asActor(actor, `select 1 from ${table} limit 1`),
      role: 'supabase_auth_admin',
      prepare: `grant usage on schema ${relation.schema} to supabase_auth_admin; alter table ${table} owner to supabase_auth_admin`,
    },
  }
}

/**
 * Limits a change of any column except the category to rows that the customer recorded, because a trigger protects the
 * rows that the bank recorded.
 */
function ownWords(table: string, column: string, where: string): string {
  if (table !== 'transactions' || column === 'category') return where
  return `${where === '' ? ' where' : `${where} and`} recorded_by = 'customer'`
}

function columnType({ columns }: Relation, name: string): string {
  return columns.find((column) => column.name === name)?.type ?? 'text'
}

/** The required columns of a row, so that an insert can fail only because of a missing right. */
const rowsByTable: Record<string, Record<string, string>> = {
  transactions: { type: "'expense'", description: "'Café'", amount: '1', category: "'Comida'" },
  categories: { name: "'Jardín'" },
  category_rules: { contains: "'Vivero'", category: "'Jardín'" },
}

const otherRole = "case role when 'admin' then 'user' else 'admin' end"
