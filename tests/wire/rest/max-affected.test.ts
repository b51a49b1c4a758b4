// A client says how many rows its write may touch, and the write that would touch more is undone. Planted
// fault: the preference read and not obeyed.
import type { Database } from '@finanzas/contract/database-types.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('a deletion of more rows than the client allows deletes none, one of as many deletes them', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [{ amount: 1 }, { amount: 2 }, { amount: 3 }])
  // The client's types know the preference where they are told what the server is.
  const client = customer.client as unknown as SupabaseClient<Database>
  const remove = (max: number) => client.from('transactions').delete().gt('amount', 0).maxAffected(max)

  const { status, error } = await remove(2)
  expect({ status, error }).toEqual({
    status: 400,
    error: expect.objectContaining({
      code: 'PGRST124',
      message: 'Query result exceeds max-affected preference constraint',
      details: 'The query affects 3 rows',
    }),
  })
  expect(await countTransactions(customer)).toBe(3)

  expect((await remove(3)).status).toBe(204)
  expect(await countTransactions(customer)).toBe(0)
})

test('it is obeyed with a representation and in an update, and told to be', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [{ amount: 1 }, { amount: 2 }])
  const prefer = 'handling=strict,max-affected=1'

  const deletion = await rawRest('DELETE', '/transactions?amount=gt.0', {
    as: customer,
    headers: { prefer: `${prefer},return=representation` },
  })
  const update = await rawRest('PATCH', `/budgets?user_id=eq.${customer.id}`, {
    as: customer,
    body: { monthly_limit: 5 },
    headers: { prefer },
  })
  const none = await rawRest('PATCH', `/budgets?user_id=eq.${customer.id}`, {
    as: customer,
    body: { monthly_limit: 6 },
    headers: { prefer: 'handling=strict,max-affected=0' },
  })

  expect(deletion.body).toMatchObject({ code: 'PGRST124' })
  expect(await countTransactions(customer)).toBe(2)
  expect(update.status).toBe(204)
  expect(update.headers.get('preference-applied')).toBe('handling=strict, max-affected=1')
  expect(none.body).toMatchObject({ code: 'PGRST124', details: 'The query affects 1 rows' })
  expect((await customer.client.from('budgets').select('monthly_limit')).data).toEqual([{ monthly_limit: 5 }])
})

test('without handling=strict nobody has promised to obey it', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [{ amount: 1 }, { amount: 2 }])

  const { status, headers } = await rawRest('DELETE', '/transactions?amount=gt.0', {
    as: customer,
    headers: { prefer: 'max-affected=1' },
  })

  expect(status).toBe(204)
  expect(headers.get('preference-applied')).toBeNull()
})
