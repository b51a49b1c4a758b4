/** Banks in places of their own, for tests and measurements of what moves whole banks; no test runner needed. */
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackupSource } from '#server/backup/backups.ts'
import { type Contents, type PartHeading, beginSnapshot, readContents } from '#server/backup/contents.ts'
import type { RestoreTarget } from '#server/backup/restore.ts'
import { engineDirectoryOf } from '#server/database/pglite/data-directory.ts'
import { initialiseEngine } from '#server/database/pglite/engine-directory.ts'
import type { Owner, Row } from '#server/database/database.ts'
import { type Prefix, migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'
import { migratePostgres } from '#server/database/postgres/prepare.ts'

/** A bank that is open; closing it leaves it where it is. */
export type PlacedBank = { readonly owner: Owner; readonly source: BackupSource; close(): Promise<void> }

/** Where banks of one engine can be. */
export type Places = {
  readonly engine: 'pglite' | 'postgres'
  /** For files. */
  readonly directory: string
  emptyPlace(): Promise<RestoreTarget>
  /** Opens what is in a place, as it is. */
  open(place: RestoreTarget): Promise<PlacedBank>
  /** A migrated bank without users; with `only`, of an older release. */
  newBank(only?: Prefix): Promise<PlacedBank>
  removeAll(): Promise<void>
}

/** Places of the embedded engine; the empty engine is made once. */
export async function embeddedPlaces(): Promise<Places> {
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-places-'))
  const template = join(directory, 'template')
  await initialiseEngine(template)
  const emptyPlace = async () => {
    const dataDir = join(directory, randomUUID())
    await mkdir(dataDir)
    return { engine: 'pglite', dataDir } as const
  }
  const open = async (place: RestoreTarget) => {
    if (place.engine !== 'pglite') throw new TypeError('A place of the other engine.')
    const engineDirectory = engineDirectoryOf(place.dataDir)
    const { database, owner, copyTo } = await openPglite(engineDirectory)
    const source = { engine: 'pglite', directory: engineDirectory, copyTo } as const
    return { owner, source, close: () => database.close() }
  }
  return {
    engine: 'pglite',
    directory,
    emptyPlace,
    open,
    async newBank(only) {
      const place = await emptyPlace()
      await cp(template, engineDirectoryOf(place.dataDir), { recursive: true })
      const bank = await open(place)
      await migrate(bank.owner, only)
      return bank
    },
    removeAll: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Places on a PostgreSQL cluster, each a database of its own; they go with the cluster. */
export async function postgresPlaces(ownerUrl: string): Promise<Places> {
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-places-'))
  const emptyPlace = async () => {
    const name = `bank_${randomUUID().replaceAll('-', '')}`
    const maintenance = await connectOwner(ownerUrl)
    await maintenance.script(`create database ${name}`)
    await maintenance.close()
    const url = new URL(ownerUrl)
    url.pathname = `/${name}`
    return { engine: 'postgres', url: url.href, directUrl: null, allowSuperuser: false } as const
  }
  const open = async (place: RestoreTarget) => {
    if (place.engine !== 'postgres') throw new TypeError('A place of the other engine.')
    const owner = await connectOwner(place.url)
    const source = { engine: 'postgres', ownerUrl: place.url } as const
    return { owner, source, close: () => owner.close() }
  }
  return {
    engine: 'postgres',
    directory,
    emptyPlace,
    open,
    async newBank(only) {
      const bank = await open(await emptyPlace())
      await migratePostgres(bank.owner, only)
      return bank
    },
    removeAll: () => rm(directory, { recursive: true, force: true }),
  }
}

/** What a bank holds at this moment. */
export async function contentsOf({ owner, source }: PlacedBank): Promise<Contents> {
  await beginSnapshot(owner, source.engine)
  const contents = await readContents(owner, () => Promise.resolve())
  await owner.script('commit')
  return contents
}

/** Every row of every table, value by value; only for banks that are small. */
export async function rowsOf({ owner, source }: PlacedBank): Promise<Record<string, Row[]>> {
  let text = ''
  await beginSnapshot(owner, source.engine)
  await readContents(owner, async (more) => void (text += more))
  await owner.script('commit')
  const tables: Record<string, Row[]> = {}
  let rows: Row[] = []
  let columns: readonly string[] = []
  for (const line of text.trimEnd().split('\n')) {
    const read = JSON.parse(line) as PartHeading | unknown[]
    if (Array.isArray(read)) rows.push(Object.fromEntries(columns.map((name, index) => [name, read[index]])))
    else if ('table' in read) tables[read.table] = rows = []
    else rows = []
    if ('columns' in read) columns = read.columns
  }
  return tables
}
