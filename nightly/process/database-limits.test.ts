/** A database that is read-only for a while, and one that is out of connections. */
import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { servingLoginOf, servingUrlOf } from '#testing/cluster.ts'
import { type Program, clusterOfFile } from '#tests/process/server-program.ts'
import { anonKeyOf } from '#tests/process/client.ts'
import { askPsql } from '#tests/process/psql.ts'
import { record, signIn, startOn } from '#tests/process/servers-of-one-bank.ts'

const hasPostgres = findPostgresBinaries() !== undefined
const cluster = clusterOfFile()

const asSuperuser = (statement: string) => askPsql(cluster(), cluster().url, statement)

/** From now on the servers' connections are new ones. */
const endConnectionsOf = (url: string) =>
  asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${servingLoginOf(url).name}'`,
  )

async function deposit(program: Program, client: SupabaseClient, customer: string): Promise<Response> {
  const { data } = await client.auth.getSession()
  return fetch(`${program.url}/functions/v1/manage-transactions`, {
    method: 'POST',
    headers: {
      apikey: await anonKeyOf(program),
      authorization: `Bearer ${data.session?.access_token}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      action: 'create',
      transactionData: { user_id: customer, type: 'deposit', amount: 12.5, description: 'Nómina' },
    }),
  })
}

// The embedded engine has neither setting.
describe.skipIf(!hasPostgres)('a database', () => {
  test('that only reads is 503 with Retry-After for what writes, and reads go on', async () => {
    const url = await cluster().createDatabase('reading')
    const program = await startOn({ DATABASE_URL: url })
    const { client, userId } = await signIn(program)
    const setReadOnly = async (value: string) => {
      await asSuperuser(`alter database reading set default_transaction_read_only = ${value}`)
      await endConnectionsOf(url)
      await expect.poll(async () => (await fetch(`${program.url}/ready`)).status).toBe(200)
    }

    await setReadOnly('on')
    const refused = await deposit(program, client, userId)
    const expense = await record(client, userId)
    const read = await client.from('budgets').select('balance')

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(expense.status).toBe(503)
    expect(read.status).toBe(200)
    await setReadOnly('off')
    expect((await deposit(program, client, userId)).status).toBe(200)
  }, 60_000)

  test('that gives one connection and no more is enough for calls of two database transactions', async () => {
    const owner = await cluster().createDatabase('scarce')
    const serving = servingUrlOf(owner)
    const program = await startOn({ DATABASE_URL: serving, DATABASE_DIRECT_URL: owner })
    const { client, userId } = await signIn(program)
    await asSuperuser(`alter role ${servingLoginOf(owner).name} connection limit 1`)
    await endConnectionsOf(owner)
    await expect.poll(async () => (await fetch(`${program.url}/ready`)).status).toBe(200)

    const statuses: number[] = []
    for (let call = 0; call < 20; call += 1) statuses.push((await deposit(program, client, userId)).status)

    expect(new Set(statuses)).toEqual(new Set([200]))
  }, 60_000)
})
