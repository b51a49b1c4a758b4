// Staff actions on a person's access that are calls of the table API, and their effect on the person's requests.
// tests/database/staff.test.ts and staff-power.test.ts test the rules of these actions.
import { beforeAll, expect, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { type Person, administrator, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'

let office: Person

beforeAll(async () => {
  office = await administrator()
})

const act = (name: string, person: Pick<Person, 'id'>, more: object = {}) =>
  office.client.rpc(name, { user_id: person.id, ...more })
const actionsOn = async ({ id }: Person) =>
  ((await office.client.from('audit_entries').select('action').eq('target', id).order('id')).data ?? []).map(
    ({ action }) => String(action),
  )
const status = async ({ client }: Pick<Person, 'client'>) =>
  (await client.from('budgets').select('balance')).status
const done = { status: 204, error: null }

test('a blocked person loses access at once and cannot sign in until the block ends', async () => {
  const person = await signUpCustomer()

  expect(await act('block_user', person, { hours: 24, reason: 'suspected_fraud' })).toMatchObject(done)

  expect(await status(person)).toBe(401)
  const { error } = await newClient().auth.signInWithPassword(person)
  expect(error).toMatchObject({ status: 400, code: 'user_banned' })
  expect(await act('unblock_user', person)).toMatchObject(done)
  expect(await status(await signIn(person))).toBe(200)
  expect(await actionsOn(person)).toEqual(['ban_user', 'unban_user'])
})

test('a person whose sessions or second factor staff ended can sign in with the password alone', async () => {
  const person = await signUpCustomer()
  const second = await signIn(person)

  expect(await act('end_sessions', person)).toMatchObject(done)

  expect([await status(person), await status(second)]).toEqual([401, 401])
  const third = await signIn(person)
  await addApp(third)
  expect(await status(await signIn(person))).toBe(403)

  expect(await act('reset_factor', person)).toMatchObject(done)

  expect(await status(third)).toBe(401)
  expect(await status(await signIn(person))).toBe(200)
})
