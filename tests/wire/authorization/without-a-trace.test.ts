// The answers to a customer do not reveal what another customer does (security.md AZ-08). The same requests get the
// same bytes before the other customer has rows, while the other customer has rows, and after the other customer is
// deleted.
import { randomUUID } from 'node:crypto'
import { restOrderTermsMax } from '@finanzas/contract/limits.ts'
import { beforeAll, expect, test } from 'vitest'
import { population } from '#testing/population.ts'
import { depositFor } from '#tests/wire/functions/invoke.ts'
import { type SignedIn, administrator, newClient, operator, signUpCustomer } from '#tests/wire/people.ts'
import { type Answer, type ProbeRequest, probe, readHeaders } from './request-probe.ts'
import { readCatalogue } from '#testing/catalogue.ts'

/** Ids and other values that the other customer's rows will contain. */
type Foreign = { person: string; row: string; deleted: string; email: string }

let customer: SignedIn
let corpus: readonly ProbeRequest[]
/** The answers to the customer and to the anon key, at each of three points in time. */
const moments: Record<'before' | 'with' | 'after', readonly Answer[]> = { before: [], with: [], after: [] }

beforeAll(async () => {
  customer = await signUpCustomer()
  await recordRows(customer, ['Café', 'Arriendo', 'Mercado'])
  const other = await signUpCustomer(population.otherCustomer.fullName)
  const foreign = { person: other.id, row: randomUUID(), deleted: randomUUID(), email: other.email }
  corpus = await listQuestions(foreign)
  // Warms up the server, because its first requests do extra work.
  await probeAll()

  moments.before = await probeAll()
  await makeRows(other, foreign)
  moments.with = await probeAll()
  const { error } = await operator().auth.admin.deleteUser(other.id)
  if (error !== null) throw error
  moments.after = await probeAll()
}, 240_000)

test('the test sends many requests, and many of the answers contain rows', () => {
  expect(corpus.length).toBeGreaterThan(250)
  expect(moments.before.filter(({ status, text }) => status < 300 && text.length > 2).length).toBeGreaterThan(
    50,
  )
})

test('another customer’s rows do not change any answer', () => {
  expect(differences(moments.before, moments.with)).toEqual([])
})

test('the deletion of another customer does not change any answer', () => {
  expect(differences(moments.before, moments.after)).toEqual([])
})

function differences(some: readonly Answer[], others: readonly Answer[]): string[] {
  return some.flatMap((answer, index) => {
    const [one, other] = [JSON.stringify(answer), JSON.stringify(others[index] ?? null)]
    return one === other ? [] : [`${answer.request}: ${firstDifference(one, other)}`]
  })
}

const shownMax = 200

/** Shows an excerpt of both texts, starting shortly before the first character that differs. */
function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const from = Math.max(0, at - shownMax / 4)
  return `…${one.slice(from, from + shownMax)}… became …${other.slice(from, from + shownMax)}…`
}

async function probeAll(): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const person of [customer.session.access_token, null])
    for (const request of corpus) answers.push(await probe(request, person))
  return answers
}

/**
 * Returns reads of every table and column with each set of headers, and requests that contain values of the other
 * customer.
 */
