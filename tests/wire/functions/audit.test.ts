// What administrators did, as `audit_entries` shows it to administrators.
import { beforeAll, expect, inject, test } from 'vitest'
import { type Session, createClient } from '@supabase/supabase-js'
import { type Person, administrator, newClient, newEmail, signUpCustomer } from '#tests/wire/people.ts'
import { invoke } from './invoke.ts'

type Entry = { id: number; action: string; outcome: string; request_id: string | null }
let office: Person & { session: Session }

// In Deno a creation is three records: hosted-audit.test.ts.
const whereTheServerActs = test.skipIf(inject('server').functionsBy === 'deno')

beforeAll(async () => {
  office = await administrator()
})

const entriesAbout = async (target: string) =>
  (
    await office.client
      .from('audit_entries')
      .select('action,actor,actor_name,outcome,reason,before,after,origin')
      .eq('target', target)
      .order('id')
  ).data ?? []
const depositFor = (userId: string) => ({
  action: 'create',
  transactionData: { user_id: userId, amount: '10', description: 'Nómina', type: 'deposit' },
})

test('a registered transaction, a changed role and a deletion are there at once, with who did it', async () => {
  const customer = await signUpCustomer()
  const registered = await invoke(office.client, 'manage-transactions', depositFor(customer.id))
  await office.client.from('profiles').update({ role: 'admin' }).eq('id', customer.id)
  await invoke(office.client, 'manage-users', { action: 'delete', userId: customer.id })

  const done = { actor: office.id, actor_name: null, origin: 'request', outcome: 'done', reason: null }
  expect(await entriesAbout(customer.id)).toEqual([
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

whereTheServerActs('a created user is there without their address', async () => {
  const email = newEmail()
  const { body } = await invoke(office.client, 'manage-users', {
    action: 'create',
    email,
    password: 'una clave larga',
    user_metadata: { full_name: 'Inés Mora' },
  })

  const entries = await entriesAbout(String(body['id']))

  expect(entries).toMatchObject([{ action: 'create_user', actor: office.id, after: { role: 'user' } }])
  expect(JSON.stringify(entries)).not.toContain(email)
})

test('the entry of a function’s effect carries the id of the answer', async () => {
  const customer = await signUpCustomer()
  const { url, anonKey } = inject('server')
  const answer = await fetch(`${url}/functions/v1/manage-transactions`, {
    method: 'POST',
    headers: { apikey: anonKey, authorization: `Bearer ${office.session.access_token}` },
    body: JSON.stringify(depositFor(customer.id)),
  })

  const { data } = await office.client
    .from('audit_entries')
    .select('request_id')
    .eq('target', customer.id)
    .single()

  expect(data).toEqual({ request_id: answer.headers.get('x-request-id') })
})

test('a service records with the service key what the database cannot see; nobody else can', async () => {
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

test('it is read newest first, page by page along the id', async () => {
  const page = async (below: number) =>
    (
      await office.client
        .from('audit_entries')
        .select('id,action,outcome,request_id')
        .lt('id', below)
        .order('id', { ascending: false })
        .limit(2)
        .overrideTypes<Entry[], { merge: false }>()
    ).data ?? []

  const first = await page(Number.MAX_SAFE_INTEGER)
  const second = await page(first.at(-1)?.id ?? 0)

  const newest = first[0]?.id ?? 0
  expect([...first, ...second].map(({ id }) => id)).toEqual([newest, newest - 1, newest - 2, newest - 3])
})

test('a customer is refused aloud, and who is not signed in too; nobody writes it', async () => {
  const { client } = await signUpCustomer()

  const asCustomer = await client.from('audit_entries').select('*').eq('id', -1)
  const asNobody = await newClient().from('audit_entries').select('*')
  const erasing = await office.client.from('audit_entries').delete().gt('id', 0)

  expect([asCustomer.status, asCustomer.error?.code]).toEqual([403, '42501'])
  expect([asNobody.status, asNobody.error?.code]).toEqual([401, '42501'])
  expect([erasing.status, erasing.error?.code]).toEqual([403, '42501'])
})
