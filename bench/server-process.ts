/** The server under measurement, as `npm start` runs it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { freePort } from '#tools/ports/free-port.ts'

export type MeasuredServer = {
  readonly port: number
  /** From the start of the process to its first answer. */
  readonly startMs: number
  /** Resident memory now, in MB. */
  residentMb(): number
  stop(): Promise<void>
}

const startWaitMs = 60_000

/** Starts one and waits for its first answer. */
export async function startMeasured(environment: Record<string, string>): Promise<MeasuredServer> {
  const port = await freePort()
  const startedAt = performance.now()
  const server = spawn(process.execPath, ['--v8-pool-size=1', 'server/main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn', ...environment },
  })
  await untilAnswering(port, server)
  return {
    port,
    startMs: performance.now() - startedAt,
    residentMb: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

async function untilAnswering(port: number, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + startWaitMs
  while (performance.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`)
    if (await isListening(port)) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`)
      if (answer.ok) return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The server did not answer.')
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
