/** Makes the tables of a random schema. */
import { type Made, type Spec, type TableForm, q, relationsOf } from './random-object.ts'
import { identifier } from './table-api.ts'

/** The own columns of a table, and an earlier relation that the table may use. */
type TableParts = {
  readonly name: string
  readonly names: readonly string[]
  readonly list: readonly string[]
  readonly target: Made | undefined
}

/** Returns a table of a form, and the partition of a partitioned table. */
export function tablesOf(
  { columns: given, form, to }: Extract<Spec, { kind: 'table' }>,
  name: string,
  made: readonly Made[],
): Made[] {
  const tables = relationsOf(made)
  const parts: TableParts = {
    name,
    names: given.map(([word]) => word),
    list: given.map(([word, type]) => `${identifier(word)} ${type}`),
    target: tables[to % Math.max(1, tables.length)],
  }
  return tablesOfForm[form](parts)
}

const tablesOfForm: Readonly<Record<TableForm, (parts: TableParts) => Made[]>> = {
  keyed: (parts) => [keyedTable(parts)],
  keyless: (parts) => [tableOf(parts, parts.list)],
  pair: (parts) => [tableWithTwoKeys(parts)],
  self: (parts) => [
    tableOf(
      parts,
      [
        '"key of it" integer primary key default 1',
        `parent integer references ${q(parts.name)}`,
        ...parts.list,
      ],
      { more: ['key of it', 'parent'] },
    ),
  ],
  partitioned: partitionedTable,
  inheriting: (parts) => [
    tableOf(parts, parts.list, {
      rest: parts.target === undefined ? '' : ` inherits (${q(parts.target.name)})`,
    }),
  ],
  foreign: ({ name, names, list }) => [
    {
      name,
      columns: names,
      is: 'relation',
      sql: `create foreign table ${q(name)} (${list.join(', ')}) server nowhere`,
    },
  ],
  generated: (parts) => [
    tableOf(
      parts,
      [
        '"key of it" integer generated always as identity primary key',
        'half integer generated always as ("key of it" / 2) stored',
        ...parts.list,
      ],
      { more: ['key of it', 'half'] },
    ),
  ],
  wide: (parts) => [widestTable(parts)],
}

/** Returns a table with the columns `list`, and a row of defaults if PostgreSQL accepts it. `more` come first. */
function tableOf(
  { name, names }: TableParts,
  list: readonly string[],
  { rest = '', more = [] }: { readonly rest?: string; readonly more?: readonly string[] } = {},
): Made {
  return {
    name,
    columns: [...more, ...names],
    is: 'relation',
    sql: `create table ${q(name)} (${list.join(', ')})${rest};
      do $$ begin insert into ${q(name)} default values; exception when others then null; end $$`,
  }
}

function keyedTable(parts: TableParts): Made {
  const { target, list } = parts
  const reference =
    target?.columns.includes('key of it') === true
      ? [`"to other" integer references ${q(target.name)} ("key of it")`]
      : []
  return tableOf(parts, ['"key of it" integer primary key default 1', ...reference, ...list], {
    more: ['key of it', ...reference.map(() => 'to other')],
  })
}

function tableWithTwoKeys(parts: TableParts): Made {
  const others = parts.list.filter((part) => !/^"[ab]" /.test(part))
  return tableOf(parts, ['a integer default 1', "b char(3) default 'x'", 'primary key (a, b)', ...others], {
    more: ['a', 'b'],
  })
}

function partitionedTable(parts: TableParts): Made[] {
  const { name, list } = parts
  const part = `${name.slice(0, 20)}_part`
  return [
    tableOf(parts, ['"key of it" integer default 1 primary key', ...list], {
      rest: ' partition by range ("key of it")',
      more: ['key of it'],
    }),
    {
      name: part,
      columns: [],
      is: 'hidden',
      sql: `create table ${q(part)} partition of ${q(name)} for values from (0) to (9)`,
    },
  ]
}

/** Returns a table with as many columns as PostgreSQL allows. */
function widestTable(parts: TableParts): Made {
  const many = Array.from({ length: 1599 }, (_, at) => `w${at} integer`)
  return {
    ...tableOf(parts, ['"key of it" integer primary key default 1', ...many]),
    columns: ['key of it', 'w0', 'w1598'],
  }
}
