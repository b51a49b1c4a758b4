import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasOwner, runAsOwner } from '#tests/wire/owner-sql.ts'
import { signIn, signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

/** Time after which the server has noticed a change of the publication (`PublishedTables`). */
const catalogueCacheMs = 5100

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('direct SQL writes', () => {
  test('a change that is rolled back is not sent', async () => {
    const ana = await signUpCustomer()
    const watching = await watch(ana.client, { table: 'transactions' })

    await runAsOwner(`begin; ${insertFor(ana.id)}; rollback`)
    const id = await addExpense(ana)

    await watching.change(isInsertOf(id))
    expect(watching.changes).toHaveLength(1)
  })

  test('a change is not lost if it starts before another change and commits after the other change', async () => {
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

  test('a ban closes the customer’s channels within a second', async () => {
    const ana = await signUpCustomer()
    const watching = await watch(ana.client, { table: 'transactions' })

    await runAsOwner(`update auth.users set banned_until = now() + interval '1 day' where id = '${ana.id}'`)

    await watching.state('CLOSED')
  })

  test('a channel closes if its session ends while the server reads its token', async () => {
    const ana = await signUpCustomer()
    const { access_token } = ana.session
    const [topic, table] = [`realtime:user-${ana.id}`, `late_${ana.id.replaceAll('-', '')}`]
    const socket = await openRawSocket()
    // Joins without a token, like a client that has not loaded its session yet.
    await socket.join(topic, transactionsJoin())
    await runAsOwner(`
      create table public.${table} (id int primary key);
      grant select on public.${table} to authenticated;
      alter publication supabase_realtime add table public.${table}`)
    onTestFinished(async () => {
      await runAsOwner(`drop table public.${table}`)
    })
    // Makes the server wait. The server must read the catalogue again, but another connection holds a lock on the new
    // table.
    await setTimeout(catalogueCacheMs)
    const held = runAsOwner(
      `begin; lock table public.${table} in access exclusive mode; select pg_sleep(0.8); commit`,
    )
    await setTimeout(200)
    socket.send({ topic, event: 'access_token', payload: { access_token }, ref: '2', join_ref: '1' })
    await setTimeout(200)

    await ana.client.auth.signOut({ scope: 'local' })
    await held

    await socket.frame(({ event }) => event === 'phx_close')
  })

  test('an open database transaction with writes delays changes but not the end of a session', async () => {
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

function insertFor(userId: string): string {
  return `insert into public.transactions (user_id, type, description, amount, category)
          values ('${userId}', 'expense', 'Café', 4.5, 'Comida')`
}

/**
 * Opens a database transaction, writes in it, and keeps it open for at most eight seconds. The test must end this
 * transaction soon, because an open transaction delays the changes in all other tests on this server.
 */
async function holdOpen(): Promise<{ end(): Promise<void> }> {
  const name = `held-${crypto.randomUUID()}`
  const transaction = runAsOwner(
    `begin; set application_name = '${name}'; select pg_current_xact_id(); select pg_sleep(8); commit`,
  )
  // psql exits with an error, because its sleep is cancelled.
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
