// Casts in a select list: the types of the list, and no way to the names of other things.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
  await recordExpenses(customer, [{ amount: 12.5, description: '7', date: '2026-03-01T10:00:00Z' }])
})

const select = async (list: string) =>
  (await rawRest('GET', `/transactions?select=${encodeURIComponent(list)}`, { as: customer })).body

test('a value is answered as the type that is asked for, under its own name or an alias', async () => {
  expect(
    await select(
      'amount::text,entero:amount::int,description::integer,date::date,doble:amount::double precision',
    ),
  ).toEqual([{ amount: '12.5', entero: 13, description: 7, date: '2026-03-01', doble: 12.5 }])
})

test.each(['regclass', 'oid', 'xml', 'public.budgets', 'text[]', 'nothing'])(
  'a cast to %s is refused',
  async (type) => {
    expect(await select(`description::${type}`)).toMatchObject({
      code: expect.stringMatching(/^(?:42704|PGRST100)$/),
    })
  },
)

test('a value that is none of the type is refused in the words of PostgreSQL', async () => {
  expect(await select('category::integer')).toMatchObject({
    code: '22P02',
    message: 'invalid input syntax for type integer: "Comida"',
  })
})
