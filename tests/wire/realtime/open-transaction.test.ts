import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { signIn, signUpCustomer } from '#tests/wire/people.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

// The embedded engine belongs to one process: nobody else can keep a database transaction open.
describe.skipIf(inject('server').ownerUrl === null)('while an old writing transaction is open', () => {
  test('signing out closes the channel within a second, and changes wait and then come in order', async () => {
    const ana = await signUpCustomer()
    const phone = await signIn(ana)
    const watching = await watch(ana.client, { table: 'transactions' })
    const watchingPhone = await watch(phone.client, { table: 'transactions' })
    const open = await holdOpen()
    onTestFinished(() => open.end())

    const first = await addExpense(ana)
    const second = await addExpense(ana)
    await ana.client.auth.signOut({ scope: 'others' })
    await watchingPhone.state('CLOSED')
    expect(watchingPhone.messages.at(-1)?.message).toBe('Session from session_id claim in JWT does not exist')
    expect(watching.changes).toEqual([])

    await open.end()
    await watching.change(isInsertOf(second))
    expect(watching.changes.map(({ new: row }) => 'id' in row && row['id'])).toEqual([first, second])
  })
})

/**
 * Opens a database transaction that has a number; while it is open no later one is the oldest. Eight seconds
 * at most, and in the test a few hundredths: the other tests of this server wait for it too.
 */
async function holdOpen(): Promise<{ end(): Promise<void> }> {
  const name = `held-${crypto.randomUUID()}`
  const transaction = runAsOwner(
    `begin; set application_name = '${name}'; select pg_current_xact_id(); select pg_sleep(8); commit`,
  )
  // It ends when its sleep is cancelled, which psql calls an error.
  const ended = transaction.catch(() => undefined)
  const isOpen = `select 1 from pg_stat_activity where application_name = '${name}' and backend_xid is not null`
  await expect.poll(() => runAsOwner(isOpen)).toEqual(['1'])
  return {
    async end() {
      await runAsOwner(
        `select pg_cancel_backend(pid) from pg_stat_activity where application_name = '${name}'`,
      )
      await ended
    },
  }
}
