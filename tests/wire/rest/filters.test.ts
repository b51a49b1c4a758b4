// Tests which rows a request with filters, an order or casts returns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOwner } from '#tests/wire/owner-sql.ts'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from '#tests/wire/expenses.ts'
import { type Library, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

let customer: SignedIn
beforeAll(async () => {
  customer = await signUpCustomer()
  const date = '2026-03-01T10:00:00Z'
  await recordExpenses(customer, [
    { amount: 1, description: 'Pan', category: 'Comida', date },
    { amount: 2, description: 'Bus, tren y "metro"', category: 'Transporte', date },
    { amount: 3, description: 'Cine (50%)', category: null, date },
  ])
})

const encoded = (query: string) =>
  query
    .split('&')
    .map((parameter) => parameter.split(/=(.*)/s, 2).map(encodeURIComponent).join('='))
    .join('&')

test.each([
  ['amount=eq.2', [2]],
  ['amount=neq.2', [1, 3]],
  ['amount=gt.2', [3]],
  ['amount=gte.2', [2, 3]],
  ['amount=lt.2', [1]],
  ['amount=lte.2', [1, 2]],
  ['amount=not.eq.2', [1, 3]],
  ['amount=in.(1,3)', [1, 3]],
  ['amount=not.in.(1,3)', [2]],
  ['amount=in.()', []],
  ['amount=gt.1&amount=lt.3', [2]],
  ['description=like.P*', [1]],
  ['description=like.p*', []],
  ['description=ilike.p*', [1]],
  ['description=ilike.*n', [1]],
  ['description=eq.Cine (50%)', [3]],
  ['description=in.("Bus, tren y \\"metro\\"",Pan)', [1, 2]],
  ['category=is.null', [3]],
  ['category=not.is.null', [1, 2]],
  ['category=is.not_null', [1, 2]],
  ['or=(amount.eq.1,category.is.null)', [1, 3]],
  ['or=(amount.eq.1,and(amount.gt.1,description.like."Bus, *"))', [1, 2]],
  ['and=(amount.gte.1,or(category.eq.Comida,category.eq.Transporte))', [1, 2]],
  ['not.or=(amount.eq.1,amount.eq.2)', [3]],
  ['or=(amount.not.in.(1,2),not.and(amount.gt.1,amount.lt.4))', [1, 3]],
  ["description=eq.' or 1=1 --", []],
  ['user_id=eq.00000000-0000-4000-8000-000000000000', []],
] as const)('the filter %s matches the rows %j', async (query, amounts) => {
  const path = `/transactions?select=amount&order=amount&${encoded(query)}`
  const { status, body } = await rawRest('GET', path, { as: customer })

  expect(status).toBe(200)
  expect(body).toEqual(amounts.map((amount) => ({ amount })))
})

test.each([
  ['category', ['Comida', 'Transporte', null]],
  ['category.nullsfirst', [null, 'Comida', 'Transporte']],
  ['category.desc', [null, 'Transporte', 'Comida']],
  ['category.desc.nullslast', ['Transporte', 'Comida', null]],
])('order=%s puts rows without a value in the requested place', async (order, categories) => {
  const { body } = await rawRest('GET', `/transactions?select=category&order=${order}`, { as: customer })

  expect(body).toEqual(categories.map((category) => ({ category })))
})

test('a column can be cast under its own name or an alias', async () => {
  const cast = async (list: string) =>
    (await rawRest('GET', `/transactions?amount=eq.1&select=${list}`, { as: customer })).body

  expect(await cast('amount::text,entero:amount::int,date::date,doble:amount::double%20precision')).toEqual([
    { amount: '1', entero: 1, date: '2026-03-01', doble: 1 },
  ])
  expect(await cast('category::integer')).toMatchObject({
    code: '22P02',
    message: 'invalid input syntax for type integer: "Comida"',
  })
})

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('filters on every kind of column', () => {
  let l: Library
  beforeAll(async () => {
    l = await createLibrary()
    await customer.client.from(l.books).insert([
      { id: 1, title: 'La casa sola', price: 5, tags: ['a', 'b'], facts: { size: 7, in: ['x', { k: 'v' }] } },
      { id: 2, title: 'Casas y caminos', price: null, tags: ['b', 'c,d'], facts: { size: 12 } },
      { id: 3, title: 'El camino', price: 9, tags: [], facts: null },
    ])
  })
  afterAll(() => removeLibrary(l))

  const ids = async (query: string) => {
    const path = `/${l.books}?select=id&order=id&${encoded(query)}`
    const { status, body } = await rawRest('GET', path, { as: customer })
    return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : body
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
  ])('the filter %s matches the rows %j', async (query, kept) => {
    expect(await ids(query)).toEqual(kept)
  })

  test.each([
    ['price=cs.5', '42883', 'operator does not exist: numeric @> unknown'],
    ['price=eq(any).5', '22P02', 'malformed array literal: "5"'],
    ['tags=cs.a', '22P02', 'malformed array literal: "a"'],
  ])('%s is refused with %s', async (query, code, message) => {
    expect(await ids(query)).toMatchObject({ code, message })
  })

  test('a JSON path can be selected, cast and used as an order', async () => {
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
})
