// A transient error of the database is 503 with Retry-After. A test cannot fill PostgreSQL's disk, so a trigger raises it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, administrator, signUpCustomer } from '#tests/wire/people.ts'

const fault = `fault_${randomUUID().replaceAll('-', '')}`
const { url, anonKey, ownerUrl } = inject('server')

// The embedded engine belongs to the server's process: a test cannot create a trigger.
describe.skipIf(ownerUrl === null)('while the database fails transiently', () => {
  let office: Person
  let customer: Person
  beforeAll(async () => {
    ;[office, customer] = await Promise.all([administrator(), signUpCustomer()])
    await runAsOwner(
      `create function private.${fault}() returns trigger language plpgsql as
         $$ begin raise exception 'transient' using errcode = right(new.description, 5); end $$;
       create trigger ${fault} before insert on public.transactions
         for each row when (new.description like '${fault}%') execute function private.${fault}()`,
    )
  })
  afterAll(async () => {
    await runAsOwner(`drop trigger ${fault} on public.transactions; drop function private.${fault}()`)
  })

  test.each([
    ['a full disk', '53100'],
    ['a deadlock', '40P01'],
    ['a server that ends', '57P01'],
  ])('%s: 503 with Retry-After, from the functions and from the table API', async (_name, sqlState) => {
    const description = `${fault} ${sqlState}`
    const post = async (by: Person, path: string, body: object) => {
      const { data } = await by.client.auth.getSession()
      const authorization = `Bearer ${data.session?.access_token}`
      const headers = { apikey: anonKey, authorization, 'content-type': 'application/json' }
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return [answer.status, answer.headers.get('retry-after')]
    }

    const byFunction = await post(office, '/functions/v1/manage-transactions', {
      action: 'create',
      transactionData: { user_id: customer.id, amount: '10', description, type: 'deposit' },
    })
    const byTable = await post(customer, '/rest/v1/transactions', { type: 'expense', amount: 1, description })

    expect([byFunction, byTable]).toEqual([
      [503, '2'],
      [503, '2'],
    ])
  })
})
