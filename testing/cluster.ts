// Starts temporary PostgreSQL clusters. Each cluster has a temporary directory and a free loopback port, and does
// not run as root. A keeper process removes the cluster after our process has stopped it or has exited for any
// reason.
import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
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

/** The superuser's URL of a cluster, and the owner's URL for one of its databases, which others can be copied from. */
export type TemplateCluster = Pick<Cluster, 'url' | 'ownerUrl'>

/**
 * Creates a database that the owner owns, and returns the owner's URL for it. By default, the database has a new name
 * and is empty.
 */
export async function createDatabase(
  { url, ownerUrl }: TemplateCluster,
  { name, template }: { name?: string; template?: string | null },
): Promise<string> {
  const chosen = name ?? `test_${randomUUID().replaceAll('-', '')}`
  const maintenance = new pg.Client({ connectionString: url })
  await maintenance.connect()
  await maintenance.query(
    `create database ${identifier(chosen)} template ${identifier(template ?? 'template1')} owner finanzas_owner`,
  )
  await maintenance.end()
  return Object.assign(new URL(ownerUrl), { pathname: `/${chosen}` }).href
}

/** Returns the name of the serving login for the database in `url`, and a new random password. */
export function servingLoginOf(url: string): { name: string; password: string } {
  return {
    name: `authenticator_${new URL(url).pathname.slice(1)}`,
    password: randomBytes(16).toString('hex'),
  }
}

/** Returns the URL with which the serving login connects to the database in `url`. */
export function servingUrlOf(url: string): string {
  const { name: username, password } = servingLoginOf(url)
  return Object.assign(new URL(url), { username, password }).href
}

/**
 * Returns the superuser's URL for the database that `other` names, or by default for the database in the owner's URL.
 */
export function superuserUrlOf({ url, ownerUrl }: TemplateCluster, other = ownerUrl): string {
  return Object.assign(new URL(url), { pathname: new URL(other).pathname }).href
}

/**
 * Runs SQL with psql and returns the rows of the last query, one string per row. If the SQL fails, throws an error
 * with psql's output, which includes the SQLSTATE.
 */
export async function askPsql(
  { binaries }: Pick<Cluster, 'binaries'>,
  url: string,
  sql: string,
): Promise<string[]> {
  const form = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align']
  const settings = ['--set=ON_ERROR_STOP=1', '--set=VERBOSITY=verbose']
  const program = path.join(binaries, 'psql')
  const { stdout } = await promisify(execFile)(program, [...form, ...settings, `--command=${sql}`, url])
  return stdout.split('\n').filter((line) => line !== '')
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

function identifier(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`Not a plain database name: ${name}`)
  return `"${name}"`
}
