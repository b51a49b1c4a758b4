// Embedding: a row in an answer can contain rows of other tables that are related to it by foreign keys. The tests in
// server/rest/plan and server/rest/sql test which key an embed uses, and its SQL.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOwner } from '#tests/wire/owner-sql.ts'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { type Library, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('embedding', () => {
  let l: Library
  let ana: SignedIn
  let luis: SignedIn
  beforeAll(async () => {
    ;[l, ana, luis] = await Promise.all([createLibrary(), signUpCustomer(), signUpCustomer()])
    await ana.client.from(l.authors).insert([
      { id: 1, name: 'Gabriela' },
      { id: 2, name: 'Laura' },
    ])
    await ana.client.from(l.books).insert([
      { id: 1, author: 1, editor: 2, title: 'Uno', price: 5 },
      { id: 2, author: 1, editor: 1, title: 'Dos', price: 20 },
      { id: 3, author: 2, editor: null, title: 'Tres', price: 7 },
      { id: 4, author: null, editor: null, title: 'Cuatro', price: 8 },
    ])
    await ana.client.from(l.reviews).insert([
      { id: 1, book: 1, stars: 5 },
      { id: 2, book: 1, stars: 3 },
    ])
    // Luis adds a review of Ana's book and another book by her author. Ana cannot read these two rows.
    await luis.client.from(l.reviews).insert({ id: 3, book: 1, stars: 1 })
    await luis.client.from(l.books).insert({ id: 5, author: 1, editor: 1, title: 'De Luis', price: 6 })
  })
  afterAll(() => removeLibrary(l))

  const read = async (path: string, person = ana) => {
    const { status, body } = await rawRest('GET', `/${path}`, { as: person })
    return { status, body }
  }
  const rows = (body: unknown) => ({ status: 200, body })

  test('a many-to-one embed is an object or null, named after the table or the key or an alias', async () => {
    const list = `${l.books}?order=id&select=id`

    expect(await read(`${list},escritora:${l.authors}!author(name)&id=eq.4`)).toEqual(
      rows([{ id: 4, escritora: null }]),
    )
    expect(await read(`${list},editor(name),${l.by_author}(name)&id=eq.1`)).toEqual(
      rows([{ id: 1, editor: { name: 'Laura' }, [l.by_author]: { name: 'Gabriela' } }]),
    )
  })

  test('a one-to-many embed is a list that can have its own filters and order and limit', async () => {
    const list = `${l.authors}?id=eq.1&select=obras:${l.books}!author(title)`

    expect(await read(`${list}&obras.order=title.desc`)).toEqual(
      rows([{ obras: [{ title: 'Uno' }, { title: 'Dos' }] }]),
    )
    expect(await read(`${list}&obras.price=gt.100`)).toEqual(rows([{ obras: [] }]))
    expect(await read(`${list}&obras.or=(price.lt.6,price.gt.100)`)).toEqual(
      rows([{ obras: [{ title: 'Uno' }] }]),
    )
  })

  test('an embedded table can embed another table', async () => {
    const path = `${l.authors}?id=eq.1&select=name,${l.books}!author(title,${l.reviews}(stars))`

    expect(await read(`${path}&${l.books}.order=id&${l.books}.${l.reviews}.order=stars`)).toEqual(
      rows([
        {
          name: 'Gabriela',
          [l.books]: [
            { title: 'Uno', [l.reviews]: [{ stars: 3 }, { stars: 5 }] },
            { title: 'Dos', [l.reviews]: [] },
          ],
        },
      ]),
    )
  })

  test('!inner excludes rows without an embedded row from the answer and the count', async () => {
    const { headers, body } = await rawRest(
      'GET',
      `/${l.books}?order=id&select=id,editor!inner(name)&editor.name=eq.Laura`,
      { as: ana, headers: { prefer: 'count=exact' } },
    )

    expect(body).toEqual([{ id: 1, editor: { name: 'Laura' } }])
    expect(headers.get('content-range')).toBe('0-0/1')
    expect(await read(`${l.books}?order=id&select=id,${l.reviews}!inner()`)).toEqual(rows([{ id: 1 }]))
  })

  test('a view has the relationships of the key columns that it contains, even through another view', async () => {
    expect(
      await read(
        `${l.cheap_books}?order=number&select=number,${l.authors}(name),${l.reviews}(stars)&number=eq.3`,
      ),
    ).toEqual(rows([{ number: 3, [l.authors]: { name: 'Laura' }, [l.reviews]: [] }]))
    expect(await read(`${l.authors}?id=eq.2&select=${l.titled_books}(title)`)).toEqual(
      rows([{ [l.titled_books]: [{ title: 'TRES' }] }]),
    )
  })

  test('an embed contains only rows that the caller can read', async () => {
    expect(await read(`${l.reviews}?select=stars,${l.books}(title)`, luis)).toEqual(
      rows([{ stars: 1, [l.books]: null }]),
    )
    expect(await read(`${l.authors}?id=eq.1&select=${l.books}!author(id)&${l.books}.order=id`)).toEqual(
      rows([{ [l.books]: [{ id: 1 }, { id: 2 }] }]),
    )
    expect(await read(`${l.reviews}?select=stars,${l.books}!inner(title)`, luis)).toEqual(rows([]))
  })

  test('a write can return rows that are related to the written rows', async () => {
    const { data } = await ana.client
      .from(l.books)
      .insert({ id: 40, author: 2, title: 'Cuarenta' })
      .select(`id,escritora:${l.authors}!${l.by_author}(name)`)

    expect(data).toEqual([{ id: 40, escritora: { name: 'Laura' } }])
    await ana.client.from(l.books).delete().eq('id', 40)
  })
})
