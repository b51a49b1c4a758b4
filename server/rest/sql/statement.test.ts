// Properties of the SQL statements that a client cannot observe: requests that differ only in values have the same
// text, results are limited, and names are quoted. The tests in tests/wire/rest test which rows a statement reads and writes.
import { expect, test } from 'vitest'
import { parseCall } from '#rest/parse/parse.ts'
import { planCall } from '#rest/plan/call.ts'
import { schemaOf } from '#rest/schema/read-schema.ts'
import { callStatement } from './call.ts'
import { catalogueTable, library, rawRequest, statementFor } from '#rest/testing/example-schema.ts'

const read = (address: string) => statementFor(rawRequest(address))
const insert = (address: string, body: string, prefer = '') =>
  statementFor(rawRequest(address, { method: 'POST', body, headers: { prefer } }))

test('a read with filters and an order and a limit becomes one select with parameters', () => {
  expect(read('books?select=id,title&shelf=eq.7&order=printed.desc.nullslast&limit=5')).toEqual({
    text:
      `select rest.require_length(coalesce(json_agg(row_to_json(page.*)), '[]')::text, 8388608) as body, count(*) as rows from (` +
      `select t."id" as "id", t."title" as "title" from "public"."books" as t where t."shelf" = $1::integer` +
      ` order by t."printed" desc nulls last, t."shelf" desc, t."id" desc limit $2::bigint) as page`,
    values: ['7', 5],
  })
})

test('requests that differ only in values and aliases have the same statement text', () => {
  const one = read('books?select=size:facts->a&id=in.(a,b)&title=like.x*&limit=5')
  const other = read('books?select=other:facts->b&id=in.(c)&title=like.*y&limit=1000')

  expect(one.text).toBe(other.text)
  expect(one.values).toEqual(['a', '{"a","b"}', 'x%', 5, 'size'])
})

test('an embed that can contain many rows has a limit of 1,000 rows and a time limit', () => {
  expect(read('authors?select=books(title)').text).toContain(
    'where t_0."author" = t."id" and case when rest.has_time(500) then true end limit 1000)',
  )
})

test('an insert reads its rows from one parameter and returns only the requested columns', () => {
  expect(insert('books', '{"title":"x","price":1}')).toEqual({
    text:
      `with written as (insert into "public"."books" as t ("title", "price") select body."title", body."price"` +
      ` from json_to_recordset($1::json) as body ("title" text, "price" numeric) returning 1)` +
      ` select null as body, count(*) as rows from written`,
    values: ['[{"title":"x","price":1}]'],
  })
  expect(insert('books?select=title,authors(name)', '{"title":"x"}', 'return=representation').text).toContain(
    `returning t."title", t."author") select`,
  )
})

test('an update uses only the first object of its body', () => {
  const update = (prefer: string) =>
    statementFor(
      rawRequest('books?id=eq.1&columns=price', {
        method: 'PATCH',
        body: '[{"price":1},{"price":2}]',
        headers: { prefer },
      }),
    ).text

  expect(update('')).toContain(
    'from (select * from json_to_recordset($1::json) as body ("price" numeric) limit 1) as body where',
  )
  expect(update('missing=default')).toContain('limit 1) as body where')
})

test.each([
  ['PATCH', '{"price":1}'],
  ['DELETE', undefined],
])('a %s stops at the first row above the limit of 500 rows', (method, body) => {
  expect(statementFor(rawRequest('books?id=gt.1', { method, body })).text).toContain(
    'where t."id" > $1::uuid and rest.limit_written_rows(500)'.replace(
      '$1',
      method === 'PATCH' ? '$2' : '$1',
    ),
  )
})

test('a path into a json column reads the stored text, and columns of other types are first converted', () => {
  expect(read('books?select=marks->>a').text).toContain('(t."marks" ->> $1::text)')
  expect(read('books?select=marks->a').text).toContain('(to_jsonb(t."marks") -> $1::text)')
  expect(read('books?select=tags->>0').text).toContain('(to_jsonb(t."tags") ->> $1::integer)')
})

test('an insert of empty objects inserts rows of default values', () => {
  expect(insert('books', '[{},{}]').text).toContain(
    'insert into "public"."books" as t select from json_array_elements($1::json)',
  )
})

test('an upsert resolves conflicts on the primary key if the table has one', () => {
  const prefer = 'resolution=ignore-duplicates'

  expect(insert('books', '{"shelf":1}', prefer).text).toContain('on conflict ("shelf", "id") do nothing')
  expect(insert('loans', '{"lender":"x"}', prefer).text).not.toContain('on conflict')
})

