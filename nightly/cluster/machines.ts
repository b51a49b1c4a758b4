/**
 * A bank on several simulated machines, all on loopback: a primary that waits for its replica, a pooler in transaction
 * mode and two servers. The proxy configured by `deploy/haproxy.cfg` is in front of the servers and the primary. Either
 * Patroni runs the database servers, or a stub tells the proxy which of them is the primary.
 */
import { startCluster } from '#testing/cluster.ts'
import { servingLoginOf, superuserUrlOf } from '#testing/cluster-databases.ts'
import { type PatroniCluster, canRunPatroni, leaseSeconds, startPatroni } from '#testing/patroni.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import { findProxy, startProxy } from '#testing/proxy.ts'
import { type BankPlace, severalMachines } from '#nightly/bank/target.ts'
import { transferEnvironment } from '#nightly/bank/transfers.ts'
import { temporaryDirectory } from '#testing/data-directory.ts'
import { createServer as createTestServer } from '#testing/server.ts'
import { openEnvironment } from '#nightly/fixtures/servers.ts'
import { openAsSuperuser } from '#testing/database.ts'
import { type Servers, bothServers, restartAll } from './both-servers.ts'
import { tellPrimary, untilPrimary } from './primary.ts'
import { killUnheard, stepsOf, takeOver } from './steps.ts'

/** Time for which a server drains. The proxy needs less than this time to notice that the server is leaving. */
const drainSeconds = '2'

export type Machines = BankPlace & {
  /** Starts both servers with additional environment variables. A server that is already running is restarted. */
  startServers(environment?: Record<string, string>): Promise<void>
}

/** The program that makes a replica the primary. */
export type FailoverBy = 'a stub' | 'Patroni'

/**
 * Longest time without an acknowledged write. A stub moves the primary at once. Patroni waits for the end of the
 * primary's lease.
 */
const silenceMaxMs = { 'a stub': 5000, Patroni: (leaseSeconds + 15) * 1000 } as const

/** Returns the reason why this machine cannot run the bank and its proxy, or `null` if it can. */
export function machinesRefusal(by: FailoverBy): string | null {
  if (process.platform !== 'linux') return 'only Linux can stop a replica where it stands'
  if (by === 'Patroni' && !canRunPatroni()) return 'Patroni and etcd are not installed'
  if (findProxy() === undefined) return 'HAProxy is not installed'
  return findPooler() === undefined ? 'PgBouncer is not installed' : null
}

type MachinesOptions = { readonly by: FailoverBy; readonly beforeEnd: () => Promise<void> }

/** Starts everything except the servers. `beforeEnd` is called before the servers are stopped for the last time. */
export async function openMachines(options: MachinesOptions): Promise<Machines> {
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
  { by, beforeEnd }: MachinesOptions,
  closers: Closers,
  close: () => Promise<void>,
): Promise<Machines> {
  const directory = await temporaryDirectory()
  closers.push(() => directory.remove())
  const cluster = by === 'Patroni' ? await startPatroni() : await startWithStub()
  closers.push(() => cluster.stop())

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
  const { proxy, throughProxy } = await openProxy(servers, cluster, closers)
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
    end: () => cluster.killPrimary(),
    revive: () => cluster.takeOver(),
  })
  return {
    target: severalMachines,
    silenceMaxMs: silenceMaxMs[by],
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

/** Starts a primary that waits for its replica. A stub answers the proxy in place of Patroni. */
async function startWithStub(): Promise<PatroniCluster> {
  const cluster = await startCluster({ isDurable: true })
  try {
    const replica = await cluster.startReplica()
    await cluster.waitForReplica()
    const roles = await tellPrimary()
    const addressOf = (url: string) => new URL(url).host
    return {
      url: cluster.url,
      ownerUrl: cluster.ownerUrl,
      postgres: [
        { address: addressOf(cluster.url), patroniPort: roles.ports[0] },
        { address: addressOf(replica.urlOf(cluster.url)), patroniPort: roles.ports[1] },
      ],
      killPrimary: () => killUnheard(cluster),
      takeOver: () => takeOver(replica, roles),
      async stop() {
        await roles.close()
        await cluster.stop()
      },
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** Starts the proxy in front of the servers and the database servers, and waits until it knows the primary. */
async function openProxy(servers: Servers, cluster: PatroniCluster, closers: Closers) {
  const addressOf = (url: string) => new URL(url).host
  const proxy = await startProxy(findProxy() ?? '', {
    servers: [addressOf(servers[0].url), addressOf(servers[1].url)],
    postgres: cluster.postgres,
  })
  closers.push(() => proxy.stop())
  const throughProxy = (url: string) => Object.assign(new URL(url), { port: String(proxy.primaryPort) }).href
  await untilPrimary(throughProxy(cluster.url))
  return { proxy, throughProxy }
}
