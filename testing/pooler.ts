// A temporary PgBouncer in front of a temporary PostgreSQL, with the configuration that operators use
// (deploy/pgbouncer.ini). In transaction mode, each database transaction may use a different server connection.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './ports.ts'
import { unprivilegedUser } from './postgres-server.ts'

export type Pooler = {
  /** The pooler's URL for `login`. */
  url: string
  stop(): Promise<void>
}

/** Path relative to the root of the checkout. */
const poolerConfiguration = 'deploy/pgbouncer.ini'
const serverConnections = 4
const startWaitMs = 5000

/** Returns the path of PgBouncer, or undefined when it is not installed. */
export function findPooler(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
  return folders.map((folder) => path.join(folder, 'pgbouncer')).find((program) => existsSync(program))
}

/** Starts PgBouncer in front of a PostgreSQL server, for one of the server's logins. */
export async function startPooler(options: {
  program: string
  /** A URL with the host, port and database of the PostgreSQL server behind the pooler. */
  serverUrl: string
  login: { name: string; password: string }
}): Promise<Pooler> {
  const { program, login } = options
  const server = new URL(options.serverUrl)
  const user = await unprivilegedUser()
  const directory = await mkdtemp(path.join(tmpdir(), 'finanzas-pooler-'))
  const port = await freePort()
  const users = path.join(directory, 'users.txt')
  const settings = path.join(directory, 'pgbouncer.ini')
  await writeFile(users, `"${login.name}" "${login.password}"\n`, { mode: 0o600 })
  await writeFile(
    settings,
    `[databases]\n* = host=${server.hostname} port=${server.port}\n` +
      // Reads the file in this process, because PgBouncer's user may not have access to the checkout.
      (await readFile(poolerConfiguration, 'utf8')) +
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_file = ${users}\ndefault_pool_size = ${serverConnections}\n`,
  )
  if (user !== undefined) {
    for (const place of [directory, users, settings]) await chown(place, user.uid, user.gid)
  }
  const pooler = spawn(program, ['-q', settings], { ...user, cwd: '/', stdio: 'ignore' })
  const hasEnded = once(pooler, 'exit')
  await untilListening(port)
  return {
    url: `postgres://${login.name}:${login.password}@127.0.0.1:${port}${server.pathname}`,
    async stop() {
      pooler.kill('SIGKILL')
      await hasEnded
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function untilListening(port: number): Promise<void> {
  const deadline = Date.now() + startWaitMs
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (Date.now() > deadline) throw new Error('PgBouncer did not start.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
