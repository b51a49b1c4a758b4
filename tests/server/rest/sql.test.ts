import { expect, test } from 'vitest'
import { catalogueTable, library, rawRequest, statementFor } from './example-schema.ts'
import { parseCall } from '#server/rest/parse/call.ts'
import { planCall } from '#server/rest/plan/call.ts'
import { schemaOf } from '#server/rest/schema/read-schema.ts'
import { callStatement } from '#server/rest/sql/call.ts'

const read = (address: string, prefer?: string) =>
  statementFor(rawRequest(address, { headers: prefer === undefined ? {} : { prefer } }))
const write = (method: string, address: string, body: string, headers: Record<string, string> = {}) =>
  statementFor(rawRequest(address, { method, body, headers }))

test('a filtered, ordered and limited read', () => {
  expect(read('books?select=id,title&shelf=eq.7&order=printed.desc.nullslast&limit=5')).toEqual({
    text:
      `select coalesce(json_agg(row_to_json(page.*)), '[]')::text as body, count(*) as rows from (` +
      `select t."id" as "id", t."title" as "title" from "public"."books" as t where t."shelf" = $1::integer` +
      ` order by t."printed" desc nulls last, t."shelf" desc, t."id" desc limit $2::bigint) as page`,
    values: ['7', 5],
  })
})

test('a column that is asked for twice has two names in SQL, and one key', () => {
  const { text, values } = statementFor(
    rawRequest('books?select=title,title', { headers: { accept: 'text/csv' } }),
  )

  expect(text).toContain('t."title" as c0, t."title" as c1')
  expect(values).toEqual(expect.arrayContaining(['title', 'title']))
})

test('requests of one shape are one statement', () => {
  const one = read('books?id=in.(a,b)&title=like.x*&limit=5')
  const other = read('books?id=in.(c)&title=like.*y&limit=1000')

  expect(one.text).toBe(other.text)
  expect(one.values).toEqual(['{"a","b"}', 'x%', 5])
})

test('values of a list cannot end it', () => {
  expect(read('books?title=in.("a\\"b","c\\\\",{d})').values[0]).toBe('{"a\\"b","c\\\\","{d}"}')
})

test('trees of conditions keep their shape', () => {
  const { text } = read(
    'books?or=(price.lt.1,and(price.eq.2,title.not.is.null))&not.and=(shelf.gte.3,shelf.neq.4)',
  )

  expect(text).toContain(
    ` where (t."price" < $1::numeric or (t."price" = $2::numeric and not t."title" is null))` +
      ` and not (t."shelf" >= $3::integer and t."shelf" <> $4::integer)`,
  )
})

test('a count reads the same rows without limit and offset', () => {
  const { text, values } = read('books?select=id&price=gt.1&limit=2&offset=4', 'count=exact')

  expect(text).toContain(
    '(select count(*) from "public"."books" as t where t."price" > $1::numeric) as total',
  )
  expect(text).toContain('limit $2::bigint offset $3::bigint')
  expect(values).toEqual(['1', 2, 4])
})

test('one row of another table is an object, several are an array of at most 1,000', () => {
  expect(read('books?select=id,authors(name)').text).toContain(
    `select t."id" as "id", t_1_embed.json as "authors" from "public"."books" as t` +
      ` left join lateral (select row_to_json(embedded.*) as json from (` +
      `select t_1."name" as "name" from "public"."authors" as t_1 where t_1."id" = t."author") as embedded) as t_1_embed on true`,
  )
  expect(read('authors?select=books(title)').text).toContain(
    `select coalesce(t_0_embed.json, '[]') as "books" from "public"."authors" as t` +
      ` left join lateral (select json_agg(row_to_json(embedded.*)) as json from (` +
      `select t_0."title" as "title" from "public"."books" as t_0 where t_0."author" = t."id" limit 1000) as embedded)`,
  )
})

test('a key that the client chose is a value', () => {
  const { text, values } = read('books?select=nota:title,id')

  expect(text).toContain('json_build_object($2::text, page.c0, $3::text, page.c1)')
  expect(values).toEqual([1000, 'nota', 'id'])
})

