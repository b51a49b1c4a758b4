// Ten minutes after an administrator last entered the password or a code, the session loses most of its privileges, so
// that a thief cannot misuse it. Entering the password again restores the privileges.
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, administrator, claimsOf, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke, newUser } from './invoke.ts'

const unproven = { error: 'Confirma tu contraseña para continuar.', code: 'reauthentication_needed' }
const lines = (userId: string, amount: number) => [
  { line: 1, user_id: userId, amount, description: 'Nómina' },
]

// These tests use SQL to make a session older.
describe.skipIf(inject('server').ownerUrl === null)(
  'an administrator’s session in which no password was entered recently',
  () => {
    let office: Person & { password: string }
    let customer: Person
    const manage = (body: object) => invoke(office.client, 'manage-users', body)
    const prove = async () => {
      const { password } = inject('server').administrator
      const { error } = await office.client.auth.updateUser({ current_password: password })
      if (error !== null) throw error
    }
    const setRole = (id: string, role: string) => office.client.from('profiles').update({ role }).eq('id', id)
    const order = (amount: number) =>
      office.client.rpc('create_batch', {
        id: crypto.randomUUID(),
        title: 'nomina.csv',
        lines: lines(customer.id, amount),
      })

    beforeAll(async () => {
      const signedIn = await administrator()
      office = signedIn
      customer = await signUpCustomer()
      const { session_id } = claimsOf(signedIn.session.access_token)
      await runAsOwner(`update auth.sessions set amr = '[]' where id = '${session_id}'`)
    })

    test('cannot change a role, delete a user or move a large amount', async () => {
      const { error, status } = await setRole(customer.id, 'admin')
      const ordered = await order(10_000_000.01)

      expect([status, error]).toEqual([
        403,
        {
          code: 'reauthentication_needed',
          message: 'Confirma tu contraseña para continuar.',
          details: null,
          hint: null,
        },
      ])
      expect(ordered.error).toMatchObject({ code: 'reauthentication_needed' })
      const reset = await office.client.rpc('reset_factor', { user_id: customer.id })
      expect(reset).toMatchObject({ status: 403, error: { code: 'reauthentication_needed' } })
      for (const [name, body] of [
        ['manage-users', newUser({ role: 'admin' })],
        ['manage-users', { action: 'delete', userId: customer.id }],
        ['manage-transactions', depositFor(customer.id, { amount: '999999999999.99' })],
      ] as const)
        expect(await invoke(office.client, name, body)).toEqual({ status: 403, body: unproven })
      const { data } = await office.client.from('profiles').select('role').eq('id', customer.id).single()
      expect(data).toEqual({ role: 'user' })
      const { data: own } = await customer.client.from('budgets').select('balance').single()
      expect(own).toEqual({ balance: 0 })
    })

    test('can create customers and register small amounts', async () => {
      expect((await manage(newUser())).status).toBe(200)
      expect((await invoke(office.client, 'manage-transactions', depositFor(customer.id))).status).toBe(200)
      expect((await order(5)).error).toBeNull()
    })

    test('can change roles, delete users and move large amounts after proving the password', async () => {
      await prove()

      expect((await setRole(customer.id, 'admin')).error).toBeNull()
      expect((await setRole(customer.id, 'user')).error).toBeNull()
      const made = await manage(newUser({ role: 'admin' }))
      expect(made.status).toBe(200)
      expect((await order(10_000_000.01)).error).toBeNull()
      expect((await manage({ action: 'delete', userId: made.body['id'] })).status).toBe(200)
    })
  },
)
