/** One socket: from the answer of a write to the event at the customer's subscription, and to the balance on the screen, milliseconds. */
import { setTimeout as elapse } from 'node:timers/promises'
import { REALTIME_SUBSCRIBE_STATES as states, createClient } from '@supabase/supabase-js'
import type { Database as Tables } from '@finanzas/contract/database-types.ts'
import pg from 'pg'
import { customerId } from './customers.ts'
import { type Metric, known, quantile } from './metric.ts'
import { paintedChanges } from './realtime-painted.ts'
import type { Scenario } from './scenario.ts'
import type { MeasuredServer } from './server-process.ts'
import { headersOf } from './wire-request.ts'

const events = 200
const deliveryWaitMs = 5000

type Delivery = { fromRequestMs: number; fromAnswerMs: number }

export const realtime: Scenario = {
  title: 'Realtime: a commit to its event, one socket, and to the screen',
  limit: '`pg_notify` from one connection of `pg` to another: no rights, no channel, no outbox',
  peers: 'none: neither peer announces changes',
  needs: ['browser'],
  async run(places) {
    const postgres = await places.postgres()
    const embedded = await places.embedded()
    const ours = await deliveries(await postgres.server())
    const onEmbedded = await deliveries(await embedded.server())
    const notified = await notifications(postgres.servingUrl)
    return [
      ...timesOf('PostgreSQL', ours),
      ...timesOf('embedded', onEmbedded),
      known('pg_notify, request to event, p50', quantile(notified, 0.5), 'ms'),
      known('pg_notify, request to event, p95', quantile(notified, 0.95), 'ms'),
      ...(await paintedChanges(places)),
    ]
  },
}

function timesOf(engine: string, found: readonly Delivery[]): Metric[] {
  const fromRequest = found.map(({ fromRequestMs }) => fromRequestMs)
  const fromAnswer = found.map(({ fromAnswerMs }) => fromAnswerMs)
  return [
    known(`${engine}, request to event, p50`, quantile(fromRequest, 0.5), 'ms'),
    known(`${engine}, request to event, p95`, quantile(fromRequest, 0.95), 'ms'),
    known(
      `${engine}, answer to event, p95 (below zero: the event came first)`,
      quantile(fromAnswer, 0.95),
      'ms',
    ),
  ]
}

/** A customer records expenses one after the other and waits for the event of each. */
async function deliveries({ port }: MeasuredServer): Promise<Delivery[]> {
  const person = 1
  const { apikey, authorization } = await headersOf(person)
  const client = createClient<Tables>(`http://127.0.0.1:${port}`, apikey, {
    accessToken: async () => authorization.replace('Bearer ', ''),
  })
  // The channel joins with the token that the socket has at that moment.
  await client.realtime.setAuth(authorization.replace('Bearer ', ''))
  const arrived = new Map<string, (at: number) => void>()
  const user = customerId(person)
  const channel = client
    .channel('bench')
    .on(
      'postgres_changes',
      { event: 'INSERT', schema: 'public', table: 'transactions', filter: `user_id=eq.${user}` },
      ({ new: row }) => arrived.get(String(row['id']))?.(performance.now()),
    )
  // A channel is joined before its changes are listened to: the second answer says so.
  await new Promise<void>((resolve, reject) => {
    channel.on('system', {}, ({ status, message }: { status: string; message: string }) => {
      if (status === 'ok') resolve()
      else reject(new Error(message))
    })
    channel.subscribe((status, error) => {
      if (status === states.CHANNEL_ERROR || status === states.TIMED_OUT) reject(error ?? new Error(status))
    })
  })
  const found: Delivery[] = []
  for (let count = 0; count < events; count += 1) {
    const id = crypto.randomUUID()
    const event = new Promise<number>((resolve) => {
      arrived.set(id, resolve)
    })
    const sentAt = performance.now()
    const { error } = await client
      .from('transactions')
      .insert({ id, user_id: user, type: 'expense', description: 'Café', amount: 4.5, category: 'Comida' })
    if (error !== null) throw new Error('An expense was refused.', { cause: error })
    const answeredAt = performance.now()
    const arrivedAt = await Promise.race([event, elapse(deliveryWaitMs, null, { ref: false })])
    if (arrivedAt === null) throw new Error('An event did not arrive.')
    found.push({ fromRequestMs: arrivedAt - sentAt, fromAnswerMs: arrivedAt - answeredAt })
  }
  await client.removeAllChannels()
  return found
}

async function notifications(url: string): Promise<number[]> {
  const [sender, listener] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([sender.connect(), listener.connect()])
  await listener.query('listen bench')
  const found: number[] = []
  for (let count = 0; count < events; count += 1) {
    const heard = new Promise<void>((resolve) => {
      listener.once('notification', () => resolve())
    })
    const sentAt = performance.now()
    await sender.query(`select pg_notify('bench', $1)`, [String(count)])
    await heard
    found.push(performance.now() - sentAt)
  }
  await Promise.all([sender.end(), listener.end()])
  return found
}
