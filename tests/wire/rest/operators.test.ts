// The operators that arrays, JSON and text have beyond comparisons, and the way into JSON.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { type Library, canHaveLibrary, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

// The embedded engine cannot be given tables of a test's own.
describe.skipIf(!canHaveLibrary)('filters on every kind of column', () => {
  let l: Library
  let customer: Awaited<ReturnType<typeof signUpCustomer>>
  beforeAll(async () => {
    ;[l, customer] = await Promise.all([createLibrary(), signUpCustomer()])
    await customer.client.from(l.books).insert([
      { id: 1, title: 'La casa sola', price: 5, tags: ['a', 'b'], facts: { size: 7, in: ['x', { k: 'v' }] } },
      { id: 2, title: 'Casas y caminos', price: null, tags: ['b', 'c,d'], facts: { size: 12 } },
      { id: 3, title: 'El camino', price: 9, tags: [], facts: null },
    ])
  })
  afterAll(() => removeLibrary(l))

  const ids = async (query: string) => {
    const { status, body } = await rawRest(
      'GET',
      `/${l.books}?select=id&order=id&${query.split('&').map(encoded).join('&')}`,
      { as: customer },
    )
    return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : body
  }
  const encoded = (parameter: string) => {
    const [key = '', ...value] = parameter.split('=')
    return `${encodeURIComponent(key)}=${encodeURIComponent(value.join('='))}`
  }

  test.each([
    ['price=isdistinct.5', [2, 3]],
    ['price=not.isdistinct.5', [1]],
    ['tags=cs.{b}', [1, 2]],
    ['tags=cs.{"c,d"}', [2]],
    ['tags=cd.{a,b,c}', [1, 3]],
    ['tags=ov.{a,"c,d"}', [1, 2]],
    ['and=(tags.cs.{a,b},price.eq.5)', [1]],
    ['facts=cs.{"size":12}', [2]],
    ['price=eq(any).{5,9}', [1, 3]],
    ['price=gt(all).{1,6}', [3]],
    ['price=not.eq(any).{5}', [3]],
    ['title=like(any).{La*,*camino}', [1, 3]],
    ['title=ilike(all).{*CASA*,*s*}', [1, 2]],
    ['facts->size=eq.7', [1]],
    ['facts->>size=eq.12', [2]],
    ['facts->in->1->>k=eq.v', [1]],
    ['facts->in->-2=eq."x"', [1]],
    ['facts->>size=is.null', [3]],
    ['or=(facts->>size.eq.12,facts->in->>0.eq.x)', [1, 2]],
    [`facts->>"')) or true --"=is.not_null`, []],
  ])('%s keeps %j', async (query, kept) => {
    expect(await ids(query)).toEqual(kept)
  })

  test.each([
    ['price=cs.5', '42883', 'operator does not exist: numeric @> numeric'],
    ['price=eq(any).5', '22P02', 'malformed array literal: "5"'],
    ['tags=cs.a', '22P02', 'malformed array literal: "a"'],
    ['price=neq(any).{5}', 'PGRST100', expect.stringContaining('failed to parse filter')],
    ['title=imatch.casa', 'PGRST127', 'Feature not implemented'],
    ['title=fts(1259).casa', 'PGRST127', 'Feature not implemented'],
    ['title=phfts(simple).la casa', 'PGRST127', 'Feature not implemented'],
  ])('%s is refused with %s', async (query, code, message) => {
    expect(await ids(query)).toMatchObject({ code, message })
  })

  test('a way into JSON is selected, cast and ordered by', async () => {
    const { body } = await rawRest(
      'GET',
      `/${l.books}?select=id,facts->size,n:facts->>size::integer,facts->in->1->>k,facts->in->0,tags->0&facts=not.is.null&order=facts->size.desc`,
      { as: customer },
    )

    expect(body).toEqual([
      { id: 2, size: 12, n: 12, k: null, in: null, tags: 'b' },
      { id: 1, size: 7, n: 7, k: 'v', in: 'x', tags: 'a' },
    ])
  })

  test('through the client', async () => {
    const books = () => customer.client.from(l.books).select('id').order('id')
    const found = async (query: PromiseLike<{ data: { id: number }[] | null }>) =>
      (await query).data?.map(({ id }) => id)

    expect(await found(books().contains('tags', ['a']))).toEqual([1])
    expect(await found(books().containedBy('tags', ['a', 'b']))).toEqual([1, 3])
    expect(await found(books().overlaps('tags', ['b']))).toEqual([1, 2])
    expect(await found(books().contains('facts', { size: 7 }))).toEqual([1])
    expect(await found(books().likeAnyOf('title', ['La%', '%no']))).toEqual([1, 3])
    expect(await found(books().eq('facts->>size', '7'))).toEqual([1])
  })
})
