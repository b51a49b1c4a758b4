/**
 * Generates random tables, views and functions that an owner could create in schema `public`. The table API must serve
 * these objects without knowing them in advance. A test in this folder and `npm run nightly` use these schemas.
 */
import fc from 'fast-check'
import { identifier } from './table-api.ts'

/** SQL that creates types with unusual names and shapes. This SQL must run once in each database. */
export const ownTypes = `
  create schema kinds; grant usage on schema kinds to public;
  create type kinds."Mood ""x""" as enum ('a', 'B c', 'd"e');
  create domain kinds."d.om" as integer default 7 check (value > 0);
  create domain kinds.twice as kinds."d.om" not null;
  create type kinds."pa ir" as (a integer, "b ""c""" text, d char(3));
  create domain kinds.pairs as kinds."pa ir";
  create domain kinds.listed as integer[];
  create type kinds.span as range (subtype = integer);
  create foreign data wrapper nothing; create server nowhere foreign data wrapper nothing;
  grant usage on foreign server nowhere to public;`

const types = [
  ...'smallint integer bigint numeric numeric(8,2) real double_precision boolean text varchar varchar(5)'.split(
    ' ',
  ),
  ...'char char(3) bit bit(3) bit_varying(4) uuid date time timetz timestamp timestamptz(3) interval json'.split(
    ' ',
  ),
  ...'jsonb bytea inet cidr macaddr point box int4range tstzrange tsvector tsquery xml money oid name "char"'.split(
    ' ',
  ),
  ...'integer[] text[][] char(3)[] numeric(8,2)[] json[] timestamptz[] regclass void_'
    .split(' ')
    .slice(0, -1),
].map((type) => type.replace('_', ' '))
const named = [
  '"Mood ""x"""',
  '"d.om"',
  'twice',
  '"pa ir"',
  'pairs',
  'listed',
  'span',
  '"Mood ""x"""[]',
  '"pa ir"[]',
]
const typeName = fc.constantFrom(...types, ...named.map((name) => `kinds.${name}`))

const words = fc.constantFrom(
  ...'plain CamelCase t body page written called element object result count order select limit and 123'.split(
    ' ',
  ),
  ...`quo"te|back\\slash|do.t|com,ma|par(en)|with space|ünï|a:b|*|it's|%|-|->>|😀|__proto__|constructor|{}|$1|?`.split(
    '|',
  ),
  'ж'.repeat(29),
  'x'.repeat(58),
)

type Spec =
  | { kind: 'table'; word: string; columns: readonly [string, string][]; form: TableForm; to: number }
  | { kind: 'view'; word: string; form: ViewForm; of: number }
  | {
      kind: 'function'
      word: string
      form: FunctionForm
      parameters: readonly [string, string][]
      of: number
    }
type TableForm = (typeof tableForms)[number]
type ViewForm = (typeof viewForms)[number]
type FunctionForm = (typeof functionForms)[number]
const tableForms = [
  'keyed',
  'keyless',
  'pair',
  'self',
  'partitioned',
  'inheriting',
  'foreign',
  'generated',
  'wide',
] as const
const viewForms = [
  'whole',
  'twice',
  'expression',
  'materialized',
  'circle',
  'two in a circle',
  'without columns',
] as const
const functionForms = [
  ...([
    'void',
    'value',
    'values',
    'row',
    'rows',
    'table',
    'one out',
    'two outs',
    'unnamed out',
    'inout',
  ] as const),
  ...([
    'record',
    'variadic',
    'polymorphic',
    'unnamed',
    'procedure',
    'trigger',
    'overloaded',
    'defaults',
  ] as const),
]

const columns = fc.uniqueArray(fc.tuple(words, typeName), { maxLength: 5, selector: ([word]) => word })
const spec: fc.Arbitrary<Spec> = fc.oneof(
  fc.record({
    kind: fc.constant('table' as const),
    word: words,
    columns,
    form: fc.constantFrom(...tableForms),
    to: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('view' as const),
    word: words,
    form: fc.constantFrom(...viewForms),
    of: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('function' as const),
    word: words,
    form: fc.constantFrom(...functionForms),
    parameters: columns,
    of: fc.nat(),
  }),
)

/** An object to create. The object does not exist if PostgreSQL refused `sql`. */
export type Made = {
  readonly name: string
  readonly sql: string
  readonly columns: readonly string[]
  readonly is: 'relation' | 'function' | 'hidden'
}

/** Generates random schemas. A schema is a list of objects, which may depend on objects earlier in the list. */
export const randomSchemas: fc.Arbitrary<readonly Made[]> = fc
  .array(spec, { minLength: 4, maxLength: 10 })
  .map((specs) => {
    const made: Made[] = []
    for (const [index, each] of specs.entries()) made.push(...objectsOf(each, `${each.word}_${index}`, made))
    return made
  })

function objectsOf(each: Spec, name: string, made: readonly Made[]): Made[] {
  if (each.kind === 'table') return tablesOf(each, name, made)
  return each.kind === 'view' ? viewsOf(each, name, made) : [functionOf(each, name, made)]
}

