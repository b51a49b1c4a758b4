// Staff actions that are calls of the table API: changes of a person's access, and corrections.
// tests/database/staff.test.ts and staff-power.test.ts test the rules of these actions.
import { beforeAll, expect, inject, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { depositFor, invoke } from '#tests/wire/functions/invoke.ts'
import { type Person, administrator, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { readMails } from '#tests/wire/mails.ts'

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

test('staff can end every session of a person, who can then sign in again', async () => {
  const person = await signUpCustomer()
  const second = await signIn(person)

  expect(await act('end_sessions', person)).toMatchObject(done)

  expect([await status(person), await status(second)]).toEqual([401, 401])
  expect(await status(await signIn(person))).toBe(200)
  expect(await actionsOn(person)).toEqual(['revoke_sessions'])
})

test('a person whose second factor was reset can sign in with the password alone', async () => {
  const person = await signUpCustomer()
  await addApp(person)
  expect(await status(await signIn(person))).toBe(403)

  expect(await act('reset_factor', person)).toMatchObject(done)

  expect(await status(person)).toBe(401)
  expect(await status(await signIn(person))).toBe(200)
  expect(await actionsOn(person)).toEqual(['reset_factor'])
})

test('an administrator can change a customer’s role, but a customer cannot', async () => {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer()])
  const roleOf = async () =>
    (await office.client.from('profiles').select('role').eq('id', customer.id).single()).data

  for (const { client } of [customer, other]) {
    const refused = await client.from('profiles').update({ role: 'admin' }).eq('id', customer.id)
    expect(refused.status).toBe(403)
    expect(refused.error?.code).toBe('42501')
  }
  expect(await roleOf()).toEqual({ role: 'user' })

  const change = (role: string) => office.client.from('profiles').update({ role }).eq('id', customer.id)
  expect((await change('owner')).error?.code).toBe('23514')
  expect((await change('admin')).status).toBe(204)
  expect(await roleOf()).toEqual({ role: 'admin' })
  await change('user')
})

test('a correction that is sent twice with the same key reverses the deposit only once', async () => {
  const person = await signUpCustomer()
  const { body: deposit } = await invoke(office.client, 'manage-transactions', depositFor(person.id))
  const correct = () =>
    act('correct_transaction', person, {
      transaction_id: deposit['id'],
      reason: 'Se registró dos veces',
      idempotency_key: `correction-of-${String(deposit['id'])}`,
    })

  const first = await correct()
  const second = await correct()

  expect(second).toMatchObject({ status: 200, data: first.data })
  const { data: rows } = await person.client.from('corrections').select('id,corrected_id,reason')
  expect(rows).toEqual([{ id: first.data, corrected_id: deposit['id'], reason: 'Se registró dos veces' }])
  expect((await person.client.from('budgets').select('balance')).data).toEqual([{ balance: 0 }])
})

// On a hosted project the platform sends all mails, but it does not send notices about staff actions.
// tests/database/news-record.test.ts tests which actions send which mails.
test.skipIf(inject('server').functionsBy === 'deno')(
  'a person whom staff block gets one mail, even if the call is sent twice',
  async () => {
    const person = await signUpCustomer()
    const order = { idempotency_key: crypto.randomUUID(), reason: 'other' }

    await act('block_user', person, order)
    await act('block_user', person, order)

    await expect.poll(() => readMails(person.email), { timeout: 20_000 }).toHaveLength(2)
    const mails = await readMails(person.email)
    expect(mails.filter((mail) => mail.includes('Bloqueamos tu cuenta'))).toHaveLength(1)
  },
)
