/** Two servers behind a proxy, as if they were one. */
import { setTimeout as pause } from 'node:timers/promises'
import type { TestServer } from '#testing/server.ts'

export type Servers = readonly [TestServer, TestServer]

/** Restarts the servers one after the other, because the first server creates the keys that both servers use. */
export async function restartAll(servers: Servers, proxyUrl: string): Promise<void> {
  for (const server of servers) {
    await server.stop('SIGTERM').catch(() => undefined)
    await server.start()
  }
  while ((await fetch(`${proxyUrl}/ready`).catch(() => null))?.ok !== true) await pause(50)
}

/** Both servers behind the proxy, as if they were one. */
export function bothServers(
  servers: Servers,
  { url, beforeEnd }: { url: string; beforeEnd: () => Promise<void> },
): Pick<TestServer, 'url' | 'anonKey' | 'serviceRoleKey' | 'start' | 'stop'> {
  return {
    url,
    anonKey: () => servers[0].anonKey(),
    serviceRoleKey: () => servers[0].serviceRoleKey(),
    // The servers are already running, because the pages that watch for changes had to connect before the bank test
    // starts.
    start: async () => undefined,
    async stop(signal = 'SIGTERM') {
      await beforeEnd()
      const [one, other] = await Promise.all(servers.map((server) => server.stop(signal)))
      const ms = Math.max(one?.ms ?? 0, other?.ms ?? 0)
      return { code: one?.code === 0 ? (other?.code ?? null) : (one?.code ?? null), ms }
    },
  }
}
