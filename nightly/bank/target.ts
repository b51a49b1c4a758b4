/** Where the bank test runs: a server, what is under it, and how one of them is killed and revived. */
import { join } from 'node:path'
import type { Database, Owner } from '#server/database/database.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner, openPostgres } from '#server/database/postgres/postgres.ts'
import { startCluster } from '#testing/cluster.ts'
import { migratedDataDirectory, temporaryDirectory } from '#testing/data-directory.ts'
import { type TestServer } from '#testing/server.ts'
import { createOpenServer } from '#nightly/fixtures/servers.ts'

/** What is killed, and over which engine. */
export type KilledTarget = 'the server, embedded' | 'the server, PostgreSQL' | 'PostgreSQL'

/** One after the other of what stands behind a proxy. */
export const severalMachines = 'one server, the other, and the primary'

export type BankTarget = KilledTarget | typeof severalMachines

/** How it is ended; PostgreSQL itself is always killed. */
export type EndSignal = 'SIGKILL' | 'SIGTERM'

/** How a server ended. */
export type Ended = { code: number | null; ms: number }

type Opened = { database: Database; owner: Owner; close: () => Promise<void> }

export type BankPlace = {
  readonly target: BankTarget
  readonly directory: string
  readonly server: Pick<TestServer, 'url' | 'anonKey' | 'start' | 'stop'>
  end(signal: EndSignal): Promise<Ended | null>
  /** Has it run again. */
  revive(): Promise<void>
  /** Past the server, with the owner's rights; on the embedded engine only while no server runs. */
  open(): Promise<Opened>
  close(): Promise<void>
}

/** Makes the place; nothing of it runs yet but a PostgreSQL. */
export function openBankPlace(target: KilledTarget): Promise<BankPlace> {
  return target === 'the server, embedded' ? embedded(target) : onPostgres(target)
}

async function embedded(target: KilledTarget): Promise<BankPlace> {
  const directory = await migratedDataDirectory()
  const server = await createOpenServer({ dataDir: directory.path })
  return {
    target,
    directory: directory.path,
    server,
    end: (signal) => server.stop(signal),
    revive: () => server.start(),
    async open() {
      const { database, owner } = await openPglite(join(directory.path, 'postgres'))
      return { database, owner, close: () => database.close() }
    },
    async close() {
      await server.stop('SIGKILL').catch(() => undefined)
      await directory.remove()
    },
  }
}

async function onPostgres(target: KilledTarget): Promise<BankPlace> {
  const directory = await temporaryDirectory()
  const cluster = await startCluster({ isDurable: true })
  const server = await createOpenServer({
    dataDir: directory.path,
    environment: { DATABASE_URL: cluster.ownerUrl },
  })
  const ownerUrl = new URL(cluster.url)
  ownerUrl.pathname = new URL(cluster.ownerUrl).pathname
  const isDatabase = target === 'PostgreSQL'
  return {
    target,
    directory: directory.path,
    server,
    async end(signal) {
      if (!isDatabase) return server.stop(signal)
      await cluster.kill()
      return null
    },
    revive: () => (isDatabase ? cluster.restart() : server.start()),
    async open() {
      const owner = await connectOwner(ownerUrl.href)
      const database = openPostgres({ url: ownerUrl.href, isPooled: false, listenUrl: null })
      return {
        database,
        owner,
        async close() {
          await database.close()
          await owner.close()
        },
      }
    },
    async close() {
      await server.stop('SIGKILL').catch(() => undefined)
      await cluster.stop()
      await directory.remove()
    },
  }
}
