// Creates the data directory of one PostgreSQL server, starts the server, and kills it to imitate a crash.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from './ports.ts'

const startAttemptsMax = 3
const logLinesMax = 50
const againAttemptsMax = 20
const againWaitMs = 100

/** The folder of PostgreSQL's programs, the cluster's directory, and the user that runs the server. */
export type Place = { binaries: string; directory: string; user: User }

/** A system account, or undefined for the current user. */
type User = { uid: number; gid: number } | undefined

/**
 * Returns the user that runs PostgreSQL. PostgreSQL refuses to run as root, so the function returns a system account if
 * the current user is root.
 */
export async function unprivilegedUser(): Promise<User> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined)
  if (account === undefined)
    throw new Error('PostgreSQL does not run as root, and this machine has no other user.')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Creates the data directory, with the superuser `postgres` and its password. */
export async function initialise({
  binaries,
  directory,
  user,
  password,
}: Place & { password: string }): Promise<void> {
  const passwordFile = path.join(directory, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user !== undefined) {
    await chown(directory, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  const settings = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync']
  const locale =
    process.platform === 'linux'
      ? ['--encoding=UTF8', '--locale=C.UTF-8']
      : ['--encoding=UTF8', '--no-locale']
  await promisify(execFile)(
    path.join(binaries, 'initdb'),
    ['-D', path.join(directory, 'data'), ...settings, ...locale],
    {
      ...user,
      cwd: '/',
    },
  )
  await rm(passwordFile)
}

/** Creates the data directory of a replica. `url` is the superuser's URL on the primary. */
export async function copyServer({ binaries, directory, user }: Place, url: string): Promise<void> {
  await mkdir(directory)
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const source = ['--dbname', url, '--checkpoint=fast', '--wal-method=stream', '--no-sync']
  await promisify(execFile)(
    path.join(binaries, 'pg_basebackup'),
    [...source, '--write-recovery-conf', '--pgdata', path.join(directory, 'data')],
    { ...user, cwd: '/' },
  )
}

/** The server process and its port on loopback. */
type Server = { server: ChildProcess; port: number }

/**
 * Starts the server and waits until it accepts connections. If another program takes the port first, this function
 * tries another port.
 */
export function startServer(options: Place & { isDurable: boolean }): Promise<Server> {
  const attempt = async () => startServerOn(await freePort(), options)
  return againWhile('Address already in use', startAttemptsMax, attempt)
}

/**
 * Starts the server again on its previous port. Retries, because the processes of a killed server may take a moment
 * to exit.
 */
export async function startAgain(
  port: number,
  options: Place & { isDurable: boolean },
): Promise<ChildProcess> {
  const attempt = () => startServerOn(port, options)
  return (await againWhile('shared memory block', againAttemptsMax, attempt)).server
}

/** Runs `attempt`, and repeats the attempt after a short pause if the error contains `message`. */
async function againWhile<T>(message: string, attemptsMax: number, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(message)) || count === attemptsMax) throw error
      await new Promise((resolve) => setTimeout(resolve, againWaitMs))
    }
  }
}

async function startServerOn(
  port: number,
  { binaries, directory, user, isDurable }: Place & { isDurable: boolean },
): Promise<Server> {
  const durability = isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'lc_messages=C',
    ...durability,
  ]
  const server = spawn(
    path.join(binaries, 'postgres'),
    ['-D', path.join(directory, 'data'), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await untilReady(server)
  return { server, port }
}

/**
 * Waits until the log says that the server accepts connections. Then continues to read the log, so that the pipe
 * never fills up.
 */
async function untilReady(server: ChildProcess & { stderr: NodeJS.ReadableStream }): Promise<void> {
  const lines: string[] = []
  const log = createInterface(server.stderr)
  await new Promise<void>((resolve, reject) => {
    log.on('line', (line) => {
      if (/ready to accept (?:read-only )?connections/.test(line)) resolve()
      if (lines.push(line) > logLinesMax) lines.shift()
    })
    server.once('error', reject)
    server.once('close', () => reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)))
  })
}

/** Kills the server with SIGKILL. The operating system sends the same signal when memory runs out. */
export async function endAbruptly(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const hasEnded = once(server, 'exit')
  server.kill('SIGKILL')
  await hasEnded
}

/**
 * Stops replication by suspending the WAL sender processes, while the server keeps serving requests. The returned
 * function kills these processes, and must be called after the server has been killed. Linux only.
 */
export async function holdReplication(server: ChildProcess): Promise<() => void> {
  const senders: number[] = []
  for (const each of await childrenOf(server)) {
    if ((await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '')).includes('walsender'))
      senders.push(each)
  }
  if (senders.length === 0) throw new Error('No replica is connected to this server.')
  for (const each of senders) process.kill(each, 'SIGSTOP')
  return () => {
    for (const each of senders) process.kill(each, 'SIGKILL')
  }
}

/** Suspends or resumes the server and all its processes. Linux only. */
export async function setStopped(server: ChildProcess, isStopped: boolean): Promise<void> {
  for (const each of [server.pid ?? 0, ...(await childrenOf(server))])
    process.kill(each, isStopped ? 'SIGSTOP' : 'SIGCONT')
}

async function childrenOf(server: ChildProcess): Promise<number[]> {
  const list = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
  return list.split(' ').filter(Boolean).map(Number)
}
