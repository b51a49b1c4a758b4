/** What is under measurement, each in a process of its own: the server as `npm start` runs it, limits, peers. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { freePort } from '#testing/ports.ts'
import { jwtSecret, siteUrl } from './wire-request.ts'

/** A process that answers on a port of the loopback address. */
export type MeasuredServer = {
  readonly port: number
  /** From the start of the process to its first answer. */
  readonly startMs: number
  /** Resident memory, in MB: now, and the most there ever was. */
  residentMb(): { now: number; most: number }
  stop(): Promise<void>
}

const startWaitMs = 60_000
const run = promisify(execFile)

/** Starts the product's server and waits for its first answer. */
export async function startMeasured(
  environment: Record<string, string | undefined>,
): Promise<MeasuredServer> {
  const port = await freePort()
  return start(['--v8-pool-size=1', '--import', './server/compile-cache.mjs', 'server/main.ts'], {
    port,
    path: '/health',
    environment: {
      PORT: String(port),
      LOG_LEVEL: 'warn',
      JWT_SECRET: jwtSecret,
      SITE_URL: siteUrl,
      AUTH_RATE_LIMITS: 'off',
      ...environment,
    },
  })
}

/** Starts a peer or a limit: a program that takes its port, and what else it needs, as JSON. */
export async function startProgram(
  program: string,
  order: Readonly<Record<string, string>>,
): Promise<MeasuredServer> {
  const port = await freePort()
  return start([program, JSON.stringify({ ...order, port })], { port, path: null, environment: {} })
}

/** Runs a program to its end and answers what it printed. */
export async function runProgram(
  program: string,
  { words = [], input = '' }: { words?: readonly string[]; input?: string },
): Promise<string> {
  const running = run(process.execPath, [program, ...words], { maxBuffer: 16 * 1024 * 1024 })
  running.child.stdin?.end(input)
  return (await running).stdout
}

async function start(
  words: string[],
  {
    port,
    path,
    environment,
  }: { port: number; path: string | null; environment: Record<string, string | undefined> },
): Promise<MeasuredServer> {
  const startedAt = performance.now()
  const server = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', GRAPHILE_ENV: 'production', ...environment },
  })
  await untilAnswering(server, { port, path })
  const memory = (name: string) =>
    Number(
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1],
    ) / 1024
  return {
    port,
    startMs: performance.now() - startedAt,
    residentMb: () => ({ now: memory('VmRSS'), most: memory('VmHWM') }),
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    },
  }
}

async function untilAnswering(
  server: ChildProcess,
  { port, path }: { port: number; path: string | null },
): Promise<void> {
  const deadline = performance.now() + startWaitMs
  while (performance.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`The program ended with ${server.exitCode}.`)
    if (await isListening(port)) {
      if (path === null) return
      // The port is taken before the server serves.
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
      if (answer?.ok === true) return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The program did not answer.')
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
