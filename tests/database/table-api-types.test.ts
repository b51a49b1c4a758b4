// Values of every type in filters, inserts, updates, arguments and embeds. The tests compare each answer with the
// result of an SQL query. Like PostgREST's queries, this query contains the values as untyped literals.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparisons, states } from '#server/rest/parse/operators.ts'
import type { TestDatabase } from '#testing/database.ts'
import { openTestDatabase } from './database.ts'
import { ownTypes } from './random-schema.ts'
import { type ApiAnswer, type TableApi, openTableApi } from './table-api.ts'

/** Two values of each type, as text. */
const types: Readonly<Record<string, readonly [string, string]>> = {
  smallint: ['-1', '32767'],
  integer: ['1', '-2147483648'],
  bigint: ['9007199254740993', '1'],
  numeric: ['12345678901234567890.120', 'NaN'],
  'numeric(8,2)': ['1.50', '2'],
  real: ['0.1', '1e10'],
  'double precision': ['0.1', '-Infinity'],
  boolean: ['true', 'f'],
  text: ['USD', 'a,b "c" \\ {d} (e)'],
  varchar: ['ñ', ''],
  'varchar(5)': ['USD', 'abcde'],
  'char(3)': ['USD', 'ab'],
  char: ['x', 'y'],
  'bit(3)': ['101', '010'],
  bit: ['1', '0'],
  'bit varying(4)': ['10', '1'],
  name: ['a', 'b'],
  '"char"': ['a', 'b'],
  uuid: ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000B'],
  date: ['2026-01-02', 'infinity'],
  time: ['12:34:56.5', '00:00'],
  'time(0)': ['12:34:56', '00:00'],
  timetz: ['12:34:56+05', '00:00Z'],
  timestamp: ['2026-01-02T03:04:05.123456', '2026-01-02'],
  timestamptz: ['2026-01-02T03:04:05+02', '-infinity'],
  'timestamptz(3)': ['2026-01-02T03:04:05.123Z', '2026-01-02'],
  interval: ['1 day 02:00', 'P1Y'],
  json: ['{"a": 1}', '[1.50]'],
  jsonb: ['{"a": 1}', '"x"'],
  bytea: ['\\xdeadbeef', '\\x00'],
  inet: ['10.0.0.1/8', '::1'],
  cidr: ['10.0.0.0/8', '::/0'],
  macaddr: ['08:00:2b:01:02:03', '08:00:2b:01:02:04'],
  point: ['(1,2)', '(3,4)'],
  box: ['(2,2),(1,1)', '(1,1),(0,0)'],
  int4range: ['[1,5)', 'empty'],
  tstzrange: ['[2026-01-01,2026-02-01)', '(,)'],
  tsvector: ["'a':1 'b':2", "'c'"],
  tsquery: ["'a' & 'b'", "'c'"],
  money: ['$1.50', '2'],
  oid: ['1', '4294967295'],
  'integer[]': ['{1,2}', '{{3,NULL}}'],
  'text[]': ['{"a,b",NULL}', '{}'],
  'char(3)[]': ['{USD,ab}', '{}'],
  'kinds."Mood ""x"""': ['a', 'd"e'],
  'kinds."d.om"': ['1', '8'],
  'kinds."pa ir"': ['(1,"x y",USD)', '(2,,)'],
  'kinds.span': ['[1,5)', 'empty'],
  'kinds."Mood ""x"""[]': ['{a}', '{"d\\"e"}'],
}
const list = Object.entries(types).map(([type, values], index) => ({ type, values, index }))

let bank: TestDatabase
let api: TableApi
beforeAll(async () => {
  bank = await openTestDatabase()
  api = await openTableApi(bank)
  await api.script(ownTypes)
  for (const { type, values, index } of list) {
    const [one, two] = values.map(literal)
    await api.script(`
      create table public.k${index} (id integer primary key, v ${type});
      insert into public.k${index} values (1, ${one}), (2, ${two}), (3, null);
      create function public.f${index}(a ${type}) returns ${type} language sql stable as 'select a';
      create function public.s${index}(a ${type}) returns setof public.k${index} language sql stable
        as 'select 9, a';`)
    // PostgreSQL refuses to create these tables if the type cannot be used in a key.
    await api.make(`
      create table public.u${index} (v ${type} unique); insert into public.u${index} values (${one});
      create table public.c${index} (id integer primary key, r ${type} references public.u${index} (v));
      insert into public.c${index} values (1, ${one})`)
  }
  await api.restart()
})
afterAll(async () => {
  await api.close()
  await bank.close()
})

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const inBraces = (values: readonly string[]) =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** Returns an answer's JSON without whitespace, or the error code if the request was refused. */
function meant(answer: ApiAnswer): string {
  if (answer.status >= 400) return (JSON.parse(answer.text) as { code: string }).code
  return JSON.stringify(JSON.parse(answer.text))
}

/**
 * Returns SQL that calls a type's test function with the argument in $1. The SQL omits length modifiers, because
 * PostgreSQL ignores them in argument types.
 */
