// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { transactionRow } from '#testing/transaction-row.ts'

/** The maximum time that queries wait for the channel, and the delay before data is read again after a change. */
const waitMs = 200
const refreshMs = 120

/** The server's end of each socket that the page opens. */
let sockets: ServerEnd[]
/** The server's rows, newest first. */
let rows: string[]
let readings: number
/** Requests since the page follows the data. Each string contains the method and the last part of the path. */
let requests: string[]

beforeEach(async () => {
  // Loads the client before the clock is faked, because loading takes real time.
  await import('@supabase/supabase-js')
  sockets = []
  rows = ['Mercado']
  readings = 0
  requests = []
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('WebSocket', ServerEnd)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('if the socket is open, queries wait for the channel and run only once', async () => {
  const { shown } = await openData({ isSocketOpen: true })
  expect(readings).toBe(0)

  await listen()
  await pass(refreshMs)

  expect(shown()).toEqual(['Mercado'])
  expect(readings).toBe(1)
})

test('a transaction that is posted after a read but before the channel listens is shown', async () => {
  const { shown } = await openData({ isSocketOpen: false })
  await pass(0)
  expect(shown()).toEqual(['Mercado'])
  rows.unshift('Entretanto')
  await listen()
  await pass(refreshMs)

  expect(shown()).toEqual(['Entretanto', 'Mercado'])
})

test('a slow join does not delay queries, but queries that ran before the join are repeated', async () => {
  const { shown } = await openData({ isSocketOpen: true })
  await pass(waitMs)
  expect(shown()).toEqual(['Mercado'])
  rows.unshift('Entretanto')
  await listen()
  await pass(refreshMs)

  expect(shown()).toEqual(['Entretanto', 'Mercado'])
})

// A hosted Supabase project answers the join a second or more before it starts to listen for changes.
test('data is read again when the channel listens, not when the server answers the join', async () => {
  const { shown } = await openData({ isSocketOpen: true })
  await answerJoin()
  await pass(waitMs)
  expect(shown()).toEqual(['Mercado'])
  rows.unshift('Entretanto')
  await pass(refreshMs)
  expect(shown()).toEqual(['Mercado'])
  await sayListening()
  await pass(refreshMs)

  expect(shown()).toEqual(['Entretanto', 'Mercado'])
})

test('after the page records an expense, data is read only once', async () => {
  const { addExpense, client } = await openWritten()

  await addExpense(client, { user_id: 'u', type: 'expense', description: 'Pan', amount: 1, category: null })
  await announce({ type: 'INSERT', record: written })

  expect(requests).toEqual(['POST transactions', 'GET transactions', 'GET budgets'])
})

test.for([
  ['PATCH transactions', { description: 'Pan blanco', category: 'Comida' }],
  ['POST amend_expense', { amount: 2, date: '2026-11-02T17:00:00+00:00' }],
] as const)('after the page sends an edit with %s, data is read only once', async ([request, values]) => {
  const { editTransaction, client } = await openWritten()

  await editTransaction(client, written, values)
  await announce({ type: 'UPDATE', record: { ...written, ...values } })

  expect(requests).toEqual([request, 'GET transactions', 'GET budgets'])
})

test('after the page deletes or restores a transaction, data is read only once', async () => {
  const { deleteTransaction, restoreTransaction, client } = await openWritten()

  await deleteTransaction(client, written)
  await announce({ type: 'DELETE', old_record: { id: written.id } })
  expect(requests).toEqual(['DELETE transactions', 'GET transactions', 'GET budgets'])
  await restoreTransaction(client, written)
  await announce({ type: 'INSERT', record: written })

  expect(requests.slice(3)).toEqual(['POST restore_transaction', 'GET transactions', 'GET budgets'])
})

test('data is read only once if an expense is announced before the answer to the request arrives', async () => {
  const { addExpense, client } = await openWritten()
  sockets[0]?.sayChange('transactions', { type: 'INSERT', record: written })

  await addExpense(client, { user_id: 'u', type: 'expense', description: 'Pan', amount: 1, category: null })
  await pass(refreshMs)

  expect(requests).toEqual(['POST transactions', 'GET transactions', 'GET budgets'])
})

test('data is read again if an announced row differs from the page’s own write', async () => {
  const { addExpense, client } = await openWritten()

  await addExpense(client, { user_id: 'u', type: 'expense', description: 'Pan', amount: 1, category: null })
  rows[0] = 'Pan de otro'
  await announce({ type: 'INSERT', record: { ...written, description: 'Pan de otro' } })

  expect(requests.slice(3)).toEqual(['GET transactions', 'GET budgets'])
})

const written = transactionRow({ description: 'Pan' })

/**
 * Follows the data and shows the latest transactions and the balance. Returns the query client and the functions
 * that write.
 */
async function openWritten() {
  const { client } = await openData({ isSocketOpen: true })
  const { balanceQuery } = await import('./queries.ts')
  onTestFinished(new QueryObserver(client, balanceQuery('u')).subscribe(() => undefined))
  await listen()
  await pass(refreshMs)
  requests = []
  return { client, ...(await import('./changes.ts')) }
}

/** Announces a change to a transaction and to the balance, and waits until the data has been read again. */
async function announce(change: object): Promise<void> {
  await pass(0)
  sockets[0]?.sayChange('transactions', change)
  sockets[0]?.sayChange('budgets', {
    type: 'UPDATE',
    record: { user_id: 'u', balance: 99, noted: 0, monthly_limit: null },
  })
  await pass(refreshMs)
}

/** Starts following the data, whose latest transactions are on screen. */
async function openData({ isSocketOpen }: { isSocketOpen: boolean }) {
  const { serve } = await import('#testing/page.ts')
  await serve((path, body, { method }) => {
    requests.push(`${method} ${path.split('/').at(-1)}`)
    if (path.endsWith('/amend_expense'))
      return Response.json({ ...written, ...(body as { changes: object }).changes })
    if (method === 'PATCH') return Response.json({ ...written, ...(body as object) })
    if (method === 'POST') return Response.json(written)
    if (path.endsWith('/budgets')) return Response.json({ balance: 100, monthly_limit: null })
    if (method !== 'GET' || !path.endsWith('/transactions')) return undefined
    readings += 1
    return Response.json(rows.map((description) => transactionRow({ description })))
  })
  const { backend } = await import('#api/client.ts')
  const { followData } = await import('./live-data.ts')
  const { latestQuery } = await import('./queries.ts')
  const { realtime } = await backend()
  if (isSocketOpen) {
    realtime.connect()
    sockets[0]?.open()
  }
  const client = new QueryClient()
  onTestFinished(followData(client, 'u'))
  const observer = new QueryObserver(client, latestQuery('u'))
  onTestFinished(observer.subscribe(() => undefined))
  await pass(0)
  return { client, shown: () => observer.getCurrentResult().data?.map(({ description }) => description) }
}

async function listen(): Promise<void> {
  sockets[0]?.open()
  await answerJoin()
  await sayListening()
}

async function answerJoin(): Promise<void> {
  await pass(0)
  sockets[0]?.answerJoin()
  await pass(0)
}

async function sayListening(): Promise<void> {
  sockets[0]?.sayListening()
  await pass(0)
}

/** Advances the clock and lets pending promises settle. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  // A call of supabase-js takes several microtasks, and reading its stored session takes a macrotask.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(0)
}

type Frame = [joinRef: string, ref: string, topic: string, event: string, payload: Join]
type Join = { config: { postgres_changes: object[] } }

class ServerEnd {
  readyState = 0
  onopen = () => {}
  onmessage: (message: { data: string }) => void = () => {}
  onclose = () => {}
  #join: Frame | null = null

  constructor() {
    sockets.push(this)
  }

  open(): void {
    if (this.readyState !== 0) return
    this.readyState = 1
    this.onopen()
  }

  send(text: string): void {
    const frame = JSON.parse(text) as Frame
    if (frame[3] === 'phx_join') this.#join = frame
  }

  close(): void {
    this.readyState = 3
    this.onclose()
  }

  answerJoin(): void {
    const [joinRef, ref, topic, , { config }] = this.#joined()
    const changes = config.postgres_changes.map((wanted, id) => ({ ...wanted, id: id + 1 }))
    this.#say([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: { postgres_changes: changes } }])
  }

  sayListening(): void {
    const [, , topic] = this.#joined()
    const payload = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' }
    this.#say([null, null, topic, 'system', payload])
  }

  sayChange(table: string, change: object): void {
    const [, , topic, , { config }] = this.#joined()
    const id = config.postgres_changes.findIndex((wanted) => 'table' in wanted && wanted.table === table) + 1
    const columns = [{ name: 'id', type: 'uuid' }]
    const data = { schema: 'public', table, commit_timestamp: '', errors: null, columns, ...change }
    this.#say([null, null, topic, 'postgres_changes', { ids: [id], data }])
  }

  #joined(): Frame {
    if (this.#join === null) throw new Error('The page has not joined.')
    return this.#join
  }

  #say(frame: readonly unknown[]): void {
    this.onmessage({ data: JSON.stringify(frame) })
  }
}
