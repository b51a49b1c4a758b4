/** Makes the functions of a random schema. */
import { type FunctionForm, type Made, type Spec, q, relationsOf } from './random-object.ts'
import { identifier } from './table-api.ts'

/** Returns a function of a form. */
export function functionOf(
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
