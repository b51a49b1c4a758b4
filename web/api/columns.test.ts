// Requests with unknown columns, or with columns that customers are not allowed to write, must not compile. The
// compiler itself runs this test (`tsc -p web`): it fails if an expected error is missing. No request is sent.
import { createClient } from '@supabase/supabase-js'
import type { Database } from '@finanzas/contract/database-types.ts'
import { expect, expectTypeOf, test } from 'vitest'

const client = createClient<Database>('http://127.0.0.1:9', 'no key', { auth: { persistSession: false } })

test('the type of a row has exactly the selected columns', () => {
  const query = client.from('transactions').select('id,amount,type').single()
  const embedded = client.from('profiles').select('id,user_safe(email)').single()
  const wrong = client.from('budgets').select('colour').single()

  expectTypeOf<NonNullable<Awaited<typeof query>['data']>>().toEqualTypeOf<{
    id: string
    amount: number
    type: 'deposit' | 'expense'
  }>()
  expectTypeOf<NonNullable<Awaited<typeof embedded>['data']>['user_safe']>().toEqualTypeOf<{
    email: string
  } | null>()
  // @ts-expect-error -- the column does not exist
  expectTypeOf<NonNullable<Awaited<typeof wrong>['data']>>().toEqualTypeOf<{ colour: string }>()
  expect(client).toBeDefined()
})

test('a request to an unknown table or function does not compile', () => {
  // @ts-expect-error -- the table does not exist
  client.from('movements')
  // @ts-expect-error -- the function does not exist
  void client.rpc('delete_everybody')
  // @ts-expect-error -- the argument has another name
  void client.rpc('end_sessions', { person: 'x' })
  expect(client).toBeDefined()
})

test('a request may contain every column that customers may write, and no other', () => {
  const transactions = client.from('transactions')
  const expense = { type: 'expense', description: 'Pan', amount: '12.50' } as const

  void transactions.insert(expense)
  void client.from('budgets').update({ monthly_limit: 500 })
  // @ts-expect-error -- the column does not exist
  void transactions.insert({ ...expense, colour: 'red' })
  // @ts-expect-error -- the check constraint refuses this value
  void transactions.insert({ ...expense, type: 'loan' })
  // @ts-expect-error -- only the journal writes the balance
  void client.from('budgets').update({ balance: 1_000_000 })
  // @ts-expect-error -- a transaction is deleted and recorded again, never changed
  void transactions.update({ amount: 1 })
  // @ts-expect-error -- the database sets the recorder
  void transactions.insert({ ...expense, recorded_by: 'bank' })
  expect(client).toBeDefined()
})
