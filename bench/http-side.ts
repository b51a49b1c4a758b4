/** Builds a side (one of the compared programs) whose rate is measured over HTTP. */
import type { Side } from './interleave.ts'
import { type Load as LoadOrder, type LoadResult, sendLoad as send } from '#testing/load.ts'
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
    server: MeasuredServer
    texts: readonly string[]
    order: Order
    answer?: (() => Promise<unknown>) | undefined
    isPeer?: boolean
  },
): Side {
  const { connections, seconds } = order
  return {
    name,
    isPeer,
    measure: async () => (await sendLoad(server, { texts, connections, seconds })).perSecond,
    // The load that warms up a server is not measured. A peer's first requests can fail, because each of them tries to
    // set up the peer's database.
    warmUp: () => sendAnyLoad(server, { texts, connections, seconds: Math.min(warmUpSeconds, seconds * 2) }),
    ...(answer === undefined ? {} : { answer }),
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
