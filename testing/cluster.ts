// A temporary PostgreSQL: a new cluster in a temporary directory, on a free loopback port, under a user that is
// not root. A keeper process removes the cluster when our process stops the cluster or ends in any way.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
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

/** A running cluster. Every URL names 127.0.0.1 and carries the password. */
export type Cluster = {
  /** Address of the superuser on database `postgres`. */
  url: string
  /**
   * Address of `finanzas_owner` (createrole, createdb, bypassrls, no superuser) on the database `finanzas`, which
   * this login owns.
   */
  ownerUrl: string
  /** Folder of the programs (initdb, psql, pgbench…) that this cluster runs from. */
  binaries: string
  /** Makes an empty database that `finanzas_owner` owns, and returns the owner's URL of it. */
  createDatabase(name: string): Promise<string>
  /** Starts a server that follows this one. It ends with the cluster. */
  startReplica(): Promise<Replica>
  /** Makes each later commit wait until a replica has it on its disk too. */
  waitForReplica(): Promise<void>
  /** Ends the server as a crash would. Its directory stays until `stop`. */
  kill(): Promise<void>
  /** Starts the server again after `kill`, on the same port. */
  restart(): Promise<void>
  /** Suspends or resumes all processes of the server. A suspended server stays silent. Linux only. */
  setStopped(isStopped: boolean): Promise<void>
  /**
   * Cuts off the replicas: they receive no more changes, while the server goes on serving. The returned function must
   * be called after `kill`. Linux only.
   */
  holdReplication(): Promise<() => void>
  /** Ends the server and removes its directory. */
  stop(): Promise<void>
}

/** Returns the login that serves the database of an address, with its password. */
export function servingLoginOf(url: string): { name: string; password: string } {
  return {
    name: `authenticator_${new URL(url).pathname.slice(1)}`,
    password: randomBytes(16).toString('hex'),
  }
}

/** Returns the address of a database for that login. */
export function servingUrlOf(url: string): string {
  const { name: username, password } = servingLoginOf(url)
  return Object.assign(new URL(url), { username, password }).href
}

/**
 * Returns the superuser's address of a database: the database in the address `other`, by default the database in the
 * owner's address.
 */
export function superuserUrlOf(
  { url, ownerUrl }: Pick<Cluster, 'url' | 'ownerUrl'>,
  other = ownerUrl,
): string {
  return Object.assign(new URL(url), { pathname: new URL(other).pathname }).href
}

/**
 * Runs SQL at an address of the cluster and returns the rows of the last query, one per line. Throws the output of
 * psql, with the SQLSTATE.
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

/** A server that follows another server and answers reads. */
export type Replica = {
  /** Returns the address of a database on the replica, given the address on the primary. */
  urlOf(url: string): string
  /** Ends the recovery: the replica then accepts writes. */
  promote(): Promise<void>
}

/**
 * Starts a cluster. Throws when this machine has no PostgreSQL. With `isDurable`, commits reach the disk, which
 * measurements need and tests do not.
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
    const ownerUrlOf = (name: string) =>
      `postgres://finanzas_owner:${ownerPassword}@127.0.0.1:${port}/${name}`
    const createDatabase = async (name: string) => {
      await asSuperuser(`create database ${identifier(name)} owner finanzas_owner`)
      return ownerUrlOf(name)
    }

    const attributes = 'login createrole createdb bypassrls'
    await asSuperuser(`create role finanzas_owner ${attributes} password '${ownerPassword}'`)
    const ownerUrl = await createDatabase('finanzas')
    let replicas = 0
    const startReplica = async () => {
      replicas += 1
      const place = { binaries, directory: path.join(directory, `replica-${replicas}`), user }
      await copyServer(place, url)
      const replica = await startServer({ ...place, isDurable })
      const urlOf = (other: string) =>
        Object.assign(new URL(other), { host: `127.0.0.1:${replica.port}` }).href
      return {
        urlOf,
        async promote() {
          await askPsql({ binaries }, urlOf(url), 'select pg_promote()')
        },
      }
    }
    return {
      url,
      ownerUrl,
      binaries,
      createDatabase,
      startReplica,
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

/**
 * Starts the keeper. It waits for the end of its standard input, which the kernel closes even when we are killed. Then
 * it stops the server and removes the directory. It has its own process group, so that Ctrl-C does not end it first.
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
