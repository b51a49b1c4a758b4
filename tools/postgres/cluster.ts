// A throw-away PostgreSQL: a new cluster in a temporary directory, on a free loopback port, under a user
// that is not root. A keeper process removes it when its owner stops it or dies, however it dies.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { findPostgresBinaries } from './binaries.ts'
import { endAbruptly, initialise, startServer, unprivilegedUser, type Place } from './server.ts'

/** A running cluster. Every URL names 127.0.0.1 and carries its password. */
export type Cluster = {
  /** The superuser on database `postgres`. */
  url: string
  /** `finanzas_owner` (createrole, createdb, bypassrls, no superuser) on `finanzas`, which it owns. */
  ownerUrl: string
  /** The folder of initdb, psql, pgbench… that this cluster runs from. */
  binaries: string
  /** Makes an empty database that `finanzas_owner` owns; answers the owner's URL of it. */
  createDatabase(name: string): Promise<string>
  /** Ends the server as a crash would. The directory stays until `stop`. */
  kill(): Promise<void>
  /** Ends the server and removes its directory. */
  stop(): Promise<void>
}

/**
 * Starts a cluster; throws when this machine has no PostgreSQL. `isDurable` says whether commits reach
 * the disk: tests do without, measurements need it.
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
    const { server, port } = await startServer({ binaries, directory, user, isDurable })
    const url = `postgres://postgres:${superuserPassword}@127.0.0.1:${port}/postgres`
    const ownerUrlOf = (name: string) =>
      `postgres://finanzas_owner:${ownerPassword}@127.0.0.1:${port}/${name}`
    const createDatabase = async (name: string) => {
      await psql({ binaries, url, sql: `create database ${identifier(name)} owner finanzas_owner` })
      return ownerUrlOf(name)
    }

    const attributes = 'login createrole createdb bypassrls'
    await psql({ binaries, url, sql: `create role finanzas_owner ${attributes} password '${ownerPassword}'` })
    const ownerUrl = await createDatabase('finanzas')
    return { url, ownerUrl, binaries, createDatabase, kill: () => endAbruptly(server), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Waits until its standard input ends, which the kernel sees to even when we are killed, then stops the
 * server and removes the directory. In its own process group, so that Ctrl-C does not end it first.
 */
function startKeeper({ binaries, directory, user }: Place) {
  const script = 'cat > /dev/null; "$0" -D "$1/data" -m immediate -w stop; rm -rf "$1"'
  return spawn('sh', ['-c', script, path.join(binaries, 'pg_ctl'), directory], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

async function psql({ binaries, url, sql }: { binaries: string; url: string; sql: string }): Promise<void> {
  await promisify(execFile)(path.join(binaries, 'psql'), [
    '--no-psqlrc',
    '--quiet',
    '--set=ON_ERROR_STOP=1',
    '--command',
    sql,
    url,
  ])
}

function identifier(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`Not a plain database name: ${name}`)
  return `"${name}"`
}