function resultOf(index: number, type: string): string {
  const bare = type
    .replace(/^char(?:\(\d\))?/, 'bpchar')
    .replace(/^bit(?! )(?:\(\d\))?/, 'varbit')
    .replace(/\(\d.*?\)/, '')
  const body = `json_to_record($1::json) as r(a ${bare})`
  return type === 'kinds."pa ir"'
    ? `select row_to_json(t)::text as answer from ${body}, public.f${index}(r.a) as t`
    : `select coalesce(to_json(public.f${index}(r.a)), 'null')::text as answer from ${body}`
}

async function direct(sql: string, values?: Parameters<TableApi['direct']>[1]): Promise<string> {
  const answer = await api.direct(sql, values)
  return 'state' in answer ? answer.state : JSON.stringify(JSON.parse(answer.text))
}

test.each(list)('$type can be filtered by every operator', async ({ values, index }) => {
  const differences: string[] = []
  const ask = async (filter: string, condition: string) => {
    const query = new URLSearchParams({ select: 'id', order: 'id', v: filter })
    const served = meant(await api.ask('GET', `/k${index}?${query.toString()}`))
    const wanted = await direct(`
      select coalesce(json_agg(p), '[]')::text as answer
      from (select id from public.k${index} t where ${condition} order by id) p`)
    if (served !== wanted) differences.push(`${filter}: ${served}, not ${wanted}`)
  }
  for (const [place, value] of values.entries()) {
    for (const [name, sign] of Object.entries(comparisons)) {
      const pattern = name.endsWith('like') ? value.replaceAll('*', '%') : value
      await ask(`${name}.${value}`, `v ${sign} ${literal(pattern)}`)
      // The effect of the negation does not depend on the value, so one value is enough.
      if (place === 0) await ask(`not.${name}.${value}`, `not v ${sign} ${literal(pattern)}`)
    }
    await ask(`eq(any).${inBraces([value])}`, `v = any (${literal(inBraces([value]))})`)
  }
  const quoted = values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`)
  await ask(`in.(${quoted.join(',')})`, `v = any (${literal(inBraces(values))})`)
  for (const [name, sql] of Object.entries(states)) await ask(`is.${name}`, `v ${sql}`)

  expect(differences).toEqual([])
})

test.each(list)(
  '$type can be written, embedded and passed to a function',
  async ({ type, values, index }) => {
    const written = { headers: { prefer: 'return=representation' } }
    const differences: string[] = []
    const compare = (what: string, served: string, wanted: string) => {
      if (served !== wanted) differences.push(`${what}: ${served}, not ${wanted}`)
    }
    // Request bodies with each value, once as a string and once in PostgreSQL's JSON format.
    const bodies = [
      ...values.map((value) => JSON.stringify({ id: 10, v: value, a: value })),
      ...(await Promise.all(
        values.map(async (value) => {
          const json = await direct(`select to_json(${literal(value)}::${type})::text as answer`)
          return `{"id":10,"v":${json},"a":${json}}`
        }),
      )),
      '{"id":10,"v":null,"a":null}',
    ]
    for (const body of bodies) {
      const row = body.replace(/,"a":.*\}$/s, '}')
      const argument = `{"a":${body.slice(body.indexOf(',"a":') + 5)}`
      const wanted = await direct(
        `select json_build_array(r.v)::text as answer from json_to_record($1::json) as r(v ${type})`,
        [row],
      )
      const valueOf = (answer: ApiAnswer) => {
        const said = meant(answer)
        return said.startsWith('[') ? JSON.stringify([(JSON.parse(said) as { v: unknown }[])[0]?.v]) : said
      }
      compare(
        `insert ${row}`,
        valueOf(await api.ask('POST', `/k${index}?select=v`, { body: row, ...written })),
        wanted,
      )
      compare(
        `update ${row}`,
        valueOf(
          await api.ask('PATCH', `/k${index}?select=v&id=eq.1`, {
            body: row.replace('"id":10,', ''),
            ...written,
          }),
        ),
        wanted,
      )
      await api.ask('DELETE', `/k${index}?id=eq.10`)
      const passed = meant(await api.ask('POST', `/rpc/f${index}`, { body: argument }))
      compare(`pass ${argument}`, passed, await direct(resultOf(index, type), [argument]))
      compare(
        `pass ${argument} for rows`,
        valueOf(await api.ask('POST', `/rpc/s${index}?select=v`, { body: argument })),
        wanted,
      )
    }
    for (const value of values) {
      const query = new URLSearchParams({ a: value })
      compare(
        `GET with ${value}`,
        meant(await api.ask('GET', `/rpc/f${index}?${query.toString()}`)),
        await direct(`select to_json(public.f${index}(${literal(value)}))::text as answer`),
      )
    }
    const [own] = values
    const shown = await direct(`select to_json(${literal(own)}::${type})::text as answer`)
    const embedded = await api.ask('GET', `/c${index}?select=id,of:u${index}(v)`)
    // A 404 (PGRST205) means that the table does not exist, because the type cannot be used in a key.
    if (embedded.status !== 404) compare('embed', meant(embedded), `[{"id":1,"of":{"v":${shown}}}]`)

    expect(differences).toEqual([])
  },
)