test('an insert takes its rows from one parameter and returns what is asked for', () => {
  expect(write('POST', 'books', '{"title":"x","price":1}')).toEqual({
    text:
      `with written as (insert into "public"."books" as t ("title", "price") select body."title", body."price"` +
      ` from json_to_recordset($1::json) as body ("title" text, "price" numeric) returning 1)` +
      ` select null as body, count(*) as rows from written`,
    values: ['[{"title":"x","price":1}]'],
  })
  expect(
    write('POST', 'books?select=title,authors(name)', '{"title":"x"}', { prefer: 'return=representation' })
      .text,
  ).toContain(
    `returning t."title", t."author") select coalesce(json_agg(row_to_json(page.*)), '[]')::text as body`,
  )
})

test('an insert without columns makes rows of defaults', () => {
  expect(write('POST', 'books', '[{},{}]').text).toContain(
    'insert into "public"."books" as t select from json_array_elements($1::json)',
  )
})

test('an insert that may meet rows says which key decides', () => {
  const upsert = (address: string, prefer: string) =>
    write('POST', address, '{"shelf":1,"title":"x"}', { prefer }).text

  expect(upsert('books?on_conflict=shelf', 'resolution=merge-duplicates')).toContain(
    `on conflict ("shelf") do update set "shelf" = excluded."shelf", "title" = excluded."title" where rest.count_merged() returning 1)`,
  )
  expect(upsert('books', 'resolution=ignore-duplicates')).toContain(
    'on conflict ("shelf", "id") do nothing returning 1',
  )
})

test('an insert into a table without a key meets no rows', () => {
  const { text } = write('POST', 'loans', '{"lender":"x"}', { prefer: 'resolution=merge-duplicates' })

  expect(text).not.toContain('on conflict')
})

test('an update sets what the body has, where the filter says', () => {
  expect(write('PATCH', 'books?id=eq.7', '{"title":"x"}').text).toBe(
    `with written as (update "public"."books" as t set "title" = body."title"` +
      ` from json_to_recordset($1::json) as body ("title" text) where t."id" = $2::uuid returning 1)` +
      ` select null as body, rest.require_at_most(count(*), 500) as rows from written`,
  )
  expect(write('PATCH', 'books?id=eq.7', '{}')).toEqual({
    text: `select '[]' as body, rest.require_at_most(count(*), 500) as rows where false`,
    values: [],
  })
})

test('a deletion counts in the database the rows that it touches', () => {
  expect(write('DELETE', 'books?shelf=eq.7', '').text).toBe(
    `with written as (delete from "public"."books" as t where t."shelf" = $1::integer returning 1)` +
      ` select null as body, rest.require_at_most(count(*), 500) as rows from written`,
  )
})

test('a write that must touch one row counts them in the database', () => {
  const headers = { accept: 'application/vnd.pgrst.object+json' }

  expect(write('DELETE', 'books?id=eq.7', '', headers).text).toBe(
    `with written as (delete from "public"."books" as t where t."id" = $1::uuid returning 1)` +
      ` select null as body, rest.require_single(count(*)) as rows from written`,
  )
})

test('names of the schema are quoted, whatever they are made of', () => {
  const odd = schemaOf({
    tables: [catalogueTable(1, 'a"b', ['c";drop text'])],
    keys: { primary: [], foreign: [], constraint_messages: {} },
    functions: [],
  })

  expect(statementFor(rawRequest('a"b'), odd).text).toContain(
    'select t."c"";drop" as "c"";drop" from "public"."a""b" as t',
  )
})

const call = (method: string, address: string, body?: string, headers: Record<string, string> = {}) => {
  const url = `/rest/v1/rpc/${address}`
  const name = address.split('?', 1)[0] ?? ''
  return callStatement(planCall(library, parseCall({ method, name, url, headers, body })))
}

