// The creation of a user on a hosted project. The authentication service creates the user. The function therefore
// records the intent in the audit before the creation, and the result after it.
import { describe, expect, inject, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { invoke, newUser } from './invoke.ts'

const office = await administrator()

const entries = async (filter: { target: string } | { actor: string }) => {
  const [[column, value] = ['', '']] = Object.entries(filter)
  const { data } = await office.client
    .from('audit_entries')
    .select('action,actor,origin,after')
    .eq(column, value)
    .order('id')
  return data ?? []
}

// Our own server writes the user and the audit entry in one database transaction (audit.test.ts).
describe.skipIf(inject('server').functionsBy === 'server')('in Deno', () => {
  test('the audit records the intent and the result of a creation with their author', async () => {
    const user = newUser({ role: 'admin' })

    const { body } = await invoke(office.client, 'manage-users', user)

    const found = await entries({ target: String(body['id']) })
    expect(found[0]).toMatchObject({ action: 'begin_user_creation', actor: office.id, origin: 'request' })
    expect(found.slice(-2)).toEqual([
      { action: 'create_user', actor: office.id, origin: 'service', after: { role: 'user' } },
      // The administrator's own request grants the role.
      { action: 'change_role', actor: office.id, origin: 'request', after: { role: 'admin' } },
    ])
    expect(JSON.stringify(found)).not.toContain(user.email)
  })

  test('a creation that the authentication service refuses adds no result to the audit and frees its idempotency key', async () => {
    const colleague = await signUpCustomer()
    await office.client.from('profiles').update({ role: 'admin' }).eq('id', colleague.id)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const taken = newUser({ role: 'admin', email: colleague.email })

    expect(await invoke(colleague.client, 'manage-users', taken, headers)).toEqual({
      status: 422,
      body: { error: 'Ya existe un usuario con ese email.' },
    })
    expect((await invoke(colleague.client, 'manage-users', newUser(), headers)).status).toBe(200)

    expect(await entries({ actor: colleague.id })).toMatchObject([
      { action: 'begin_user_creation' },
      { action: 'begin_user_creation' },
      { action: 'create_user', origin: 'service' },
    ])
  })

  test('the audit names the person as the author when they delete their own account', async () => {
    const person = await signUpCustomer()

    await invoke(person.client, 'delete-account', { password: person.password })

    expect(await entries({ target: person.id })).toMatchObject([
      { action: 'delete_user', actor: person.id, origin: 'service' },
    ])
  })
})
