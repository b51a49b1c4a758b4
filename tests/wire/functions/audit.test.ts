// What administrators did, as `audit_entries` shows it to them; its rules are tests/database/audit.test.ts.
import { beforeAll, expect, inject, test } from 'vitest'
import { type Session, createClient } from '@supabase/supabase-js'
import { type Person, administrator, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke, newUser } from './invoke.ts'

let office: Person & { session: Session }

beforeAll(async () => {
  office = await administrator()
})

const entriesAbout = async (target: string) =>
  (
    await office.client
      .from('audit_entries')
      .select('action,actor,actor_name,before,after,origin,request_id')
      .eq('target', target)
      .order('id')
  ).data ?? []

test('a registered transaction, a changed role and a deletion are there at once, with who did it', async () => {
  const customer = await signUpCustomer()
  const registered = await invoke(office.client, 'manage-transactions', depositFor(customer.id))
  await office.client.from('profiles').update({ role: 'admin' }).eq('id', customer.id)
  await invoke(office.client, 'manage-users', { action: 'delete', userId: customer.id })

  const done = { actor: office.id, actor_name: null, origin: 'request' }
  expect(await entriesAbout(customer.id)).toMatchObject([
    {
      ...done,
      action: 'register_transaction',
      before: null,
      after: { id: registered.body['id'], type: 'deposit', amount: '10.00', date: expect.any(String) },
    },
    { ...done, action: 'change_role', before: { role: 'user' }, after: { role: 'admin' } },
    { ...done, action: 'delete_user', before: { role: 'admin' }, after: null },
  ])
})

// In Deno a creation is three entries: hosted-user-creation.test.ts.
test.skipIf(inject('server').functionsBy === 'deno')(
  'a created user is there without their address',
  async () => {
    const user = newUser()
    const { body } = await invoke(office.client, 'manage-users', user)

    const entries = await entriesAbout(String(body['id']))

    expect(entries).toMatchObject([{ action: 'create_user', actor: office.id, after: { role: 'user' } }])
    expect(JSON.stringify(entries)).not.toContain(user.email)
  },
)

test('the entry of a function’s effect carries the id of the answer', async () => {
  const customer = await signUpCustomer()
  const { url, anonKey } = inject('server')
  const answer = await fetch(`${url}/functions/v1/manage-transactions`, {
    method: 'POST',
    headers: { apikey: anonKey, authorization: `Bearer ${office.session.access_token}` },
    body: JSON.stringify(depositFor(customer.id)),
  })

  expect(await entriesAbout(customer.id)).toMatchObject([{ request_id: answer.headers.get('x-request-id') }])
})

test('a service records with the service key what the database cannot see; a person cannot', async () => {
  const { url, serviceRoleKey } = inject('server')
  const target = crypto.randomUUID()
  const entry = { action: 'restore_backup', actor: office.id, target, before: null, after: { rows: 3 } }

  const recorded = await createClient(url, serviceRoleKey).rpc('record_audit', entry)

  expect(recorded.error).toBeNull()
  expect((await office.client.rpc('record_audit', entry)).error?.code).toBe('42501')
  expect(await entriesAbout(target)).toMatchObject([
    { action: 'restore_backup', origin: 'service', actor: office.id, after: { rows: 3 } },
  ])
})
