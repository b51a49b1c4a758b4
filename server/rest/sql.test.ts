import { expect, test } from 'vitest'
import { library, rawRequest, statementFor } from './example-schema.ts'
import { planCall } from './plan-call.ts'
import { callStatement } from './sql-call.ts'

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
    `left join lateral (select coalesce(json_agg(row_to_json(embedded.*)), '[]') as json from (` +
      `select t_0."title" as "title" from "public"."books" as t_0 where t_0."author" = t."id" limit 1000) as embedded)`,
  )
})

test('a key that the client chose is a value', () => {
  const { text, values } = read('books?select=nota:title,id')

  expect(text).toContain('json_build_object($1::text, page.c0, $2::text, page.c1)')
  expect(values).toEqual(['nota', 'id', 1000])
})

test('an insert takes its rows from one parameter and returns what is asked for', () => {
  expect(write('POST', 'books', '{"title":"x","price":1}')).toEqual({
    text:
      `with written as (insert into "public"."books" as t ("title", "price") select "title", "price"` +
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
    `on conflict ("shelf") do update set "shelf" = excluded."shelf", "title" = excluded."title" returning t.xmax = 0 as row_is_new`,
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
  const odd = {
    name: 'a"b',
    columns: [{ name: 'c"; drop', type: 'text' }],
    primary_key: [],
    foreign_keys: [],
  }

  expect(statementFor(rawRequest('a"b'), [odd]).text).toContain(
    'select t."c""; drop" as "c""; drop" from "public"."a""b" as t',
  )
})

test('a function is called by the names of its arguments', () => {
  const call = (name: string, keys: string[]) =>
    callStatement(planCall(library, { name, keys, json: '[{"book":"x"}]' }))

  expect(call('lend', ['book'])).toEqual({
    text:
      `select null as result from json_to_recordset($1::json) as body ("book" uuid),` +
      ` "public"."lend"("book" => body."book") as result`,
    values: ['[{"book":"x"}]'],
  })
  expect(call('count_books', [])).toEqual({
    text: 'select to_json(result)::text as result from "public"."count_books"() as result',
    values: [],
  })
})
