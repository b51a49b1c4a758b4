/** The server as users start it: a process of its own that can be killed and started again on its port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#testing/ports.ts'
import { untilReady } from '#testing/server.ts'
import { cpuSecondsOf } from './cores.ts'

/** The administrator that every server of the soak begins with. */
export const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }

/** One server, alive or not. */
export type ServerProcess = {
  readonly url: string
  /** The public key, once it has been ready. */
  anonKey(): Promise<string>
  serviceRoleKey(): Promise<string>
  /** Starts it, and waits until it answers that it is ready. Throws with its output when it ends instead. */
  start(): Promise<void>
  /** Everything that it has printed since it was started last. */
  output(): string
  /** Sends it a signal that it lives on after. */
  signal(signal: 'SIGUSR2'): void
  /** Resident memory now, in MB. Linux only. */
  residentMb(): Promise<number>
  /** Processor time since it was started last, in seconds. Linux only. */
  cpuSeconds(): Promise<number>
  /** Ends it with the signal; answers the exit code, `null` when it was killed, and how long it took. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; ms: number }>
}

/** Names a server; it does not run yet. */
export async function serverProcess(options: {
  dataDir: string
  environment?: Record<string, string>
  nodeArguments?: readonly string[]
}): Promise<ServerProcess> {
  const { dataDir, environment = {}, nodeArguments = [] } = options
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let output: string[] = []
  return {
    url,
    async anonKey() {
      return (await readKeys(dataDir)).anonKey
    },
    async serviceRoleKey() {
      return (await readKeys(dataDir)).serviceRoleKey
    },
    async start() {
      output = []
      const started = spawn(process.execPath, [...nodeArguments, '--v8-pool-size=1', 'server/main.ts'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env['PATH'],
          PORT: String(port),
          DATA_DIR: dataDir,
          ADMIN_EMAIL: administrator.email,
          ADMIN_PASSWORD: administrator.password,
          AUTH_AUTOCONFIRM: 'true',
          AUTH_RATE_LIMITS: 'off',
          LOG_LEVEL: 'error',
          ...environment,
        },
      })
      const printed = output
      const keep = (chunk: Buffer) => printed.push(chunk.toString())
      started.stdout.on('data', keep)
      started.stderr.on('data', keep)
      child = started
      await untilReady(url, started, () => printed.join(''))
    },
    output: () => output.join(''),
    signal(signal) {
      child?.kill(signal)
    },
    async residentMb() {
      const status = await readFile(`/proc/${child?.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
    },
    async cpuSeconds() {
      return cpuSecondsOf(child?.pid ?? 0)
    },
    async end(signal) {
      if (child === null) throw new Error('The server was never started.')
      const startedAt = performance.now()
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
      }
      return { code: child.exitCode, ms: performance.now() - startedAt }
    },
  }
}

async function readKeys(dataDir: string): Promise<{ anonKey: string; serviceRoleKey: string }> {
  const text = await readFile(join(dataDir, 'secrets.json'), 'utf8')
  return JSON.parse(text) as { anonKey: string; serviceRoleKey: string }
}