test('every name from the schema is quoted', () => {
  const odd = schemaOf({
    tables: [catalogueTable(1, 'a"b', ['c";drop text'])],
    keys: { primary: [], foreign: [], constraintMessages: {} },
    functions: [],
  })

  expect(statementFor(rawRequest('a"b'), odd).text).toContain(
    'select t."c"";drop" as "c"";drop" from "public"."a""b" as t',
  )
})

test('a call uses named arguments in a materialized query that runs only once', () => {
  const call = (method: string, address: string, body?: string) => {
    const name = address.split('?', 1)[0] ?? ''
    const parsed = parseCall({
      method,
      name,
      url: `/rpc/${address}`,
      headers: { prefer: 'count=exact' },
      body,
    })
    return callStatement(planCall(library, parsed))
  }

  expect(call('POST', 'lend', '{"book":"x"}')).toEqual({
    text:
      `with called as materialized (select t.* from json_to_recordset($1::json) as body ("book" uuid),` +
      ` "public"."lend"("book" => body."book") as t(result)) select null as body, count(*) as rows,` +
      ` (select count(*) from called) as total from (select result from called limit $2::bigint) as page`,
    values: ['[{"book":"x"}]', 1000],
  })
  expect(call('GET', 'list_books?about=casa&price=gt.1&limit=2')).toEqual({
    text: expect.stringMatching(
      /^with called as materialized \(select t\.\* from "public"\."list_books"\("about" => \$1::text\) as t\) select .* \(select count\(\*\) from called as t where t\."price" > \$2::numeric\) as total from/,
    ),
    values: ['casa', '1', 2],
  })
})

/** Returns the SQL of a condition with a time limit. `rest.has_time` stops a statement that has run for too long. */
const withinBudget = (held: string) => `case when rest.has_time(50) then ${held} end`

test.each([
  ['facts->>b=eq.1', withinBudget('(t."facts" ->> $1::text) = $2::text')],
  ['title=like.x*', withinBudget('t."title" like $1')],
  ['price=gt(any).{1}', withinBudget('t."price" > any ($1::numeric[])')],
  ['price=in.(1)', withinBudget('t."price" = any ($1::numeric[])')],
  ['id=in.(1)', 't."id" = any ($1::uuid[])'],
  ['tags=cs.{a}', 't."tags" @> $1'],
])('the filter %s has a time limit unless an index serves it', (filter, held) => {
  expect(read(`books?${filter}`).text).toContain(` where ${held} limit`)
})

test.each(['facts->a', 'title,tags'])('an order by %s has a time limit', (order) => {
  expect(read(`books?order=${order}`).text).toContain(` where ${withinBudget('true')} order by`)
})

test('a read that is ordered by an indexed column has no time limit', () => {
  expect(read('books?select=id&order=title').text).not.toContain('has_time')
})

const whereOf = (query: string) =>
  / where (.*?) limit/
    .exec(read(`books?${query}`).text)?.[1]
    ?.replaceAll('t."', '"')
    .replaceAll(/::(?:timestamp with time zone|uuid|integer|numeric|text)/g, '')
    .replaceAll(/case when rest\.has_time\(50\) then (.*?) end/g, '$1')

test.each([
  ['price=eq.2', '"price" = $1', '2'],
  ['price=neq.2', '"price" <> $1', '2'],
  ['price=gt.2', '"price" > $1', '2'],
  ['price=gte.2', '"price" >= $1', '2'],
  ['price=lt.2', '"price" < $1', '2'],
  ['price=lte.2', '"price" <= $1', '2'],
  ['price=not.eq.2', 'not "price" = $1', '2'],
  ['price=isdistinct.5', '"price" is distinct from $1', '5'],
  ['price=not.in.(1,3)', 'not "price" = any ($1[])', '{"1","3"}'],
  ['price=in.()', '"price" = any ($1[])', '{}'],
  ['price=gt(all).{1,6}', '"price" > all ($1[])', '{1,6}'],
  ['price=not.eq(any).{5}', 'not "price" = any ($1[])', '{5}'],
  ['title=like.P*', '"title" like $1', 'P%'],
  ['title=ilike(all).{*CASA*,*s*}', '"title" ilike all ($1)', '{%CASA%,%s%}'],
  ['title=in.("a, \\"b\\"",Pan)', '"title" = any ($1[])', '{"a, \\"b\\"","Pan"}'],
  ["title=eq.' or 1=1 --", '"title" = $1', "' or 1=1 --"],
  ['title=is.null', '"title" is null'],
  ['title=not.is.null', 'not "title" is null'],
  ['title=is.not_null', '"title" is not null'],
  ['tags=cs.{b}', '"tags" @> $1', '{b}'],
  ['tags=cd.{a}', '"tags" <@ $1', '{a}'],
  ['tags=ov.{a}', '"tags" && $1', '{a}'],
  ['facts->size=eq.7', '("facts" -> $1) = $2::jsonb', 'size', '7'],
  ['facts->>size=is.null', '("facts" ->> $1) is null', 'size'],
  ['facts->in->-2=eq."x"', '("facts" -> $1 -> $2) = $3::jsonb', 'in', -2, '"x"'],
  ['or=(price.eq.1,title.is.null)', '("price" = $1 or "title" is null)', '1'],
  [
    'and=(price.gte.1,or(title.eq.a,id.is.null))',
    '("price" >= $1 and ("title" = $2 or "id" is null))',
    '1',
    'a',
  ],
  ['not.or=(price.eq.1,price.eq.2)', 'not ("price" = $1 or "price" = $2)', '1', '2'],
  [
    'or=(id.is.null,not.and(price.gt.1,price.lt.4))',
    '("id" is null or not ("price" > $1 and "price" < $2))',
    '1',
    '4',
  ],
])('the filter %s becomes the condition %s', (query, condition, ...values) => {
  expect(whereOf(query)).toBe(condition)
  expect(read(`books?${query}`).values).toEqual([...values, 1000])
})

