/** Vitest's global set-up of the wire tests: a real server process on an empty place, for one engine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Cluster, startCluster } from '#tools/postgres/cluster.ts'
import { freePort } from '#tools/ports/free-port.ts'

/** What the tests are told about the server. */
export type ServerUnderTest = {
  engine: 'pglite' | 'postgres'
  url: string
  anonKey: string
  serviceRoleKey: string
  /** Where the outbox is, with the mails that a real mail server would deliver. */
  dataDir: string
  administrator: { email: string; password: string }
  /** The database owner's address, for writes that go past the server; `null` on the embedded engine. */
  ownerUrl: string | null
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface ProvidedContext {
    server: ServerUnderTest
  }
}

const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }
const readyWaitMs = 60_000

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = project.config.env['ENGINE'] === 'postgres' ? 'postgres' : 'pglite'
  const dataDir = await mkdtemp(join(tmpdir(), 'finanzas-wire-'))
  const cluster = engine === 'postgres' ? await startCluster({ isDurable: false }) : null
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = startServer({ port, dataDir, cluster })
  await untilReady(url, server).catch((error: unknown) => {
    server.kill('SIGKILL')
    throw error
  })
  const keys = await readKeys(dataDir)
  project.provide('server', {
    engine,
    url,
    dataDir,
    administrator,
    ownerUrl: cluster?.ownerUrl ?? null,
    ...keys,
  })

  return async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
    await cluster?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function startServer(options: { port: number; dataDir: string; cluster: Cluster | null }): ChildProcess {
  const { port, dataDir, cluster } = options
  return spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      AUTH_RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...(cluster === null ? {} : { DATABASE_URL: cluster.ownerUrl }),
    },
  })
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + readyWaitMs
  while (Date.now() < deadline) {
    if (server.exitCode !== null)
      throw new Error(`The server ended with ${server.exitCode} before it was ready.`)
    const answer = await fetch(`${url}/ready`).catch(() => null)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The server was not ready after ${readyWaitMs} ms.`)
}

async function readKeys(dataDir: string): Promise<{ anonKey: string; serviceRoleKey: string }> {
  const { anonKey, serviceRoleKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as {
    anonKey: string
    serviceRoleKey: string
  }
  return { anonKey, serviceRoleKey }
}
