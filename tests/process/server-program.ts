/** Servers of process tests: ended with their test or file. */
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import {
  type TemporaryDirectory,
  migratedDataDirectory,
  temporaryDirectory,
} from '#testing/data-directory.ts'
import { type Cluster, startCluster } from '#testing/cluster.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type TestServer, createServer } from '#testing/server.ts'

export type Program = TestServer

/** Starts one with exactly these variables, besides PATH and PORT, without waiting until it is ready. */
export async function startProgram(environment: Record<string, string>): Promise<Program> {
  const program = await createServer({
    dataDir: environment['DATA_DIR'] ?? '',
    environment: { LOG_LEVEL: 'warn', ...environment },
  })
  program.spawn()
  onTestFinished(() => program.remove())
  return program
}

/** Starts one on the embedded engine for all tests of a file. */
export function programOfFile(environment: Record<string, string> = {}): () => Program {
  let program: Program | undefined
  beforeAll(async () => {
    program = await createServer({ environment: { LOG_LEVEL: 'warn', ...environment } })
    await program.start()
  })
  afterAll(() => program?.remove())
  return () => {
    if (program === undefined) throw new Error('The server starts with the first test.')
    return program
  }
}

/** A PostgreSQL cluster for all tests of a file; none where the machine has no PostgreSQL. */
export function clusterOfFile(): () => Cluster {
  let cluster: Cluster | undefined
  beforeAll(async () => {
    if (findPostgresBinaries() !== undefined) cluster = await startCluster({ isDurable: false })
  })
  afterAll(() => cluster?.stop())
  return () => {
    if (cluster === undefined) throw new Error('The cluster starts with the first test.')
    return cluster
  }
}

export function untilReady(program: Program): Promise<void> {
  return program.untilReady()
}

/** An empty directory that is gone after the test. */
export async function emptyDirectory(): Promise<string> {
  return removedAfterTest(await temporaryDirectory())
}

/** A `DATA_DIR` with an empty, migrated database, which spares a first start; gone after the test. */
export async function migratedDirectory(): Promise<string> {
  return removedAfterTest(await migratedDataDirectory())
}

function removedAfterTest({ path, remove }: TemporaryDirectory): string {
  onTestFinished(remove)
  return path
}