test.each([
  ['title', 't."title" asc,'],
  ['title.nullsfirst', 't."title" asc nulls first,'],
  ['title.desc.nullslast', 't."title" desc nulls last,'],
  ['facts->size.desc', '(t."facts" -> $1::text) desc,'],
])('order=%s is kept in the statement', (order, terms) => {
  expect(read(`books?order=${order}`).text).toContain(` order by ${terms} t."shelf" desc`)
})

test('selected columns can be cast and renamed, and a path selects a part of a column', () => {
  const { text, values } = read('books?select=price::text,entero:price::int,n:facts->>size::integer,tags->0')

  expect(text).toContain(
    'select t."price"::text as c0, t."price"::integer as c1, (t."facts" ->> $1::text)::integer as c2,' +
      ' (to_jsonb(t."tags") -> $2::integer) as c3 from',
  )
  expect(values.slice(-4)).toEqual(['price', 'entero', 'n', 'tags'])
})

test('an answer without null values and an answer in CSV are written by the database', () => {
  const written = (accept: string) =>
    statementFor(rawRequest('books?select=valor:price,title', { headers: { accept } }))

  expect(written('application/vnd.pgrst.object+json;nulls=stripped').text).toContain('json_strip_nulls(')
  expect(written('text/csv')).toEqual({
    text: expect.stringContaining(
      'concat_ws(chr(10), rest.csv_line(array[$2::text, $3::text]::text[]), string_agg(',
    ),
    values: [1000, 'valor', 'title'],
  })
})

test('an embed can be required and tested, and its rows can be filtered and ordered', () => {
  expect(read('books?select=id,authors!inner(name)&authors.name=eq.Ana').text).toContain(
    'where t_1."id" = t."author" and t_1."name" = $1::text) as embedded) as t_1_embed on t_1_embed.json is not null',
  )
  expect(read('books?select=id,authors()&authors=is.null').text).toContain(
    'on true where t_1_embed.json is null',
  )
  expect(read('books?select=id,authors(name)&order=authors(name).desc.nullslast').text).toContain(
    'where t_1_embed_order."id" = t."author") desc nulls last',
  )
  expect(read('authors?select=books(title)&books.order=title&books.limit=1&books.offset=2').text).toContain(
    'order by t_0."title" asc, t_0."shelf" desc, t_0."id" desc limit $1::bigint offset $2::bigint',
  )
})

test('a filter for the next page gets an additional condition for which the database can use an index', () => {
  expect(whereOf('or=(printed.lt.X,and(printed.eq.X,id.lt.Y))')).toBe(
    '("printed" < $1 or ("printed" = $2 and "id" < $3)) and "printed" <= $4',
  )
  expect(whereOf('or=(and(id.gt.Y,printed.eq.X),printed.gt.X)')).toBe(
    '(("id" > $1 and "printed" = $2) or "printed" > $3) and "printed" >= $4',
  )
})

test.each([
  'or=(printed.lt.X,printed.eq.Z)',
  'or=(printed.lt.X,printed.gt.X)',
  'or=(printed.lt.X,shelf.lt.X)',
  'or=(printed.lt.X,printed.not.eq.X)',
  'or=(printed.lt.X,and(printed.neq.X,id.lt.Y))',
  'or=(printed.lt.X,not.and(printed.eq.X,id.lt.Y))',
  'or=(printed.lt.X,printed.is.null)',
  'or=(facts->a.lt.X,facts->a.eq.X)',
  'or=(shelf.lt.X)',
  'not.or=(printed.lt.X,printed.eq.X)',
  'and=(printed.lt.X,printed.eq.X)',
])('%s gets no extra condition', (query) => {
  expect(whereOf(query)).not.toMatch(/[<>]= \$\d+$/)
})
