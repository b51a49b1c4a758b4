/**
 * Two PostgreSQL servers under Patroni, with etcd, as docs/es/servidores.md describes them: synchronous replication and a
 * failover by Patroni itself. Everything runs on loopback and in a temporary directory.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { askPsql, createDatabase } from './cluster-databases.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { unprivilegedUser } from './postgres-server.ts'
import { freePort } from './ports.ts'

/** The smallest lease of a primary that Patroni accepts. An outage after the death of a primary takes about as long. */
export const leaseSeconds = 20
const startWaitMs = 120_000

const memberNames = ['one', 'two'] as const

type Member = { readonly name: string; readonly port: number; readonly restPort: number }

export type PatroniCluster = {
  /** The superuser's URL and the owner's URL, on the server that is the primary at the start. */
  readonly url: string
  readonly ownerUrl: string
  /** The addresses of both database servers, for the proxy. */
  readonly postgres: readonly [Address, Address]
  /** Kills the primary and its agent at once. */
  killPrimary(): Promise<void>
  /** Waits until the other server is the primary, and starts the killed one again, which becomes the replica. */
  takeOver(): Promise<void>
  stop(): Promise<void>
}

type Address = { readonly address: string; readonly patroniPort: number }

/** Returns whether Patroni and etcd are installed. */
export function canRunPatroni(): boolean {
  return process.platform === 'linux' && ['patroni', 'etcd'].every((name) => existsSync(`/usr/bin/${name}`))
}

/** Starts etcd and both members. If a member does not start, throws an error with the end of their output. */
export async function startPatroni(): Promise<PatroniCluster> {
  const user = await unprivilegedUser()
  const directory = await mkdtemp(path.join(tmpdir(), 'finanzas-patroni-'))
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const log = openSync(path.join(directory, 'log'), 'a')
  const start = (program: string, given: readonly string[]) =>
    spawn(`/usr/bin/${program}`, given, { ...user, cwd: directory, stdio: ['ignore', log, log] })
  const agents = new Map<string, ChildProcess>()
  const binaries = findPostgresBinaries() ?? ''
  const stop = async () => {
    for (const agent of agents.values()) agent.kill('SIGKILL')
    for (const name of memberNames) await stopAtOnce(path.join(directory, name), { binaries, user })
    closeSync(log)
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const etcdPort = await freePort()
    agents.set('etcd', startEtcd(start, { directory, port: etcdPort, peerPort: await freePort() }))
    const password = randomBytes(16).toString('hex')
    const members: Member[] = []
    for (const name of memberNames) {
      const member = { name, port: await freePort(), restPort: await freePort() }
      const file = path.join(directory, `${name}.yml`)
      await writeFile(file, settingsOf({ ...member, etcdPort, directory, binaries, password }))
      if (user !== undefined) await chown(file, user.uid, user.gid)
      members.push(member)
      agents.set(name, start('patroni', [file]))
      // The first member creates the data, and the second copies them.
      const role = name === 'one' ? 'primary' : 'replica'
      await until(async () => (await statusOf(member.restPort, role)) === 200)
    }
    const [one, two] = members as [Member, Member]
    await until(() => hasSynchronousReplica(one))
    return {
      ...(await createOwner({ binaries, port: one.port, password })),
      postgres: [addressOf(one), addressOf(two)],
      ...failoverOf([one, two], { directory, agents, restart: (name) => start('patroni', [`${name}.yml`]) }),
      stop,
    }
  } catch (error) {
    const output = await readFile(path.join(directory, 'log'), 'utf8')
    await stop()
    throw new Error(`Patroni did not start: ${output.slice(-2000)}`, { cause: error })
  }
}

/** Creates the owner and the database of the bank, and returns the URLs. */
async function createOwner(given: { binaries: string; port: number; password: string }) {
  const { binaries, port, password } = given
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const ownerPassword = randomBytes(16).toString('hex')
  const attributes = 'login createrole createdb bypassrls'
  await askPsql({ binaries }, url, `create role finanzas_owner ${attributes} password '${ownerPassword}'`)
  const ownerUrl = `postgres://finanzas_owner:${ownerPassword}@127.0.0.1:${port}/finanzas`
  await createDatabase({ url, ownerUrl }, { name: 'finanzas' })
  return { url, ownerUrl }
}

type Failover = {
  readonly directory: string
  readonly agents: Map<string, ChildProcess>
  readonly restart: (name: string) => ChildProcess
}

function failoverOf([one, two]: readonly [Member, Member], { directory, agents, restart }: Failover) {
  let killed = one
  return {
    async killPrimary() {
      killed = (await statusOf(one.restPort, 'primary')) === 200 ? one : two
      const pidFile = path.join(directory, killed.name, 'postmaster.pid')
      const [pid = ''] = (await readFile(pidFile, 'utf8')).split('\n')
      agents.get(killed.name)?.kill('SIGKILL')
      process.kill(Number(pid), 'SIGKILL')
    },
    async takeOver() {
      const other = killed === one ? two : one
      await until(async () => (await statusOf(other.restPort, 'primary')) === 200)
      agents.set(killed.name, restart(killed.name))
      await until(() => hasSynchronousReplica(other))
    },
  }
}

const addressOf = ({ port, restPort }: Member): Address => ({
  address: `127.0.0.1:${port}`,
  patroniPort: restPort,
})

function startEtcd(
  start: (program: string, given: readonly string[]) => ChildProcess,
  { directory, port, peerPort }: { directory: string; port: number; peerPort: number },
): ChildProcess {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  return start('etcd', [
    '--name',
    'one',
    '--data-dir',
    path.join(directory, 'etcd'),
    '--logger',
    'zap',
    '--log-level',
    'error',
    '--listen-client-urls',
    clients,
    '--advertise-client-urls',
    clients,
    '--listen-peer-urls',
    peers,
    '--initial-advertise-peer-urls',
    peers,
    '--initial-cluster',
    `one=${peers}`,
  ])
}

/** Returns the settings of one member, which are those that docs/es/servidores.md names. JSON is also YAML. */
function settingsOf(given: {
  name: string
  port: number
  restPort: number
  etcdPort: number
  directory: string
  binaries: string
  password: string
}): string {
  const { name, port, restPort, etcdPort, directory, binaries, password } = given
  const login = (username: string) => ({ username, password })
  return JSON.stringify({
    scope: 'finanzas',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: leaseSeconds,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: path.join(directory, name),
      bin_dir: binaries,
      pgpass: path.join(directory, `${name}.pgpass`),
      authentication: {
        superuser: login('postgres'),
        replication: login('replicator'),
        rewind: login('rewinder'),
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: directory },
    },
  })
}

/** Returns the status with which a member answers about a role, or 0 without an answer. */
async function statusOf(restPort: number, role: 'primary' | 'replica'): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${restPort}/${role}`).catch(() => null)
  return answer?.status ?? 0
}

async function hasSynchronousReplica({ restPort }: Member): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null)
  if (answer === null) return false
  const { members } = (await answer.json().catch(() => ({}))) as { members?: { role: string }[] }
  return members?.some(({ role }) => role === 'sync_standby') ?? false
}

async function stopAtOnce(
  data: string,
  { binaries, user }: { binaries: string; user: Awaited<ReturnType<typeof unprivilegedUser>> },
): Promise<void> {
  await promisify(execFile)(path.join(binaries, 'pg_ctl'), ['stop', '--mode=immediate', '-D', data], {
    ...user,
    cwd: '/',
  }).catch(() => undefined)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + startWaitMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('Patroni did not reach the expected state.')
    await pause(100)
  }
}