test('a function is called by the names of its arguments, in a part of the statement that runs once', () => {
  expect(call('POST', 'lend', '{"book":"x"}')).toEqual({
    text:
      `with called as materialized (select t.* from json_to_recordset($1::json) as body ("book" uuid),` +
      ` "public"."lend"("book" => body."book") as t(result))` +
      ` select null as body, count(*) as rows from (select result from called limit $2::bigint) as page`,
    values: ['[{"book":"x"}]', 1000],
  })
  expect(
    call('GET', 'list_books?about=casa&price=gt.1&limit=2', undefined, { prefer: 'count=exact' }),
  ).toEqual({
    text: expect.stringMatching(
      /^with called as materialized \(select t\.\* from "public"\."list_books"\("about" => \$1::text\) as t\) select .* \(select count\(\*\) from called as t where t\."price" > \$2::numeric\) as total from/,
    ),
    values: ['casa', '1', 2],
  })
})

test('JSON paths and casts are parameters and names of the schema, and expensive filters have a time budget', () => {
  const { text, values } = read(
    'books?select=size:facts->a->>0,marks->x,price::text&facts->>b=eq.1&tags=cs.{a}&price=gt(any).{1}&id=in.(1)',
  )

  expect(text).toContain('(t."facts" -> $1::text ->> $2::integer) as c0')
  expect(text).toContain('(to_jsonb(t."marks") -> $3::text) as c1')
  expect(text).toContain('t."price"::text as c2')
  expect(text).toContain(
    `where ${withinBudget(`(t."facts" ->> $4::text) = $5::text`)} and t."tags" @> $6::text[]` +
      ` and ${withinBudget(`t."price" > any ($7::numeric[])`)} and t."id" = any ($8::uuid[])`,
  )
  expect(values.slice(0, 3)).toEqual(['a', 0, 'x'])
})

test('an order that no index has is within the time budget too', () => {
  expect(read('books?select=id&order=facts->a').text).toContain(
    `from "public"."books" as t where ${withinBudget('true')} order by`,
  )
  expect(read('books?select=id&order=title,tags').text).toContain(` where ${withinBudget('true')}`)
  expect(read('books?select=id&order=title').text).not.toContain('has_time')
})

/** The test as the statement has it: no row is held against it when its time is over. */
function withinBudget(test: string): string {
  return `case when rest.has_time(50) then ${test} end`
}

test('a required embedded table leaves rows out of the page and of the count', () => {
  const { text } = read('books?select=id,authors!inner(name)&authors.name=eq.x', 'count=exact')

  expect(text).toContain(
    `from "public"."books" as t join lateral (select row_to_json(embedded.*) as json from (` +
      `select t_1."name" as "name" from "public"."authors" as t_1 where t_1."id" = t."author" and t_1."name" = $1::text` +
      `) as embedded) as t_1_embed on t_1_embed.json is not null`,
  )
  expect(text).toMatch(/\(select count\(\*\) from "public"\."books" as t join lateral .*\) as total from/)
})

test('what an insert leaves out is the default of its column, where a row has not even a null', () => {
  const { text, values } = write('POST', 'books?columns=title,price', '[{"title":"x"},{"price":1}]', {
    prefer: 'missing=default',
  })

  expect(text).toContain(
    `select body."title", case when element.object -> $2::text is null then 10.5 else body."price" end` +
      ` from json_array_elements($1::json) as element (object),` +
      ` json_to_record(element.object) as body ("title" text, "price" numeric)`,
  )
  expect(values[1]).toBe('price')
})

test('what the client allows a write to touch is a parameter', () => {
  const headers = { prefer: 'handling=strict,max-affected=7' }

  expect(write('DELETE', 'books?id=eq.7', '', headers)).toMatchObject({
    text: expect.stringContaining('rest.require_max_affected(count(*), $2::bigint) as rows'),
    values: ['7', 7],
  })
})

test('lines of CSV are made by the database, of keys and values', () => {
  const { text, values } = read('books?select=id,nota:title')

  expect(text).not.toContain('nota')
  expect(
    statementFor(rawRequest('books?select=id,nota:title', { headers: { accept: 'text/csv' } })).text,
  ).toContain(
    'concat_ws(chr(10), rest.csv_line(array[$2::text, $3::text]::text[]), string_agg(rest.csv_line(array[page.c0::text, page.c1::text]::text[]), chr(10)))',
  )
  expect(values).toEqual([1000, 'id', 'nota'])
})
