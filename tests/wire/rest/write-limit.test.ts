// One write touches at most 500 rows: what is more is refused as a whole.
import { randomUUID } from 'node:crypto'
import { restWriteRowsMax } from '@finanzas/contract/limits.ts'
import { expect, inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

const tooManyRows = (details: string) => ({
  code: 'PGRST124',
  details,
  hint: null,
  message: 'One write may touch at most 500 rows',
})

const balanceOf = async (person: Person) =>
  (await person.client.from('budgets').select('balance').single()).data

test('a deletion of 501 rows deletes none, one of 500 deletes them all', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(
    customer,
    Array.from({ length: 250 }, () => ({ amount: 1 })),
  )
  await recordExpenses(
    customer,
    Array.from({ length: 250 }, () => ({ amount: 1 })),
  )
  const [extra] = await recordExpenses(customer, [{ amount: 1 }])
  const remove = (prefer: string, filter = '') =>
    rawRest('DELETE', `/transactions?user_id=eq.${customer.id}${filter}`, {
      as: customer,
      headers: { prefer },
    })

  for (const prefer of ['', 'return=representation', 'count=exact']) {
    const { status, body } = await remove(prefer)
    expect({ status, body }).toEqual({ status: 400, body: tooManyRows('The write touches 501 rows') })
  }
  expect(await countTransactions(customer)).toBe(501)
  expect(await balanceOf(customer)).toEqual({ balance: -501 })

  expect((await remove('', `&id=neq.${extra?.id}`)).status).toBe(204)
  expect(await countTransactions(customer)).toBe(1)
  expect(await balanceOf(customer)).toEqual({ balance: -1 })
})

test('a body of 501 rows is refused before the database sees it', async () => {
  const customer = await signUpCustomer()

  const { status, body } = await rawRest('POST', '/transactions', {
    as: customer,
    // The database would find more to say about such rows.
    body: Array.from({ length: restWriteRowsMax + 1 }, () => ({ amount: 0 })),
  })

  expect(status).toBe(400)
  expect(body).toEqual(tooManyRows('The body has 501 rows'))
})

// The embedded engine belongs to one process: nobody else can make a table.
test.skipIf(inject('server').ownerUrl === null)(
  'a write of too many rows is refused before their triggers run',
  async () => {
    const customer = await signUpCustomer()
    const table = `notes_${randomUUID().replaceAll('-', '')}`
    await runAsOwner(
      `create table public.${table} (id integer primary key, line text);
       insert into public.${table} select n, '' from generate_series(1, 501) as n;
       grant select, update, delete on public.${table} to authenticated;
       create function public.${table}_trigger() returns trigger language plpgsql
         as $$ begin raise exception 'The trigger ran.'; end $$;
       create trigger refuse after update or delete on public.${table}
         for each row execute function public.${table}_trigger()`,
    )
    const write = async (method: string, filter: string) => {
      const body = method === 'PATCH' ? { line: 'new' } : undefined
      return (await rawRest(method, `/${table}?${filter}`, { as: customer, body })).body
    }
    await expect
      .poll(() => write('DELETE', 'id=eq.1'), { timeout: 10_000, interval: 200 })
      .toMatchObject({ code: 'P0001', message: 'The trigger ran.' })

    for (const method of ['PATCH', 'DELETE']) {
      expect(await write(method, 'id=lte.500')).toMatchObject({ code: 'P0001' })
      expect(await write(method, 'id=lte.501')).toEqual(tooManyRows('The write touches 501 rows'))
    }
    await runAsOwner(`drop table public.${table}; drop function public.${table}_trigger()`)
  },
)