async function listQuestions({ person, row, deleted, email }: Foreign): Promise<readonly ProbeRequest[]> {
  const { tables } = await readCatalogue()
  return [
    ...tables.flatMap(({ name, columns }) => {
      // Every read specifies an order. Without an `order`, the sequence of rows would depend on the query plan and
      // therefore on the sizes of tables.
      const order = `order=${columns
        .slice(0, restOrderTermsMax)
        .map((column) => column.name)
        .join(',')}`
      return [
        ...readHeaders.map((headers): ProbeRequest => ({ path: `/${name}?${order}`, headers })),
        ...readHeaders.map((headers): ProbeRequest => ({
          method: 'HEAD',
          path: `/${name}?${order}`,
          headers,
        })),
        { path: `/${name}?limit=1&offset=2&${order}`, headers: { prefer: 'count=planned' } },
        ...columns.flatMap(({ name: column, type }): ProbeRequest[] => [
          { path: `/${name}?select=${column}&order=${column}.desc.nullslast&limit=2` },
          { path: `/${name}?${column}=not.is.null&${order}`, headers: { prefer: 'count=estimated' } },
          ...(type === 'uuid'
            ? [person, row, deleted].map((id): ProbeRequest => ({
                path: `/${name}?${column}=eq.${id}&${order}`,
              }))
            : []),
          ...(type === 'text'
            ? [{ path: `/${name}?${column}=in.("${secret}","${email}","Café")&${order}` }]
            : []),
          ...(type === 'numeric' ? [{ path: `/${name}?${column}=gt.70000&${order}` }] : []),
        ]),
      ]
    }),
    { path: '/user_safe?select=id,profiles!inner(full_name)' },
    { path: '/profiles?select=id,user_safe(email)&order=user_safe(email)' },
    { method: 'PATCH', path: `/budgets?user_id=eq.${person}`, body: { monthly_limit: 5 } },
    { method: 'PATCH', path: `/profiles?id=eq.${person}`, body: { role: 'admin' } },
    { method: 'PATCH', path: `/transactions?id=eq.${row}`, body: { amount: 1 } },
    { method: 'DELETE', path: `/transactions?id=eq.${row}`, headers: { prefer: 'return=representation' } },
    { method: 'DELETE', path: `/transactions?user_id=eq.${person}&amount=gt.0` },
    { method: 'POST', path: '/transactions', body: expenseOf(person, row, secret) },
    {
      method: 'POST',
      path: '/transactions',
      body: expenseOf(person, row, secret),
      headers: { prefer: 'resolution=merge-duplicates' },
    },
    { method: 'POST', path: '/budgets', body: { user_id: person, balance: 5 } },
    { method: 'POST', path: '/rpc/explain_balance', body: {} },
    { method: 'POST', path: '/rpc/sum_transactions', body: { daily_since: '2020-01-01' } },
    { method: 'POST', path: '/rpc/restore_transaction', body: { id: deleted } },
    { method: 'POST', path: '/rpc/block_user', body: { user_id: person, reason: 'other' } },
    {
      method: 'POST',
      path: '/rpc/correct_transaction',
      body: { user_id: person, transaction_id: row, reason: 'Duplicado' },
    },
  ]
}

const secret = `secreto ${randomUUID()}`

function expenseOf(user_id: string, id: string, description: string) {
  return { user_id, id, type: 'expense', description, amount: 77_123.45, category: 'Comida' }
}

async function recordRows(person: SignedIn, descriptions: readonly string[]): Promise<void> {
  const { error } = await person.client
    .from('transactions')
    .insert(descriptions.map((description) => expenseOf(person.id, randomUUID(), description)))
  if (error !== null) throw error
}

/**
 * Adds rows of many kinds for the other customer: expenses, a deleted expense, a bank deposit, a limit and a session.
 */
async function makeRows(other: SignedIn, { row, deleted }: Foreign): Promise<void> {
  const { client } = other
  const office = (await administrator()).client
  const many = Array.from({ length: 300 }, () => expenseOf(other.id, randomUUID(), secret))
  const deposit = depositFor(other.id, { amount: '77123.45', description: secret })
  const steps = [
    () => client.from('transactions').insert([...many, expenseOf(other.id, row, secret)]),
    () => client.from('transactions').insert(expenseOf(other.id, deleted, secret)),
    () => client.from('transactions').delete().eq('id', deleted),
    () => client.from('budgets').update({ monthly_limit: 77_123.45 }).eq('user_id', other.id),
    () => office.functions.invoke('manage-transactions', { body: deposit }),
    () => newClient().auth.signInWithPassword({ email: other.email, password: other.password }),
  ]
  for (const step of steps) {
    const { error } = await step()
    if (error !== null) throw error
  }
}
