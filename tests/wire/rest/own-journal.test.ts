// A customer's own journal and why their balance is what it is, through the table API.
import { beforeAll, expect, test } from 'vitest'
import { type Person, administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'

type Entry = { seq: number; kind: string; hash: string; previous_hash: string }
let customer: Person

beforeAll(async () => {
  customer = await signUpCustomer()
  const rows = await recordExpenses(
    customer,
    Array.from({ length: 9 }, () => ({ amount: 0.1 })),
  )
  await customer.client.from('transactions').delete().eq('id', rows[0]?.id)
})

test('the chain is read page by page along seq, and each entry holds on to the one before', async () => {
  const chain: Entry[] = []
  for (;;) {
    const { data } = await customer.client
      .from('journal_entries')
      .select('*')
      .gt('seq', chain.at(-1)?.seq ?? 0)
      .order('seq')
      .limit(4)
      .overrideTypes<Entry[], { merge: false }>()
    if (data === null || data.length === 0) break
    chain.push(...data)
  }

  expect(chain.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(chain.at(-1)?.kind).toBe('reversal')
  expect(chain.map(({ previous_hash }) => previous_hash)).toEqual([
    '0'.repeat(64),
    ...chain.slice(0, -1).map(({ hash }) => hash),
  ])
})

test('the balance is explained by parts that add up to it', async () => {
  const { data, error } = await customer.client.rpc('explain_balance')

  expect(error).toBeNull()
  expect(data).toEqual({
    balance: -0.8,
    opening: 0,
    deposits: 0,
    expenses: -0.9,
    corrections: 0.1,
    entries: 10,
    last_seq: 10,
    last_kind: 'reversal',
    last_recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}\+00:00$/),
  })
})

test("another customer and an administrator see nothing of it, also when they ask for that customer's", async () => {
  for (const { client } of [await signUpCustomer(), await administrator()]) {
    const { data, error } = await client.from('journal_entries').select('*').eq('user_id', customer.id)
    expect({ data, error }).toEqual({ data: [], error: null })
  }
})

test('who is not signed in is refused', async () => {
  const entries = await newClient().from('journal_entries').select('*')
  const explanation = await newClient().rpc('explain_balance')

  expect([entries.status, entries.error?.code]).toEqual([401, '42501'])
  expect([explanation.status, explanation.error?.code]).toEqual([401, '42501'])
})

test('nobody writes to the journal', async () => {
  const { client } = customer

  const answers = [
    await client.from('journal_entries').insert({ user_id: customer.id, seq: 11 }),
    await client.from('journal_entries').update({ delta: 100 }).eq('seq', 1),
    await client.from('journal_entries').delete().eq('seq', 1),
  ]

  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
    [403, '42501'],
    [403, '42501'],
    [403, '42501'],
  ])
})
