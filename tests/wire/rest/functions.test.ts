// SQL functions at /rest/v1/rpc. A call passes its arguments by name and runs with the caller's privileges. The result
// of a function that returns rows can be read like a table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOwner } from '#tests/wire/owner-sql.ts'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { type Library, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('an operator’s functions', () => {
  let l: Library
  let ana: SignedIn
  beforeAll(async () => {
    ;[l, ana] = await Promise.all([createLibrary(), signUpCustomer()])
    await ana.client.from(l.authors).insert({ id: 1, name: 'Gabriela' })
    await ana.client.from(l.books).insert([
      { id: 1, title: 'Uno', price: 5, author: 1 },
      { id: 2, title: 'Dos', price: 20, author: null },
      { id: 3, title: 'Tres', price: 7, author: 1 },
    ])
  })
  afterAll(() => removeLibrary(l))

  const call = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await rawRest(method, `/rpc/${path}`, { as: ana, body, ...(headers && { headers }) })
    return { status: answer.status, body: answer.body, range: answer.headers.get('content-range') }
  }

  test('a single row is returned as an object, and the caller can select its columns and embedded rows', async () => {
    expect(
      (await ana.client.rpc(l.newest_book).select(`title,author:${l.authors}!${l.by_author}(name)`)).data,
    ).toEqual({
      title: 'Tres',
      author: { name: 'Gabriela' },
    })
  })

  test('a stable function that tries to write fails with 25006', async () => {
    expect(await call('GET', l.lie)).toMatchObject({ status: 405, body: { code: '25006' } })
    expect(await call('POST', l.lie, {})).toMatchObject({ status: 405, body: { code: '25006' } })
    expect((await ana.client.from(l.books).select('id').eq('title', 'x')).data).toEqual([])
  })

  test('a set of rows can be read like a table', async () => {
    const { data, count } = await ana.client
      .rpc(l.list_books, { price_max: 10 }, { get: true, count: 'exact' })
      .select(`title,author:${l.authors}!${l.by_author}(name)`)
      .gt('price', 1)
      .order('price', { ascending: false })
      .limit(1)

    expect({ data, count }).toEqual({ data: [{ title: 'Tres', author: { name: 'Gabriela' } }], count: 2 })
    expect(await call('POST', `${l.list_books}?select=id&order=id&offset=1&limit=1`, {})).toEqual({
      status: 200,
      body: [{ id: 2 }],
      range: '1-1/*',
    })
  })

  test('a set of scalars is returned as a list of at most 1,000 values', async () => {
    expect(await call('POST', l.list_titles, {})).toMatchObject({ body: ['Uno', 'Dos', 'Tres'] })
    expect(
      await call('GET', `${l.list_titles}?limit=1&offset=1`, undefined, { prefer: 'count=exact' }),
    ).toEqual({
      status: 206,
      body: ['Dos'],
      range: '1-1/3',
    })
    expect((await call('POST', l.list_pairs, { size: 1500 })).body).toHaveLength(1000)
  })

  test('a variadic function accepts a list or repeated arguments', async () => {
    const words = ['a,b', '"c"']

    expect((await ana.client.rpc(l.join_words, { sign: '-', words })).data).toBe('a,b-"c"')
    expect((await ana.client.rpc(l.join_words, { sign: '-', words: [] })).data).toBe('')
    expect(await call('GET', `${l.join_words}?words=a,b&sign=x&sign=-&words="c"`)).toMatchObject({
      body: 'a,b-"c"',
    })
  })

  test('a call of a void function takes effect and gets 204', async () => {
    expect(await call('POST', l.add_book, { number: 50 })).toEqual({
      status: 204,
      body: undefined,
      range: '0-0/*',
    })
    expect((await ana.client.from(l.books).delete({ count: 'exact' }).eq('id', 50)).count).toBe(1)
  })

  test('a call that returns more rows than the client requested is rolled back', async () => {
    const title = async () =>
      (await ana.client.from(l.books).select('title').eq('id', 1).single()).data?.title
    const object = { accept: 'application/vnd.pgrst.object+json' }
    const strict = { prefer: 'handling=strict,max-affected=2' }

    expect(await call('POST', l.touch_books, { word: 'Otro' }, object)).toMatchObject({
      status: 406,
      body: { code: 'PGRST116', details: 'The result contains 3 rows' },
    })
    expect(await call('POST', l.touch_books, { word: 'Otro' }, strict)).toMatchObject({
      status: 400,
      body: { code: 'PGRST124', details: 'The query affects 3 rows' },
    })
    expect(await title()).toBe('Uno')
  })

  test('a function with one unnamed argument cannot be called', async () => {
    expect(await call('POST', l.take_body, { a: 1 })).toMatchObject({
      status: 404,
      body: { code: 'PGRST202' },
    })
  })
})
