/** The bank on a PostgreSQL of its own, and who answers from it. Each is started when it is first asked for. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Owner } from '#server/database/database.ts'
import { connectOwner, openPostgres } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import { startCluster } from '#testing/cluster.ts'
import { type BankSize, fillBank } from './customers.ts'
import { type MeasuredServer, startMeasured, startProgram } from './server-process.ts'
import { jwtSecret } from './wire-request.ts'

export type PostgresBank = {
  readonly size: BankSize
  /** The folder of pgbench. */
  readonly binaries: string
  /** The login that serves. */
  readonly servingUrl: string
  readonly ownerUrl: string
  readonly owner: Owner
  /** As the server itself reaches it. */
  readonly database: Database
  /** The product's server; the same one each time. */
  readonly server: () => Promise<MeasuredServer>
  /** Another one, which whoever starts it stops. */
  readonly freshServer: () => Promise<MeasuredServer>
  readonly lite: () => Promise<MeasuredServer>
  readonly postgraphile: () => Promise<MeasuredServer>
  /** node:http and the driver, answering that statement. */
  readonly bare: (text: string) => Promise<MeasuredServer>
  readonly close: () => Promise<void>
}

/** Starts a cluster that keeps what it is told, and fills it. */
export async function openPostgresBank(size: BankSize): Promise<PostgresBank> {
  const dataDir = await mkdtemp(join(tmpdir(), 'finanzas-bench-'))
  const cluster = await startCluster({ isDurable: true })
  const closers: (() => Promise<unknown>)[] = [
    () => rm(dataDir, { recursive: true, force: true }),
    () => cluster.stop(),
  ]
  const { binaries, ownerUrl } = cluster
  const address = await preparePostgres({
    url: ownerUrl,
    directUrl: null,
    allowSuperuser: false,
    jwtSecret,
  })
  const owner = await connectOwner(ownerUrl)
  closers.push(() => owner.close())
  await fillBank(owner, size)
  const database = openPostgres(address)
  closers.push(() => database.close())

  const started = new Map<string, Promise<MeasuredServer>>()
  const once = (name: string, start: () => Promise<MeasuredServer>) => {
    const running = started.get(name) ?? start()
    started.set(name, running)
    return running
  }
  const startServer = () => startMeasured({ DATA_DIR: dataDir, DATABASE_URL: ownerUrl })
  return {
    size,
    binaries,
    servingUrl: address.url,
    ownerUrl,
    owner,
    database,
    server: () => once('server', startServer),
    freshServer: startServer,
    lite: () =>
      once('lite', async () => {
        // It reads users and sessions with the rights of its login, and becomes the customer for the rest.
        await owner.script('grant authenticated to current_user')
        return startProgram('bench/peers/lite.mjs', { jwtSecret, url: ownerUrl })
      }),
    postgraphile: () =>
      once('postgraphile', () =>
        startProgram('bench/peers/postgraphile.mjs', { jwtSecret, url: address.url }),
      ),
    bare: (text) => once('bare', () => startProgram('bench/bare-postgres.ts', { url: ownerUrl, text })),
    async close() {
      for (const server of started.values()) await (await server).stop()
      for (const close of closers.toReversed()) await close()
    },
  }
}
