/** Eight customers each send a large request body at one byte per second, while an administrator sends batches. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Metric } from '#testing/report.ts'
import { customerId } from '#bench/fixtures/customers.ts'
import { administrator, bystander, slowSenders } from '#bench/fixtures/fairness-bank.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { headersOf, httpTexts } from '#bench/fixtures/wire-request.ts'
import { refusals, sendAnyLoad } from '#bench/http-side.ts'
import { type Order, amountOf } from '#bench/scenario.ts'

const announcedBytes = 4_000_000
/**
 * Number of bytes that a sender sends first, without a delay. A body that begins with 100,000 bytes occupies one of the
 * server's slots for large bodies; a body that begins with one byte does not.
 */
const beginnings = [100_000, 1]
/** A time that is longer than the 10 s within which the server must receive a body. */
const attackSeconds = 12
const batchBytes = 100_000
const batches = 120
const betweenBatchesMs = 100

export async function measureSlowBodies(
  engine: string,
  server: MeasuredServer,
  order: Order,
): Promise<Metric[]> {
  const seconds = amountOf(order, attackSeconds, 3)
  const texts = await httpTexts(Array.from({ length: batches }, batchRequest))
  const metrics: Metric[] = []
  for (const beginning of beginnings) {
    const endsAt = performance.now() + seconds * 1000
    const attack = Promise.all(slowSenders.map((person) => sendSlowly(server, { person, beginning, endsAt })))
    await pause(1000)
    const sent = await sendAnyLoad(server, {
      texts,
      connections: 1,
      pauseMs: betweenBatchesMs,
      seconds: seconds - 2,
    })
    await attack
    metrics.push(
      ...refusals(
        `${engine}, ${slowSenders.length} bodies of ${beginning} bytes and one a second: batches`,
        sent,
      ),
    )
  }
  return metrics
}

function batchRequest() {
  const lines = [{ line: 1, user_id: customerId(bystander), amount: 1, description: 'Abono' }]
  const body = JSON.stringify({ id: randomUUID(), title: 'nomina.csv', lines }).padEnd(batchBytes)
  return { person: administrator, method: 'POST', path: '/rest/v1/rpc/create_batch', body } as const
}

type Sender = { readonly person: number; readonly beginning: number; readonly endsAt: number }

/**
 * Announces a large body and sends it at one byte per second. Starts again whenever the server closes the connection.
 */
async function sendSlowly({ port }: MeasuredServer, { person, beginning, endsAt }: Sender): Promise<void> {
  const head = Object.entries({
    host: '127.0.0.1',
    ...(await headersOf(person)),
    'content-type': 'application/json',
    'content-length': String(announcedBytes),
  }).map(([name, value]) => `${name}: ${value}`)
  const start = `${['POST /rest/v1/rpc/import_transactions HTTP/1.1', ...head].join('\r\n')}\r\n\r\n`
  while (performance.now() < endsAt) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    // Ends this attempt as soon as the server answers.
    socket.on('data', () => socket.destroy())
    socket.write(start + ' '.repeat(beginning))
    while (!socket.destroyed && performance.now() < endsAt) {
      await pause(1000)
      if (!socket.destroyed) socket.write(' ')
    }
    socket.destroy()
  }
}
