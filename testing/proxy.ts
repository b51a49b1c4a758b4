// HAProxy on loopback, with the configuration that operators use (deploy/haproxy.cfg).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { freePort } from './ports.ts'

/** Path relative to the root of the checkout. */
const proxyConfiguration = 'deploy/haproxy.cfg'

/**
 * The servers behind the proxy, as `host:port`. HAProxy asks a database server's Patroni port whether this server
 * is the primary.
 */
export type Behind = {
  servers: readonly [string, string]
  postgres: readonly [Database, Database]
}

type Database = { address: string; patroniPort: number }

export type Proxy = {
  /** Public URL of the proxy. */
  url: string
  /** Port that HAProxy forwards to the primary database server. */
  primaryPort: number
  stop(): Promise<void>
}

/** Returns the path of HAProxy, or undefined when it is not installed. */
export function findProxy(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
  return folders.map((folder) => path.join(folder, 'haproxy')).find((program) => existsSync(program))
}

/** Starts HAProxy without waiting until it listens. */
export async function startProxy(program: string, { servers, postgres }: Behind): Promise<Proxy> {
  const [port, primaryPort] = [await freePort(), await freePort()]
  const child = spawn(program, ['-f', proxyConfiguration], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      BANK_BIND: `127.0.0.1:${port}`,
      PRIMARY_BIND: `127.0.0.1:${primaryPort}`,
      SERVER_1: servers[0],
      SERVER_2: servers[1],
      POSTGRES_1: postgres[0].address,
      POSTGRES_1_PATRONI: String(postgres[0].patroniPort),
      POSTGRES_2: postgres[1].address,
      POSTGRES_2_PATRONI: String(postgres[1].patroniPort),
    },
  })
  const ended = once(child, 'exit')
  // The output must be read, because a full pipe would block HAProxy.
  child.stdout.resume()
  child.stderr.resume()
  return {
    url: `http://127.0.0.1:${port}`,
    primaryPort,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
