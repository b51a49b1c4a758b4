// What an operator made wrong in the database is answered as PostgREST would, and shows nothing of the inside.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { type Library, canHaveLibrary, createLibrary, removeLibrary } from './library.ts'
import { rawRest } from './raw-rest.ts'

// The embedded engine cannot be given objects of a test's own.
describe.skipIf(!canHaveLibrary)('a schema with a mistake in it', () => {
  let l: Library
  let customer: Awaited<ReturnType<typeof signUpCustomer>>
  beforeAll(async () => {
    ;[l, customer] = await Promise.all([createLibrary(), signUpCustomer()])
  })
  afterAll(() => removeLibrary(l))

  test('a policy that asks its own table for ever: 500, and nothing about it (42P17 is for the log)', async () => {
    const { status, body, text } = await rawRest('GET', `/${l.circles}`, { as: customer })

    expect(status).toBe(500)
    expect(body).toEqual({ code: 'PGRSTX00', details: null, hint: null, message: 'Internal Server Error' })
    expect(text).not.toContain(l.circles)
  })

  test('a function that reads a table that is not there: 404 42P01, without the name', async () => {
    const { status, body, text } = await rawRest('POST', `/rpc/${l.read_nothing}`, { as: customer, body: {} })

    expect(status).toBe(404)
    expect(body).toEqual({ code: '42P01', details: null, hint: null, message: 'Undefined object' })
    expect(text).not.toContain('nothing_of_the_kind')
  })
})
