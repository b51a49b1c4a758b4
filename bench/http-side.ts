/** A side of a scenario that is asked over HTTP. */
import type { Side } from './in-turns.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import type { Order } from './scenario.ts'
import { type MeasuredServer, runProgram } from './server-process.ts'

/** A server has compiled its hot paths after so long. */
const warmUpSeconds = 3

/** The requests against that server; `answer` is what equal answers are compared by. */
export function httpSide(
  name: string,
  {
    server,
    texts,
    order,
    answer,
  }: {
    server: MeasuredServer
    texts: readonly string[]
    order: Order
    answer?: () => Promise<unknown>
  },
): Side {
  const send = (seconds: number) => sendLoad(server, { texts, connections: order.connections, seconds })
  return {
    name,
    measure: async () => (await send(order.seconds)).perSecond,
    warmUp: () => send(Math.min(warmUpSeconds, order.seconds * 2)),
    ...(answer === undefined ? {} : { answer }),
  }
}

/** A load on one server. */
export type Load = Omit<LoadOrder, 'port' | 'requests'> & { readonly texts: readonly string[] }

/** Sends the load from a process of its own. Throws when a request failed: a refusal costs less than an answer. */
export async function sendLoad(server: MeasuredServer, load: Load): Promise<LoadResult> {
  const result = await sendAnyLoad(server, load)
  if (result.failures > 0) throw new Error(`${result.failures} requests were not answered with 2xx.`)
  return result
}

/** The same, whatever was answered. */
export async function sendAnyLoad({ port }: MeasuredServer, { texts, ...rest }: Load): Promise<LoadResult> {
  const order: LoadOrder = { port, requests: [...texts], ...rest }
  return JSON.parse(await runProgram('bench/load.ts', { input: JSON.stringify(order) })) as LoadResult
}
