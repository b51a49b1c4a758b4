// Starts temporary PostgreSQL clusters. Each cluster has a temporary directory and a free loopback port, and does
// not run as root. A keeper process removes the cluster after our process has stopped it or has exited for any
// reason.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { askPsql, createDatabase } from './cluster-databases.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import {
  copyServer,
  endAbruptly,
  holdReplication,
  initialise,
  setStopped,
  startAgain,
  startServer,
  unprivilegedUser,
  type Place,
} from './postgres-server.ts'

/** A running cluster. Every URL has the host 127.0.0.1 and contains the password. */
export type Cluster = {
  /** The superuser's URL for database `postgres`. */
  url: string
  /**
   * URL of the login `finanzas_owner` for the database `finanzas`, which this login owns. The login has createrole,
   * createdb and bypassrls, but is not a superuser.
   */
  ownerUrl: string
  /** Folder that contains the PostgreSQL programs of this cluster (initdb, psql, pgbench…). */
  binaries: string
  /** Creates an empty database owned by `finanzas_owner`, and returns the owner's URL for it. */
  createDatabase(name: string): Promise<string>
  /** Starts a replica of this server. The replica is stopped together with the cluster. */
  startReplica(): Promise<Replica>
  /** Turns on synchronous replication: each later commit waits until a replica has also written it to disk. */
  waitForReplica(): Promise<void>
  /** Kills the server to simulate a crash. The server's directory is kept until `stop` is called. */
  kill(): Promise<void>
  /** Starts the server again after `kill`, on the same port. */
  restart(): Promise<void>
  /** Suspends or resumes all of the server's processes. A suspended server does not respond. Linux only. */
  setStopped(isStopped: boolean): Promise<void>
  /**
   * Stops replication: the replicas receive no more changes, but the server keeps serving requests. Call the
   * returned function after `kill`. Linux only.
   */
  holdReplication(): Promise<() => void>
  /** Stops the server and removes its directory. */
  stop(): Promise<void>
}

/** A server that replicates another server and accepts read-only queries. */
export type Replica = {
  /** Converts a database URL on the primary to the URL of the same database on the replica. */
  urlOf(url: string): string
  /** Promotes the replica, which then accepts writes. */
  promote(): Promise<void>
}

/**
 * Starts a cluster. Throws if PostgreSQL is not installed on this machine. If `isDurable` is true, commits are flushed
 * to disk. Measurements need durable commits, but tests do not.
 */
export async function startCluster({ isDurable }: { isDurable: boolean }): Promise<Cluster> {
  const binaries = findPostgresBinaries()
  if (binaries === undefined) throw new Error('No PostgreSQL programs on this machine; PG_BIN can name them.')

  const user = await unprivilegedUser()
  const directory = await mkdtemp(path.join(tmpdir(), 'finanzas-postgres-'))
  const superuserPassword = randomBytes(16).toString('hex')
  const ownerPassword = randomBytes(16).toString('hex')
  const keeper = startKeeper({ binaries, directory, user })

  const stop = async () => {
    if (keeper.exitCode !== null) return
    const hasEnded = once(keeper, 'exit')
    keeper.stdin.end()
    await hasEnded
  }
  try {
    await initialise({ binaries, directory, user, password: superuserPassword })
    const first = await startServer({ binaries, directory, user, isDurable })
    const { port } = first
    let { server } = first
    const url = `postgres://postgres:${superuserPassword}@127.0.0.1:${port}/postgres`
    const asSuperuser = (sql: string) => askPsql({ binaries }, url, sql)
    const ownerUrl = `postgres://finanzas_owner:${ownerPassword}@127.0.0.1:${port}/finanzas`
    const attributes = 'login createrole createdb bypassrls'
    await asSuperuser(`create role finanzas_owner ${attributes} password '${ownerPassword}'`)
    await createDatabase({ url, ownerUrl }, { name: 'finanzas' })
    let replicas = 0
    return {
      url,
      ownerUrl,
      binaries,
      createDatabase: (name) => createDatabase({ url, ownerUrl }, { name }),
      startReplica() {
        replicas += 1
        const place = { binaries, directory: path.join(directory, `replica-${replicas}`), user, isDurable }
        return replicate(url, place)
      },
      async waitForReplica() {
        await asSuperuser("alter system set synchronous_standby_names = '*'")
        await asSuperuser('select pg_reload_conf()')
      },
      kill: () => endAbruptly(server),
      async restart() {
        server = await startAgain(port, { binaries, directory, user, isDurable })
      },
      setStopped: (isStopped) => setStopped(server, isStopped),
      holdReplication: () => holdReplication(server),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function replicate(url: string, place: Place & { isDurable: boolean }): Promise<Replica> {
  await copyServer(place, url)
  const replica = await startServer(place)
  const urlOf = (other: string) => Object.assign(new URL(other), { host: `127.0.0.1:${replica.port}` }).href
  return {
    urlOf,
    async promote() {
      await askPsql(place, urlOf(url), 'select pg_promote()')
    },
  }
}

/**
 * Starts the keeper. The keeper waits for the end of its standard input, which the kernel closes even when our process
 * is killed. Then the keeper stops the server and removes the directory. The keeper has its own process group, because
 * Ctrl-C would otherwise end the keeper before the server.
 */
function startKeeper({ binaries, directory, user }: Place) {
  const script =
    'cat > /dev/null; for each in "$1"/data "$1"/replica-*/data; do [ -d "$each" ] && "$0" -D "$each" -m immediate -w stop; done; rm -rf "$1"'
  return spawn('sh', ['-c', script, path.join(binaries, 'pg_ctl'), directory], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}
