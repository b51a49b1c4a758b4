// Entries in `audit_entries` about administrators' actions. tests/database/audit.test.ts tests the rules of the audit.
import { expect, inject, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke, newUser } from './invoke.ts'

const office = await administrator()

const entriesAbout = async (target: string) =>
  (
    await office.client
      .from('audit_entries')
      .select('action,actor,actor_name,before,after,origin,request_id')
      .eq('target', target)
      .order('id')
  ).data ?? []

// In Deno the creation of a user adds three entries, which hosted-user-creation.test.ts tests.
test.skipIf(inject('server').functionsBy === 'deno')(
  'the creation of a user is in the audit without their address',
  async () => {
    const user = newUser()
    const { body } = await invoke(office.client, 'manage-users', user)

    const entries = await entriesAbout(String(body['id']))

    expect(entries).toMatchObject([{ action: 'create_user', actor: office.id, after: { role: 'user' } }])
    expect(JSON.stringify(entries)).not.toContain(user.email)
  },
)

test('the audit immediately contains a function’s action with its author and request id', async () => {
  const customer = await signUpCustomer()
  const { url, anonKey } = inject('server')
  const answer = await fetch(`${url}/functions/v1/manage-transactions`, {
    method: 'POST',
    headers: { apikey: anonKey, authorization: `Bearer ${office.session.access_token}` },
    body: JSON.stringify(depositFor(customer.id)),
  })

  const { id } = (await answer.json()) as { id: string }
  expect(await entriesAbout(customer.id)).toMatchObject([
    {
      action: 'register_transaction',
      actor: office.id,
      origin: 'request',
      before: null,
      after: { id, type: 'deposit', amount: '10.00', date: expect.any(String) },
      request_id: answer.headers.get('x-request-id'),
    },
  ])
})
