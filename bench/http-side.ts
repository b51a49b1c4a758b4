/** A side of a scenario that is measured over HTTP. */
import type { Side } from './interleave.ts'
import { type Load as LoadOrder, type LoadResult, sendLoad as send } from '#testing/load.ts'
import type { Order } from './scenario.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'

/** Time after which a server has compiled its hot paths. */
const warmUpSeconds = 3

/**
 * Makes a side from a server and the requests to it. `answer` returns the value that is compared with the other sides.
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
    // This load is not measured. A peer's first requests may fail, because each of these requests tries to prepare
    // the peer's database.
    warmUp: () => sendAnyLoad(server, { texts, connections, seconds: Math.min(warmUpSeconds, seconds * 2) }),
    ...(answer === undefined ? {} : { answer }),
  }
}

/** A closed loop on one server. Each connection repeats one of the requests, unless `repeats` is false. */
export type Load = Pick<LoadOrder, 'seconds' | 'pauseMs' | 'carriesRefreshToken' | 'repeats'> & {
  readonly texts: readonly string[]
  readonly connections: number
}

/** Throws when a request failed, because a refusal costs less than an answer. */
export async function sendLoad(server: MeasuredServer, load: Load): Promise<LoadResult> {
  const result = await sendAnyLoad(server, load)
  if (result.failures > 0) throw new Error(`${result.failures} requests were not answered with 2xx.`)
  return result
}

/** Sends the load and accepts any answer. */
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
