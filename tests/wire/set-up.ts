/**
 * Vitest's global set-up for the wire tests. Starts a server process with an empty database on the engine of the test
 * project.
 */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type StatementKey, newSigningKey, openSigningKey } from '@finanzas/contract/papers/signature.ts'
import { startEdgeProject } from '#testing/hosted/edge-runtime.ts'
import { createOwnPlace } from '#testing/place.ts'
import { administrator, startServer, testEnvironment } from '#testing/server.ts'

/** The server under test. */
export type ServerUnderTest = {
  engine: 'pglite' | 'postgres'
  /** The runtime of the functions: the server's own runtime, or Deno as on a hosted project. */
  functionsBy: 'server' | 'deno'
  url: string
  anonKey: string
  serviceRoleKey: string
  /** The server's data directory. The outbox folder in this directory contains the mails. */
  dataDir: string
  administrator: { email: string; password: string }
  /**
   * The public key of statements that Deno signs, or `null` if the server signs statements and publishes its own key.
   */
  hostedStatementKey: StatementKey | null
  /** The connection string with which tests run SQL as the database owner, or `null` on the embedded engine. */
  ownerUrl: string | null
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface ProvidedContext {
    server: ServerUnderTest
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = project.config.env['ENGINE'] === 'postgres' ? 'postgres' : 'pglite'
  const place = await createOwnPlace(engine, { isDurable: false })
  const server = await startServer({ place, environment: { ...testEnvironment, LOG_LEVEL: 'info' } })
  const log = createWriteStream(join(server.dataDir, 'server.log'))
  log.write(server.output())
  server.process.stdout?.pipe(log)
  const keys = { anonKey: await server.anonKey(), serviceRoleKey: await server.serviceRoleKey() }
  const statementKey = await newSigningKey()
  const edge =
    project.config.env['FUNCTIONS'] === 'deno'
      ? await startEdgeProject({
          url: server.url,
          variables: {
            SUPABASE_URL: server.url,
            SUPABASE_ANON_KEY: keys.anonKey,
            SUPABASE_SERVICE_ROLE_KEY: keys.serviceRoleKey,
            STATEMENT_SIGNING_KEY: `-----BEGIN PRIVATE KEY-----\n${Buffer.from(statementKey).toString('base64')}\n-----END PRIVATE KEY-----\n`,
          },
        })
      : null
  project.provide('server', {
    engine,
    hostedStatementKey: edge === null ? null : (await openSigningKey(statementKey)).publicKey,
    functionsBy: edge === null ? 'server' : 'deno',
    url: edge?.url ?? server.url,
    dataDir: server.dataDir,
    administrator,
    ownerUrl: place.cluster?.ownerUrl ?? null,
    ...keys,
  })

  return async () => {
    await edge?.stop()
    await server.stop()
    await place.remove()
  }
}
