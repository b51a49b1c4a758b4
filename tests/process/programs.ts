/**
 * Runs servers and commands as an operator does. The servers and commands are stopped at the end of the test or test
 * file that started them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type Cluster, startCluster } from '#testing/cluster.ts'
import {
  type TemporaryDirectory,
  migratedDataDirectory,
  temporaryDirectory,
} from '#testing/data-directory.ts'
import type { Person } from '#testing/people.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type TestServer, createServer, testEnvironment } from '#testing/server.ts'

export type Program = TestServer
type Variables = Readonly<Record<string, string>>

export const hasPostgres = findPostgresBinaries() !== undefined
const sharedSecret = `a secret that several servers share ${randomUUID()}`

/**
 * Starts a server without waiting until it is ready. The server's environment contains only these variables, LOG_LEVEL,
 * PATH, PORT and DATA_DIR, which is a new directory by default.
 */
export async function startProgram(variables: Variables = {}): Promise<Program> {
  const newDirectory = variables['DATABASE_URL'] === undefined ? migratedDirectory : emptyDirectory
  const program = await createServer({
    place: { environment: { DATA_DIR: variables['DATA_DIR'] ?? (await newDirectory()) } },
    environment: { LOG_LEVEL: 'warn', ...variables },
  })
  program.spawn()
  onTestFinished(() => program.remove())
  return program
}

/** Starts a server and waits until it is ready. */
export async function startReady(variables: Variables = {}): Promise<Program> {
  const program = await startProgram(variables)
  await program.untilReady()
  return program
}

/** Starts a server with the settings of `testEnvironment` and waits until it is ready. */
export const startBank = (variables: Variables = {}): Promise<Program> =>
  startReady({ ...testEnvironment, ...variables })

/**
 * Starts one of several servers that share a database. All of these servers sign tokens with the same secret and for
 * the same site URL.
 */
export const startOn = (variables: Variables): Promise<Program> =>
  startBank({ JWT_SECRET: sharedSecret, SITE_URL: 'http://localhost', ...variables })

/** Starts a server that all tests in a file share. The server uses the embedded engine. */
export function programOfFile(variables: Variables = {}): () => Program {
  let program: Program | undefined
  beforeAll(async () => {
    program = await createServer({ environment: { ...testEnvironment, ...variables } })
    await program.start()
  })
  afterAll(() => program?.remove())
  return () => {
    if (program === undefined) throw new Error('The server starts with the first test.')
    return program
  }
}

/** Starts a PostgreSQL cluster that all tests in a file share, if PostgreSQL is installed. */
export function clusterOfFile({ isDurable } = { isDurable: false }): () => Cluster {
  let cluster: Cluster | undefined
  beforeAll(async () => {
    if (hasPostgres) cluster = await startCluster({ isDurable })
  })
  afterAll(() => cluster?.stop())
  return () => {
    if (cluster === undefined) throw new Error('The cluster starts with the first test.')
    return cluster
  }
}

/** Creates an empty directory, which is removed after the test. */
export async function emptyDirectory(): Promise<string> {
  return removedAfterTest(await temporaryDirectory())
}

/**
 * Creates a `DATA_DIR` that is removed after the test. The directory contains a migrated database, which makes the
 * first start faster.
 */
export async function migratedDirectory(): Promise<string> {
  return removedAfterTest(await migratedDataDirectory())
}

function removedAfterTest({ path, remove }: TemporaryDirectory): string {
  onTestFinished(remove)
  return path
}

/** Opens a WebSocket and joins a channel, because the server closes sockets that do not join any channel. */
export async function joinedSocket(program: Program, accessToken?: string): Promise<WebSocket> {
  const socket = new WebSocket(
    `${program.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${await program.anonKey()}&vsn=2.0.0`,
  )
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const payload = { config: {}, access_token: accessToken }
  socket.send(JSON.stringify(['1', '1', 'realtime:own', 'phx_join', payload]))
  await once(socket, 'message')
  return socket
}

/** Records an expense of one unit of the currency. */
export const record = ({ client, id: userId }: Person, id: string = randomUUID()) =>
  client.from('transactions').insert({ id, user_id: userId, type: 'expense', description: 'x', amount: 1 })

/**
 * Registers a deposit as an administrator. Does not use the client, because the client would retry failed requests.
 */
export async function deposit(program: Program, { session, id }: Person): Promise<Response> {
  return fetch(`${program.url}/functions/v1/manage-transactions`, {
    method: 'POST',
    headers: {
      apikey: await program.anonKey(),
      authorization: `Bearer ${session.access_token}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      action: 'create',
      transactionData: { user_id: id, type: 'deposit', amount: 12.5, description: 'Nómina' },
    }),
  })
}

export type CommandEnd = { code: number | null; stdout: string; stderr: string }

/**
 * File descriptors for a command's standard input and output. By default, the input is empty and the output is
 * returned as text.
 */
type Streams = { readonly input?: number; readonly output?: number }

/**
 * Starts the program that `npm run <name> -- <given>` would run, without npm. `ended` resolves to the program's exit
 * code and output.
 */
export function startCommand(
  name: string,
  given: readonly string[],
  variables: Variables,
  { input, output }: Streams = {},
): { process: ChildProcess; ended: Promise<CommandEnd> } {
  const child = spawn(process.execPath, [`server/operator/commands/${name}.ts`, ...given], {
    stdio: [input ?? 'ignore', output ?? 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...variables },
  })
  const read = (stream: Readable | null) => (stream === null ? '' : text(stream))
  const ended = Promise.all([once(child, 'exit'), read(child.stdout), read(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }),
  )
  return { process: child, ended }
}

/** Runs a command and waits until it exits. */
export const runCommand = (
  name: string,
  given: readonly string[],
  variables: Variables,
  streams: Streams = {},
) => startCommand(name, given, variables, streams).ended
