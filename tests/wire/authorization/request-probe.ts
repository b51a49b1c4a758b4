/** Sends requests to the table API and records every part of the answer that a client can see. */
import { randomUUID } from 'node:crypto'
import { population } from '#testing/population.ts'
import { signUpCustomer } from '#tests/wire/people.ts'
import { rawRest } from '#tests/wire/rest/raw-rest.ts'

/** A request. The path is relative to `/rest/v1`. */
export type ProbeRequest = {
  readonly path: string
  /** `GET` by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/**
 * Creates a request from a text such as `GET /budgets?user_id=eq.ID`. `ID` is replaced by the id in both the text and
 * the body.
 */
export function requestAbout(id: string, text: string, body?: object | null): ProbeRequest {
  const [method = '', path = ''] = text.replaceAll('ID', id).split(' ')
  if (body === null || body === undefined) return { method, path }
  return { method, path, body: JSON.parse(JSON.stringify(body).replace('"ID"', `"${id}"`)) as object }
}

/** An answer without the headers whose values always differ. */
export type Answer = {
  readonly request: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** The sets of request headers with which each table is read. */
export const readHeaders: readonly Readonly<Record<string, string>>[] = [
  {},
  { prefer: 'count=exact' },
  { prefer: 'count=planned' },
  { prefer: 'count=estimated' },
  { accept: 'text/csv' },
  { accept: 'application/vnd.pgrst.object+json' },
  { accept: 'application/vnd.pgrst.plan+json' },
  { range: '0-0', prefer: 'count=exact' },
  { range: '5-9', prefer: 'count=estimated' },
]

/** Headers that depend on the time or the connection. */
const volatileHeaders = new Set(['date', 'keep-alive', 'connection', 'x-request-id'])

/** Sends the request with an access token, or with the anon key alone. */
export async function probe(request: ProbeRequest, token: string | null): Promise<Answer> {
  const { path, method = 'GET', headers = {}, body } = request
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await rawRest(method, path, { body, headers: { ...authorization, ...headers } })
  return {
    request: `${method} ${path} ${JSON.stringify(headers)}`,
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => !volatileHeaders.has(name)),
    text: answer.text,
  }
}

export type ForeignRows = Awaited<ReturnType<typeof makeForeignRows>>['foreign']

export const expense = { type: 'expense', description: 'Café', amount: 2, category: 'Comida' }

/**
 * Returns a customer's token, and the ids of another customer, of that customer's transactions and of a deleted
 * transaction.
 */
export async function makeForeignRows() {
  const [customer, other] = await Promise.all([
    signUpCustomer(),
    signUpCustomer(population.otherCustomer.fullName),
  ])
  const [deleted = '', ...rows] = Array.from({ length: 41 }, () => randomUUID())
  const expenses = [deleted, ...rows].map((id) => ({ ...expense, user_id: other.id, id }))
  for (const step of [
    other.client.from('transactions').insert(expenses),
    other.client.from('transactions').delete().eq('id', deleted),
    customer.client.from('transactions').insert({ ...expense, user_id: customer.id }),
  ]) {
    const { error } = await step
    if (error !== null) throw error
  }
  return { token: customer.session.access_token, foreign: { person: other.id, rows, deleted } }
}
