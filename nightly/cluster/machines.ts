/**
 * A bank on several simulated machines, all on loopback: a primary that waits for its replica, a pooler in transaction
 * mode and two servers. The proxy configured by `deploy/haproxy.cfg` is in front of the servers and the primary. A stub
 * replaces Patroni and tells the proxy which database server is the primary.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, type Replica, servingLoginOf, startCluster, superuserUrlOf } from '#testing/cluster.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import { findProxy, startProxy } from '#testing/proxy.ts'
import { type BankPlace, severalMachines } from '#nightly/bank/target.ts'
import { transferEnvironment } from '#nightly/bank/transfers.ts'
import { temporaryDirectory } from '#testing/data-directory.ts'
import { type TestServer, createServer as createTestServer } from '#testing/server.ts'
import { openEnvironment } from '#nightly/fixtures/servers.ts'
import { openAsSuperuser } from '#testing/database.ts'
import { tellPrimary, untilPrimary } from './primary.ts'

/**
 * Time between the moment when the replica stops receiving data and the kill of the primary. Any commit that the
 * primary acknowledges during this time is lost.
 */
const replicaDeafMs = 400
/** Time for which a server drains. The proxy needs less than this time to notice that the server is leaving. */
const drainSeconds = '2'

export type Machines = BankPlace & {
  /** Starts both servers with additional environment variables. A server that is already running is restarted. */
  startServers(environment?: Record<string, string>): Promise<void>
}

/** Returns the reason why this machine cannot run the bank and its proxy, or `null` if it can. */
export function machinesRefusal(): string | null {
  if (process.platform !== 'linux') return 'only Linux can stop a replica where it stands'
  if (findProxy() === undefined) return 'HAProxy is not installed'
  return findPooler() === undefined ? 'PgBouncer is not installed' : null
}

/** Starts everything except the servers. `beforeEnd` is called before the servers are stopped for the last time. */
export async function openMachines(options: { beforeEnd: () => Promise<void> }): Promise<Machines> {
  const closers: Closers = []
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one()
  }
  try {
    return await build(options, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  { beforeEnd }: { beforeEnd: () => Promise<void> },
  closers: Closers,
  close: () => Promise<void>,
): Promise<Machines> {
  const directory = await temporaryDirectory()
  closers.push(() => directory.remove())
  const { cluster, replica } = await openDatabaseServers(closers)
  const roles = await tellPrimary()
  closers.push(() => roles.close())

  // The servers need the pooler's address and the proxy needs the servers' addresses before any of these processes
  // starts.
  const environment: Record<string, string> = {
    ...openEnvironment,
    ...transferEnvironment,
    DRAIN_SECONDS: drainSeconds,
  }
  const place = { environment: { DATA_DIR: directory.path } }
  const servers: Servers = [
    await createTestServer({ place, environment }),
    await createTestServer({ place, environment }),
  ]
  const { proxy, throughProxy } = await openProxy(servers, { cluster, replica, roles, closers })
  const pooler = await startPooler({
    program: findPooler() ?? '',
    serverUrl: throughProxy(cluster.ownerUrl),
    login: servingLoginOf(cluster.ownerUrl),
  })
  closers.push(() => pooler.stop())
  Object.assign(environment, {
    SITE_URL: proxy.url,
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: throughProxy(cluster.ownerUrl),
  })
  closers.push(() => Promise.all(servers.map((server) => server.stop('SIGKILL').catch(() => undefined))))

  const superuserUrl = throughProxy(superuserUrlOf(cluster))
  const steps = stepsOf(servers, {
    end: () => killUnheard(cluster),
    revive: () => takeOver(replica, roles),
  })
  return {
    target: severalMachines,
    directory: directory.path,
    server: bothServers(servers, { url: proxy.url, beforeEnd }),
    async startServers(further = {}) {
      Object.assign(environment, further)
      await restartAll(servers, proxy.url)
    },
    end: () => steps.end(),
    revive: () => steps.revive(),
    open: () => openAsSuperuser(superuserUrl),
    close,
  }
}

type Closers = (() => Promise<unknown>)[]

/** Starts a primary that waits for its replica. */
async function openDatabaseServers(closers: Closers): Promise<{ cluster: Cluster; replica: Replica }> {
  const cluster = await startCluster({ isDurable: true })
  closers.push(() => cluster.stop())
  const replica = await cluster.startReplica()
  await cluster.waitForReplica()
  return { cluster, replica }
}

/** Starts the proxy in front of the servers and the database servers, and waits until it knows the primary. */
async function openProxy(
  servers: Servers,
  {
    cluster,
    replica,
    roles,
    closers,
  }: {
    cluster: Cluster
    replica: Replica
    roles: Awaited<ReturnType<typeof tellPrimary>>
    closers: Closers
  },
) {
  const addressOf = (url: string) => new URL(url).host
  const proxy = await startProxy(findProxy() ?? '', {
    servers: [addressOf(servers[0].url), addressOf(servers[1].url)],
    postgres: [
      { address: addressOf(cluster.url), patroniPort: roles.ports[0] },
      { address: addressOf(replica.urlOf(cluster.url)), patroniPort: roles.ports[1] },
    ],
  })
  closers.push(() => proxy.stop())
  const throughProxy = (url: string) => Object.assign(new URL(url), { port: String(proxy.primaryPort) }).href
  await untilPrimary(throughProxy(cluster.url))
  return { proxy, throughProxy }
}

type Servers = readonly [TestServer, TestServer]

/** Restarts the servers one after the other, because the first server creates the keys that both servers use. */
async function restartAll(servers: Servers, proxyUrl: string): Promise<void> {
  for (const server of servers) {
    await server.stop('SIGTERM').catch(() => undefined)
    await server.start()
  }
  while ((await fetch(`${proxyUrl}/ready`).catch(() => null))?.ok !== true) await pause(50)
}

/** Both servers behind the proxy, as if they were one. */
function bothServers(
  servers: Servers,
  { url, beforeEnd }: { url: string; beforeEnd: () => Promise<void> },
): Machines['server'] {
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

type Step = { end(): Promise<unknown>; revive(): Promise<void> }

/** Kills one server, then stops the other, and kills the primary last. */
function stepsOf([one, other]: Servers, failover: Step) {
  const turns: readonly Step[] = [
    { end: () => one.stop('SIGKILL'), revive: () => one.start() },
    { end: () => other.stop('SIGTERM'), revive: () => other.start() },
    failover,
  ]
  let turn = -1
  return {
    async end() {
      turn += 1
      await turns[turn]?.end()
      return null
    },
    async revive() {
      await turns[turn]?.revive()
    },
  }
}

/**
 * Cuts off the replica and kills the primary a short time later. If the primary acknowledges a commit between these two
 * steps without waiting for the replica, the commit is lost.
 */
async function killUnheard(cluster: Cluster): Promise<void> {
  const endSending = await cluster.holdReplication()
  await pause(replicaDeafMs)
  await cluster.kill()
  endSending()
}

async function takeOver(replica: Replica, roles: { moveToSecond(): void }): Promise<void> {
  await replica.promote()
  roles.moveToSecond()
}