const q = (name: string) => `public.${identifier(name)}`

function relationsOf(made: readonly Made[]): Made[] {
  return made.filter(({ is }) => is === 'relation')
}

/** The own columns of a table, and an earlier relation that the table may use. */
type TableParts = {
  readonly name: string
  readonly names: readonly string[]
  readonly list: readonly string[]
  readonly target: Made | undefined
}

function tablesOf(
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

function viewsOf({ form, of }: Extract<Spec, { kind: 'view' }>, name: string, made: readonly Made[]): Made[] {
  const relations = relationsOf(made)
  const source = relations[of % Math.max(1, relations.length)]
  const from = source === undefined ? '(select 1 as one) s' : `${q(source.name)} s`
  const all = source?.columns ?? ['one']
  const view = (list: string, shown: readonly string[], kind = 'view'): Made => ({
    name,
    columns: shown,
    is: 'relation',
    sql: `create ${kind} ${q(name)} as select ${list} from ${from}`,
  })
  switch (form) {
    case 'whole':
      return [view('*', all)]
    case 'materialized':
      return [view('*', all, 'materialized view')]
    case 'without columns':
      return [view('', [])]
    case 'twice': {
      const column = identifier(all[0] ?? 'one')
      return [view(`s.${column} as once, s.${column} as again`, ['once', 'again'])]
    }
    case 'expression':
      return [
        view(`s as whole_row, row_to_json(s) as "as json", null as nothing, 'x' as unknown`, [
          'whole_row',
          'as json',
          'nothing',
          'unknown',
        ]),
      ]
    case 'circle':
      return [
        {
          name,
          columns: ['id', 'name'],
          is: 'relation',
          sql: `create view ${q(name)} as select 1 as id, 'x'::text as name; create or replace view ${q(name)} as table ${q(name)}`,
        },
      ]
    case 'two in a circle': {
      const other = `${name.slice(0, 20)}_back`
      return [
        {
          name,
          columns: ['id'],
          is: 'relation',
          sql: `create view ${q(name)} as select 1 as id; create view ${q(other)} as select id from ${q(name)};
            create or replace view ${q(name)} as select id from ${q(other)}`,
        },
      ]
    }
    default:
      return form satisfies never
  }
}

function functionOf(
  { form, parameters, of }: Extract<Spec, { kind: 'function' }>,
  name: string,
  made: readonly Made[],
): Made {
  const relations = relationsOf(made)
  const source = relations[of % Math.max(1, relations.length)]
  const row = source === undefined ? 'kinds."pa ir"' : q(source.name)
  const given = parameters.map(([word, type]) => `${identifier(word)} ${type}`)
  const [type = 'integer'] = parameters.map(([, each]) => each)
  const as = (parts: readonly string[], returns: string, body = 'select null', rest = 'stable'): string =>
    `create function ${q(name)}(${parts.join(', ')})${returns === '' ? '' : ` returns ${returns}`} language sql ${rest} as $$ ${body} $$`
  const sqlOf: Record<FunctionForm, () => string> = {
    void: () => as(given, 'void', 'select', 'volatile'),
    value: () => as(given, type, `select null::${type}`),
    values: () => as(given, `setof ${type}`, `select null::${type} from generate_series(1, 2)`),
    row: () => as(given, row, `select null::${row}`),
    rows: () => as(given, `setof ${row}`, `select null::${row} where false`),
    table: () => as(given, 'table ("a b" integer, c kinds."pa ir")', 'select 1, null::kinds."pa ir"'),
    'one out': () => as([...given, `out "the out" ${type}`], '', `select null::${type}`),
    'two outs': () => as([...given, 'out x1 integer', 'out x2 text'], '', "select 1, 'x'"),
    'unnamed out': () => as([...given, 'out integer', 'out x2 text'], '', "select 1, 'x'"),
    inout: () => as([...given, 'inout io integer'], '', 'select 1'),
    record: () => as(given, 'record', 'select 1, 2'),
    variadic: () => as([...given, 'variadic more integer[]'], 'integer', 'select 1'),
    polymorphic: () => as(['a anyelement'], 'anyelement', 'select a'),
    unnamed: () => as(['json'], 'json', 'select $1'),
    procedure: () => `create procedure ${q(name)}(${given.join(', ')}) language sql as $$ select 1 $$`,
    trigger: () =>
      `create function ${q(name)}() returns trigger language plpgsql as $$ begin return new; end $$`,
    overloaded: () =>
      `${as(given, 'integer', 'select 1')}; ${as([...given, 'another text'], 'integer', 'select 2')}`,
    defaults: () =>
      as(
        ['a integer default 1', "b char(3) default 'x'", 'c kinds."d.om" default 3'],
        'text',
        'select a || b || c',
      ),
  }
  const isCalled = !['procedure', 'trigger'].includes(form)
  return {
    name,
    columns: parameters.map(([word]) => word),
    is: isCalled ? 'function' : 'hidden',
    sql: sqlOf[form](),
  }
}
