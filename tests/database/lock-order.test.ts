// Every customer call takes its locks in the same order: first the account, then the rows. Two calls with different
// orders would deadlock.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Owner, type SqlStatement, sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, expense, record, run } from './people.ts'

const bank = useBank()

type Own = { movement: string; rule: string; filed: string; imported: string }

/** Adds a customer with a row in each table that the calls change. */
async function customerWithRows(): Promise<{ customer: Person; own: Own }> {
  const customer = await bank.addCustomer()
  const movement = await record(customer, expense(customer, '1'))
  const [rule, filed, imported] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const lines = JSON.stringify([{ date: '2026-11-01', description: 'Pan', amount: 1, category: 'Casa' }])
  await run(customer, sql`insert into public.categories (name) values ('Casa')`)
  for (const [id, contains] of [
    [rule, 'café'],
    [filed, 'pan'],
  ] as const)
    await run(
      customer,
      sql`insert into public.category_rules (id, contains, category) values (${id}, ${contains}, 'Mascotas')`,
    )
  await run(customer, sql`select public.import_transactions(${imported}, ${lines}::json)`)
  await run(customer, sql`select public.apply_category_rule(${filed})`)
  await run(customer, sql`select public.set_category_budget('Casa', 10)`)
  return { customer, own: { movement, rule, filed, imported } }
}

const calls: Readonly<Record<string, (own: Own) => SqlStatement>> = {
  'the deletion of a transaction': ({ movement }) =>
    sql`delete from public.transactions where id = ${movement}`,
  'an edit of a transaction': ({ movement }) =>
    sql`update public.transactions set category = 'Viajes' where id = ${movement}`,
  // Categories and rules are counted under the lock, so that simultaneous inserts cannot exceed the limit.
  'a new category': () => sql`insert into public.categories (name) values ('Viajes')`,
  'a new rule': () => sql`insert into public.category_rules (contains, category) values ('uber', 'Viajes')`,
  'the application of a rule': ({ rule }) => sql`select public.apply_category_rule(${rule})`,
  'the undoing of a rule': ({ filed }) => sql`select public.undo_category_rule(${filed})`,
  'the deletion of a rule': ({ rule }) => sql`delete from public.category_rules where id = ${rule}`,
  'the renaming of a category': () => sql`update public.categories set name = 'Hogar' where name = 'Casa'`,
  'a new limit': () => sql`select public.set_category_budget('Casa', 20)`,
  'a new monthly limit': () => sql`update public.budgets set monthly_limit = 20`,
  'the undoing of an import': ({ imported }) => sql`select public.undo_import(${imported})`,
  'the closing of the account': () => sql`select private.delete_own_account()`,
}

// The embedded engine runs one database transaction at a time.
describe.skipIf(process.env['ENGINE'] !== 'postgres')('while another call locks the account', () => {
  let other: Owner
  beforeAll(async () => (other = await bank.connectSuperuser()))
  afterAll(() => other.close())

  const isWaitedFor = async () =>
    (
      await other.query(sql`
        select from pg_stat_clear_snapshot(), pg_stat_activity a
        where a.datname = current_database() and pg_backend_pid() = any (pg_blocking_pids(a.pid))`)
    ).length > 0

  test.for(Object.entries(calls))('%s waits before it locks a row', async ([, call]) => {
    const { customer, own } = await customerWithRows()
    await other.query(sql`begin`)
    await other.query(sql`select from public.budgets where user_id = ${customer.id} for no key update`)

    const waiting = run(customer, call(own))
    try {
      await expect.poll(isWaitedFor).toBe(true)
      for (const table of ['transactions', 'categories', 'category_rules', 'category_budgets', 'imports'])
        await other.query({
          text: `select from public.${table} where user_id = $1 for update nowait`,
          values: [customer.id],
        })
      await other.query(sql`select from private.counters where subject = ${customer.id} for update nowait`)
    } finally {
      await other.query(sql`rollback`)
      await waiting
    }
  })
})
