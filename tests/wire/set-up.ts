/** Vitest's global set-up of the wire tests: a real server process on an empty place, for one engine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type EdgeProject, startEdgeProject } from '#testing/hosted/edge-runtime.ts'
import { type Cluster, startCluster } from '#testing/postgres/cluster.ts'
import { freePort } from '#testing/ports/free-port.ts'
import { untilReady } from '#testing/ports/until-ready.ts'

/** What the tests are told about the server. */
export type ServerUnderTest = {
  engine: 'pglite' | 'postgres'
  /** What runs the functions: the server itself, or Deno, as on a hosted project. */
  functionsBy: 'server' | 'deno'
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

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = project.config.env['ENGINE'] === 'postgres' ? 'postgres' : 'pglite'
  const dataDir = await mkdtemp(join(tmpdir(), 'finanzas-wire-'))
  const cluster = engine === 'postgres' ? await startCluster({ isDurable: false }) : null
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = startServer({ port, dataDir, cluster })
  await untilReady(url, { process: server }).catch((error: unknown) => {
    server.kill('SIGKILL')
    throw error
  })
  const keys = await readKeys(dataDir)
  const edge = project.config.env['FUNCTIONS'] === 'deno' ? await startFunctions(url, keys) : null
  project.provide('server', {
    engine,
    functionsBy: edge === null ? 'server' : 'deno',
    url: edge?.url ?? url,
    dataDir,
    administrator,
    ownerUrl: cluster?.ownerUrl ?? null,
    ...keys,
  })

  return async () => {
    await edge?.stop()
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

/** The functions in Deno beside the server, which stands for the rest of a hosted project. */
function startFunctions(url: string, keys: Keys): Promise<EdgeProject> {
  const variables = {
    SUPABASE_URL: url,
    SUPABASE_ANON_KEY: keys.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: keys.serviceRoleKey,
  }
  return startEdgeProject({ url, variables })
}

type Keys = { anonKey: string; serviceRoleKey: string }

async function readKeys(dataDir: string): Promise<Keys> {
  const { anonKey, serviceRoleKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as {
    anonKey: string
    serviceRoleKey: string
  }
  return { anonKey, serviceRoleKey }
}
