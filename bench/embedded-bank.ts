/** The bank on the embedded engine: one directory, of which everybody who answers gets a copy. */
import { cpSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { type Database, type Owner, type SqlStatement, sql } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { type BankSize, customerId, fillBank } from './customers.ts'
import { inlined } from './pgbench.ts'
import { type MeasuredServer, startMeasured, startProgram } from './server-process.ts'
import { jwtSecret } from './wire-request.ts'

export type EmbeddedBank = {
  readonly size: BankSize
  /** What somebody needs to know of the database itself. */
  readonly ask: <T>(question: (database: Database) => Promise<T>) => Promise<T>
  /** The product's server; the same one each time. */
  readonly server: () => Promise<MeasuredServer>
  /** Another one, which whoever starts it stops. */
  readonly freshServer: () => Promise<MeasuredServer>
  /** The peer on an engine of its own version, filled by the same SQL. */
  readonly lite: () => Promise<MeasuredServer>
  /** node:http and the engine, answering those batches by the number of their customer. */
  readonly bare: (batches: ReadonlyMap<number, SqlStatement[]>) => Promise<MeasuredServer>
  readonly close: () => Promise<void>
}

/** Makes the directory and fills it. */
export async function openEmbeddedBank(size: BankSize): Promise<EmbeddedBank> {
  const place = await mkdtemp(join(tmpdir(), 'finanzas-bench-'))
  const original = join(place, 'original')
  await makeEmbeddedDirectory(original, (owner) => fillBank(owner, size))

  const started = new Map<string, Promise<MeasuredServer>>()
  const once = (name: string, start: (directory: string) => Promise<MeasuredServer>) => {
    const directory = join(place, name)
    const running = started.get(name) ?? start(directory)
    started.set(name, running)
    return running
  }
  const copied = (directory: string) => {
    cpSync(original, directory, { recursive: true })
    return directory
  }
  return {
    size,
    async ask(question) {
      const { database } = await openPglite(await initialisedEngineDirectory(original))
      try {
        return await question(database)
      } finally {
        await database.close()
      }
    },
    server: () => once('server', (directory) => startMeasured({ DATA_DIR: copied(directory) })),
    freshServer: () => startMeasured({ DATA_DIR: copied(join(place, 'fresh')) }),
    lite: () =>
      once('lite', async (directory) => {
        const script = `${directory}.json`
        await writeFile(script, JSON.stringify(await scriptsOf(size)))
        return startProgram('bench/peers/lite.mjs', { jwtSecret, url: `file://${directory}`, script })
      }),
    bare: (batches) =>
      once('bare', async (directory) =>
        startProgram('bench/bare-embedded.ts', {
          directory: await initialisedEngineDirectory(copied(directory)),
          batches: JSON.stringify(
            Object.fromEntries([...batches].map(([number, batch]) => [customerId(number), batch])),
          ),
        }),
      ),
    async close() {
      for (const server of started.values()) await (await server).stop()
      await rm(place, { recursive: true, force: true })
    },
  }
}

/** A directory of the embedded engine with the product's schema and what `fill` puts into it. */
export async function makeEmbeddedDirectory(
  dataDir: string,
  fill: (owner: Owner) => Promise<void>,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  const { database, owner } = await openPglite(await initialisedEngineDirectory(dataDir))
  await migrate(owner)
  await fill(owner)
  await owner.query(sql`checkpoint`)
  await database.close()
}

/** Everything that makes a bank of an empty database, as text. */
async function scriptsOf(size: BankSize): Promise<string[]> {
  const scripts: string[] = []
  const recorder: Owner = {
    async script(text) {
      scripts.push(text)
    },
    async query(statement) {
      scripts.push(inlined(statement))
      return []
    },
    async close() {
      // Nothing was opened.
    },
  }
  await migrate(recorder)
  await fillBank(recorder, size)
  return scripts
}
