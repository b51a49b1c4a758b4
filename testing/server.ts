/**
 * Starts the server as an operator does: in a separate process, configured with environment variables. Tests can stop
 * and restart this process.
 */
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Place, createOwnPlace } from './place.ts'
import { freePort } from './ports.ts'
import {
  type Environment,
  type Program,
  type ProgramOptions,
  memoryMbOf,
  spawnProgram,
  untilReady,
} from './server-program.ts'

/** The administrator that `testEnvironment` creates. */
export const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }

/** Settings that most tests use. The option `environment` replaces all these settings. */
export const testEnvironment = {
  ADMIN_EMAIL: administrator.email,
  ADMIN_PASSWORD: administrator.password,
  AUTH_RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
}

export type ServerOptions = ProgramOptions & {
  /**
   * The place of the bank that the server serves. By default, the server has a place of its own on the embedded engine,
   * which `remove` removes.
   */
  readonly place?: Pick<Place, 'environment'>
  /** Environment variables; by default, `testEnvironment`. PATH, PORT and those of the place are always added. */
  readonly environment?: Environment
}

export type TestServer = {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  /** The most recently started process. Reading this property before the first start throws an error. */
  readonly process: ChildProcess
  /** Milliseconds from the last start until `/ready` first answered 200. */
  readonly startMs: number
  /** Starts the server without waiting until it is ready. */
  readonly spawn: () => void
  /**
   * Starts the server and waits until `/ready` answers 200. If the process exits before the server is ready, throws an
   * error with its output.
   */
  readonly start: () => Promise<void>
  /** Waits until `/ready` answers 200. */
  readonly untilReady: () => Promise<void>
  /** Returns all output of the server since its last start. */
  readonly output: () => string
  /**
   * Resolves to the exit code of the most recently started process once its output is complete, or to `null` if a
   * signal ended it.
   */
  readonly ended: Promise<number | null>
  /** Stops the server if it is running. Returns the exit code and how many milliseconds the stop took. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<{ code: number | null; ms: number }>
  /** Kills the server and removes the place that was made for it. */
  readonly remove: () => Promise<void>
  /** Fetches the public API key from `/config.json`, like the web page. */
  readonly anonKey: () => Promise<string>
  /** Returns the service key. Works only if the server generated its own keys. */
  readonly serviceRoleKey: () => Promise<string>
  /** Returns the server's current and peak resident memory in MB. Linux only. */
  readonly memoryMb: () => Promise<{ now: number; peak: number }>
}

/** Prepares a server without starting it. The server uses the same port and data directory on every start. */
export async function createServer(options: ServerOptions = {}): Promise<TestServer> {
  const environment: Environment = options.environment ?? testEnvironment
  const own = options.place === undefined ? await createOwnPlace('pglite', { isDurable: false }) : null
  const place = options.place ?? own
  const dataDir = place?.environment.DATA_DIR ?? ''
  const port = Number(environment['PORT'] ?? (await freePort()))
  const url = `http://127.0.0.1:${port}`
  let last: Program | null = null
  let startMs = Number.NaN
  const running = () => {
    if (last === null) throw new Error('The server was never started.')
    return last
  }
  const output = () => last?.printed.join('') ?? ''
  const server: TestServer = {
    url,
    port,
    dataDir,
    get process() {
      return running().child
    },
    get startMs() {
      return startMs
    },
    spawn() {
      last = spawnProgram({ ...place?.environment, ...environment, PORT: String(port) }, options)
    },
    async start() {
      const startedAt = performance.now()
      server.spawn()
      await server.untilReady()
      startMs = performance.now() - startedAt
    },
    untilReady: () => untilReady(url, running().child, output),
    output,
    get ended() {
      return last?.ended ?? Promise.resolve(null)
    },
    async stop(signal = 'SIGTERM') {
      const startedAt = performance.now()
      running().child.kill(signal)
      return { code: await running().ended, ms: performance.now() - startedAt }
    },
    async remove() {
      if (last !== null) await server.stop('SIGKILL')
      await own?.remove()
    },
    anonKey: () => anonKeyOf(url),
    serviceRoleKey: () => serviceRoleKeyIn(dataDir),
    memoryMb: () => memoryMbOf(running().child.pid ?? 0),
  }
  return server
}

async function anonKeyOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/config.json`)
  return ((await answer.json()) as { anonKey: string }).anonKey
}

async function serviceRoleKeyIn(dataDir: string): Promise<string> {
  const secrets = await readFile(join(dataDir, 'secrets.json'), 'utf8')
  return (JSON.parse(secrets) as { serviceRoleKey: string }).serviceRoleKey
}

/** Starts a server and waits until it is ready. If the start fails, removes the server's process and files. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const server = await createServer(options)
  try {
    await server.start()
  } catch (error) {
    await server.remove()
    throw error
  }
  return server
}
