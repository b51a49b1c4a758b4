/**
 * The load generator. In an open loop, requests are sent at a steady rate without waiting for earlier answers, like the
 * requests of independent users. In a closed loop, each connection sends its next request only after the answer to its
 * previous request. The generator uses plain sockets in a separate process to save processor time: on two cores, a
 * client that costs as much as the server would halve the measured rate.
 */
import { execFile } from 'node:child_process'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type LoadResult, countAnswers } from './load-answers.ts'
import { type Answer, Connection } from './load-connection.ts'

/** Describes a load: which requests are sent, to which ports, at which rate and for how long. */
export type Load = {
  readonly ports: readonly number[]
  /** Complete requests. `%ID%` is replaced with a new UUID whenever a request is sent. */
  readonly requests: readonly string[]
  /** `null` selects the closed loop. */
  readonly perSecond: number | null
  readonly connectionsMax: number
  readonly seconds: number
  /**
   * Closed loop: connection n repeats only request n. Without this option, every connection sends all requests in
   * turn.
   */
  readonly repeats?: boolean
  /** Closed loop: how long a connection waits between an answer and its next request. */
  readonly pauseMs?: number
  /** Closed loop: each request contains the refresh token from the connection's previous answer. */
  readonly carriesRefreshToken?: boolean
}

const tickMs = 5
/** How long to wait for answers after the last request was sent. */
const answerWaitMs = 10_000

/** Sends the load from a separate process. */
export async function sendLoad(order: Load): Promise<LoadResult> {
  const sending = promisify(execFile)(process.execPath, [import.meta.filename])
  sending.child.stdin?.end(JSON.stringify(order))
  return JSON.parse((await sending).stdout) as LoadResult
}

async function send(order: Load): Promise<LoadResult> {
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  const answers = countAnswers(order, startedAt)
  const lines = openLines(order, endsAt, answers.count)
  if (order.perSecond === null) {
    for (let index = 0; index < order.connectionsMax; index += 1) lines.open(performance.now())
  } else await sendWhenDue(lines, { perSecond: order.perSecond, startedAt, endsAt })
  while (performance.now() < endsAt || (lines.inFlight() > 0 && performance.now() < endsAt + answerWaitMs))
    await pause(20)
  return { ...answers.result(), unsent: lines.due.length }
}

/** Open loop: sends each request at the time at which it is due, as soon as a connection is free. */
async function sendWhenDue(
  lines: ReturnType<typeof openLines>,
  { perSecond, startedAt, endsAt }: { perSecond: number; startedAt: number; endsAt: number },
): Promise<void> {
  for (let arrived = 0, now = startedAt; now < endsAt; await pause(tickMs)) {
    now = Math.min(performance.now(), endsAt)
    const arrivedBy = Math.floor(((now - startedAt) / 1000) * perSecond)
    for (; arrived < arrivedBy; arrived += 1) lines.due.push(startedAt + (arrived / perSecond) * 1000)
    lines.sendDue()
  }
}

/** The connections of a load, and the times at which the waiting requests of an open loop were due. */
function openLines(order: Load, endsAt: number, count: (answer: Answer) => void) {
  const due: number[] = []
  const free: Connection[] = []
  const inFlight = new Set<Connection>()
  let [connections, begun] = [0, 0]

  const begin = (connection: Connection, dueAt: number) => {
    if (order.repeats !== true || connection.request === '')
      connection.request = order.requests[begun % order.requests.length] ?? ''
    begun += 1
    inFlight.add(connection)
    connection.send(dueAt)
  }
  const onFree = (connection: Connection) => {
    const now = performance.now()
    if (now >= endsAt) return
    if (order.perSecond === null) {
      if (order.pauseMs === undefined) begin(connection, now)
      else setTimeout(() => begin(connection, performance.now()), order.pauseMs)
      return
    }
    const next = due.shift()
    if (next === undefined) free.push(connection)
    else begin(connection, next)
  }
  const answered = (answer: Answer) => {
    inFlight.delete(answer.connection)
    count(answer)
  }
  const open = (dueAt: number) => {
    const port = order.ports[connections % order.ports.length] ?? 0
    connections += 1
    const listener = { answered, onFree, onGone: () => (connections -= 1) }
    begin(new Connection(port, listener, order.carriesRefreshToken === true), dueAt)
  }
  return {
    due,
    open,
    inFlight: () => inFlight.size,
    sendDue() {
      while (due.length > 0) {
        const connection = free.pop()
        if (connection === undefined && connections >= order.connectionsMax) return
        const dueAt = due.shift() ?? performance.now()
        if (connection === undefined) open(dueAt)
        else begin(connection, dueAt)
      }
    },
  }
}

if (import.meta.main) {
  const result = await send((await json(process.stdin)) as Load)
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}
