// A table that an operator adds while the server runs; and what no table of the product lets anybody do.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { signUpCustomer } from '#tests/wire/people.ts'
import { rawRest } from './raw-rest.ts'

const table = `notes_${randomUUID().replaceAll('-', '')}`
// The embedded engine belongs to one process: nobody else can make a table.
describe.skipIf(inject('server').ownerUrl === null)('a table that the product does not have', () => {
  let customer: Awaited<ReturnType<typeof signUpCustomer>>
  beforeAll(async () => {
    customer = await signUpCustomer()
    // The schema has been read before the table is there.
    await rawRest('GET', '/budgets', { as: customer })
    await runAsOwner(
      `create table public.${table} (id integer primary key, line text default 'nothing');
     grant select, insert, update on public.${table} to authenticated`,
    )
  })
  afterAll(async () => {
    await runAsOwner(`drop table public.${table}`)
  })

  test('a new table is served within seconds, without a restart', async () => {
    await expect
      .poll(async () => (await rawRest('GET', `/${table}`, { as: customer })).status, {
        timeout: 10_000,
        interval: 200,
      })
      .toBe(200)

    // And so is a new column.
    await runAsOwner(`alter table public.${table} add column colour text`)
    await expect
      .poll(async () => (await rawRest('GET', `/${table}?select=colour`, { as: customer })).status, {
        timeout: 10_000,
        interval: 200,
      })
      .toBe(200)
  })

  test('an upsert merges into rows that are there and adds the others', async () => {
    const upsert = (rows: object[], resolution: string) =>
      rawRest('POST', `/${table}?on_conflict=id&select=id,line`, {
        as: customer,
        body: rows,
        headers: { prefer: `return=representation,resolution=${resolution}` },
      })

    const first = await upsert([{ id: 1, line: 'one' }], 'merge-duplicates')
    const merged = await upsert([{ id: 1, line: 'uno' }], 'merge-duplicates')
    const mixed = await upsert(
      [
        { id: 1, line: 'eins' },
        { id: 2, line: 'zwei' },
      ],
      'merge-duplicates',
    )
    const ignored = await upsert(
      [
        { id: 1, line: 'un' },
        { id: 3, line: 'trois' },
      ],
      'ignore-duplicates',
    )

    expect([first.status, merged.status, mixed.status, ignored.status]).toEqual([201, 200, 201, 201])
    expect(merged.body).toEqual([{ id: 1, line: 'uno' }])
    expect(mixed.body).toEqual([
      { id: 1, line: 'eins' },
      { id: 2, line: 'zwei' },
    ])
    expect(ignored.body).toEqual([{ id: 3, line: 'trois' }])
  })

  test('a key that is taken answers 409, an insert of defaults uses them', async () => {
    await rawRest('POST', `/${table}`, { as: customer, body: { id: 10 } })
    const again = await rawRest('POST', `/${table}`, { as: customer, body: { id: 10 } })
    const line = await rawRest('GET', `/${table}?id=eq.10&select=line`, { as: customer })

    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ code: '23505' })
    expect(line.body).toEqual([{ line: 'nothing' }])
  })

  test('an update of one row as an object answers it, an empty one changes nothing', async () => {
    await rawRest('POST', `/${table}`, { as: customer, body: { id: 20 } })
    const update = (body: object) =>
      rawRest('PATCH', `/${table}?id=eq.20&select=line`, {
        as: customer,
        body,
        headers: { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' },
      })

    expect((await update({ line: 'new' })).body).toEqual({ line: 'new' })
    expect((await update({})).body).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' })
  })
})
