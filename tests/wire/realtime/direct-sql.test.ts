import { describe, expect, inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { signUpCustomer } from '#tests/wire/people.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

// The embedded engine belongs to one process: nobody else can write to it.
describe.skipIf(inject('server').ownerUrl === null)('writes that go past the server', () => {
  test('a customer hears of what psql writes within a second', async () => {
    const ana = await signUpCustomer()
    const watching = await watch(ana.client, { table: 'transactions' })

    const [id = ''] = await runAsOwner(`${insertFor(ana.id)} returning id`)

    await watching.change(isInsertOf(id))
  })

  test('nobody hears of what was rolled back', async () => {
    const ana = await signUpCustomer()
    const watching = await watch(ana.client, { table: 'transactions' })

    await runAsOwner(`begin; ${insertFor(ana.id)}; rollback`)
    const id = await addExpense(ana)

    await watching.change(isInsertOf(id))
    expect(watching.changes).toHaveLength(1)
  })

  test('what began earlier and committed later is not lost', async () => {
    const ana = await signUpCustomer()
    const eva = await signUpCustomer()
    const watching = await watch(ana.client, { table: 'transactions' })
    const watchingEva = await watch(eva.client, { table: 'transactions' })

    const slow = runAsOwner(`begin; ${insertFor(ana.id)}; select pg_sleep(0.5); commit`)
    await runAsOwner(`select pg_sleep(0.1)`)
    const id = await addExpense(eva)
    await slow

    await watching.change(({ eventType }) => eventType === 'INSERT')
    await watchingEva.change(isInsertOf(id))
  })

  test('banning a customer closes their channels within a second', async () => {
    const ana = await signUpCustomer()
    const watching = await watch(ana.client, { table: 'transactions' })

    await runAsOwner(`update auth.users set banned_until = now() + interval '1 day' where id = '${ana.id}'`)

    await watching.state('CLOSED')
  })
})

function insertFor(userId: string): string {
  return `insert into public.transactions (user_id, type, description, amount, category)
          values ('${userId}', 'expense', 'Café', 4.5, 'Comida')`
}
