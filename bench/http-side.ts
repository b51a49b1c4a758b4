/** Builds a side (one of the compared programs) whose rate is measured over HTTP. */
import type { Side } from './interleave.ts'
import { type Metric, atMost, none } from '#testing/report.ts'
import { type Load as LoadOrder, sendLoad as send } from '#testing/load.ts'
import type { LoadResult } from '#testing/load-answers.ts'
import type { Order } from './scenario.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'

/** Time after which a server's hot code has been compiled. */
const warmUpSeconds = 3

/**
 * Builds a side from a server and the requests to send to it. `answer` returns the value that must be equal for all
 * sides.
 */
export function httpSide(
  name: string,
  {
    server,
    texts,
    order,
    answer,
    isPeer = false,
  }: {
    /** A peer is started when it is first used, because a peer that does not start must not end the scenario. */
    server: MeasuredServer | (() => Promise<MeasuredServer>)
    texts: readonly string[]
    order: Order
    answer?: ((server: MeasuredServer) => Promise<unknown>) | undefined
    isPeer?: boolean
  },
): Side {
  const { connections, seconds } = order
  const started = async () => (typeof server === 'function' ? server() : server)
  return {
    name,
    isPeer,
    measure: async () => (await sendLoad(await started(), { texts, connections, seconds })).perSecond,
    // The load that warms up a server is not measured. A peer's first requests can fail, because each of them tries to
    // set up the peer's database.
    warmUp: async () =>
      sendAnyLoad(await started(), { texts, connections, seconds: Math.min(warmUpSeconds, seconds * 2) }),
    ...(answer === undefined ? {} : { answer: async () => answer(await started()) }),
  }
}

/** A closed-loop load on one server. Each connection repeats one of the requests, unless `repeats` is false. */
export type Load = Pick<LoadOrder, 'seconds' | 'pauseMs' | 'carriesRefreshToken' | 'repeats'> & {
  readonly texts: readonly string[]
  readonly connections: number
}

/**
 * Sends the load. Throws when any request failed, because refusals take little work and would make the rate look
 * higher.
 */
export async function sendLoad(server: MeasuredServer, load: Load): Promise<LoadResult> {
  const result = await sendAnyLoad(server, load)
  if (result.failures > 0) throw new Error(`${result.failures} requests were not answered with 2xx.`)
  return result
}

/** Sends the load and accepts answers with any status. */
export function sendAnyLoad(
  { port }: MeasuredServer,
  { texts, connections, ...rest }: Load,
): Promise<LoadResult> {
  return send({
    ports: [port],
    requests: texts,
    connectionsMax: connections,
    perSecond: null,
    repeats: true,
    ...rest,
  })
}

/**
 * Returns how many requests were refused. On a slow machine, the server refuses requests with 503 and Retry-After. A
 * second metric counts all other refusals, and does not depend on the machine's speed.
 */
export function refusals(what: string, { accepted, failures, shed }: LoadResult): Metric[] {
  const wasAnswered = accepted.count > 0
  return [
    atMost(
      `${what}, not answered with 2xx`,
      wasAnswered ? failures : Number.POSITIVE_INFINITY,
      0,
      `of ${accepted.count + failures}`,
    ),
    none(`${what}, answered with neither 2xx nor 503`, failures - shed),
  ]
}
