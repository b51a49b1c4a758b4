/** Tells the proxy which of two database servers is the primary, as Patroni would. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '#server/database/database.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'

/**
 * Waits until the proxy knows which database server is the primary. Until the proxy has checked both servers, it treats
 * each of them as the primary. After the checks, the proxy closes its connections to the replica.
 */
export async function untilPrimary(url: string): Promise<void> {
  for (let primaries = 0; primaries < 10;) {
    primaries = (await leadsToPrimary(url).catch(() => false)) ? primaries + 1 : 0
    await pause(20)
  }
}

async function leadsToPrimary(url: string): Promise<boolean> {
  const owner = await connectOwner(url)
  try {
    const [row] = await owner.query(sql<{ follows: boolean }>`select pg_is_in_recovery() as follows`)
    return row?.follows === false
  } finally {
    await owner.close()
  }
}

/**
 * Answers like Patroni's REST API for each of two database servers: `/primary` returns 200 for the primary and 503 for
 * the other server.
 */
export async function tellPrimary() {
  let primary = 0
  const agents = [0, 1].map((index) =>
    createServer((_request, response) => response.writeHead(index === primary ? 200 : 503).end()),
  )
  for (const agent of agents) {
    agent.listen(0, '127.0.0.1')
    await once(agent, 'listening')
  }
  const [first, second] = agents.map((agent) => (agent.address() as AddressInfo).port)
  return {
    ports: [first ?? 0, second ?? 0] as const,
    moveToSecond() {
      primary = 1
    },
    async close() {
      for (const agent of agents) {
        agent.closeAllConnections()
        agent.close()
      }
    },
  }
}
