/**
 * Creates banks that tests fill, back up, move and restore. This file must work without a test runner, because
 * `npm run nightly` uses it too.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupReport, type BackupSource, Backups } from '#server/backup/backups.ts'
import { type Contents, type PartHeading, beginSnapshot, readContents } from '#server/backup/contents.ts'
import { differences } from '#server/backup/load.ts'
import { migrateEngine } from '#server/backup/migrate-engine.ts'
import { BackupRefused } from '#server/backup/manifest.ts'
import { type RestoreTarget, restoreBackup } from '#server/backup/restore.ts'
import type { Owner, Row } from '#server/database/database.ts'
import { engineDirectoryOf } from '#server/data-directory/data-directory.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'
import { migratePostgres } from '#server/database/postgres/prepare.ts'
import type { TemplateCluster } from '#testing/cluster-databases.ts'
import { temporaryDirectory } from '#testing/data-directory.ts'
import { type Place, createPlace } from '#testing/place.ts'
import { fillRandomly, seeded } from './random-bank.ts'

/** An open bank. `close` does not delete the bank. */
export type OpenBank = {
  readonly owner: Owner
  readonly source: BackupSource
  readonly target: RestoreTarget
  close(): Promise<void>
}

export type Banks = {
  readonly engine: 'pglite' | 'postgres'
  /** Directory for backups and other temporary files. */
  readonly directory: string
  /** Creates an empty restore target. */
  emptyTarget(): Promise<RestoreTarget>
  /** Creates a migrated bank without users. */
  newBank(): Promise<OpenBank>
  removeAll(): Promise<void>
}

/** Provides banks in a PostgreSQL cluster, each in its own database, or on the embedded engine without a cluster. */
export async function banksOn(cluster: TemplateCluster | null): Promise<Banks> {
  const engine = cluster === null ? 'pglite' : 'postgres'
  const { path: directory, remove } = await temporaryDirectory()
  const places: Place[] = []
  const createTarget = async (template?: string | null) => {
    const place = await createPlace(engine, { cluster, template })
    places.push(place)
    return targetOf(place)
  }
  const emptyTarget = () => createTarget(null)
  // The cluster's own database also has a serving login, which a backup does not contain.
  const createTemplate = async ({ ownerUrl }: TemplateCluster) => {
    const target = await emptyTarget()
    const owner = await connectOwner(target.engine === 'postgres' ? target.url : ownerUrl)
    await migratePostgres(owner)
    await owner.close()
    return target.engine === 'postgres' ? new URL(target.url).pathname.slice(1) : ''
  }
  let template: Promise<string> | null = null
  return {
    engine,
    directory,
    emptyTarget,
    async newBank() {
      if (cluster === null) return openBank(await createTarget())
      template ??= createTemplate(cluster)
      return openBank(await createTarget(await template))
    },
    async removeAll() {
      for (const place of places) await place.remove()
      await remove()
    },
  }
}

function targetOf({ dataDir, cluster }: Place): RestoreTarget {
  if (cluster === null) return { engine: 'pglite', dataDir }
  return { engine: 'postgres', url: cluster.ownerUrl, directUrl: null, allowSuperuser: false }
}

/** Opens a bank without migrating it. */
export async function openBank(target: RestoreTarget): Promise<OpenBank> {
  if (target.engine === 'postgres') {
    const owner = await connectOwner(target.url)
    const source = { engine: 'postgres', ownerUrl: target.url } as const
    return { owner, source, target, close: () => owner.close() }
  }
  const directory = engineDirectoryOf(target.dataDir)
  const { database, owner, copyTo } = await openPglite(directory)
  return { owner, source: { engine: 'pglite', directory, copyTo }, target, close: () => database.close() }
}

/** Reads the content of a bank in the same way as a backup, and passes each line to `take`. */
async function contentsOf(
  { owner, source }: OpenBank,
  take: (text: string) => void = () => undefined,
): Promise<Contents> {
  await beginSnapshot(owner, source.engine)
  const contents = await readContents(owner, async (text) => take(text))
  await owner.script('commit')
  return contents
}

/** Returns every row of every table. The whole bank must fit in memory. */
export async function rowsOf(bank: OpenBank): Promise<Record<string, Row[]>> {
  let text = ''
  await contentsOf(bank, (more) => (text += more))
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

const { privateKey: signingKey } = generateKeyPairSync('ed25519')

/** Backs up a bank to a file in the directory of `banks`. */
export async function backUp(banks: Banks, source: BackupSource): Promise<BackupReport> {
  const backups = new Backups({ dataDir: banks.directory, source, signingKey })
  return backups.make(join(banks.directory, `${randomUUID()}.backup`))
}

/** Moves a closed bank to an empty target on the same engine. */
export async function move(banks: Banks, here: RestoreTarget): Promise<RestoreTarget> {
  const source: BackupSource =
    here.engine === 'pglite'
      ? { engine: 'pglite', directory: engineDirectoryOf(here.dataDir), copyTo: null }
      : { engine: 'postgres', ownerUrl: here.url }
  const backups = new Backups({ dataDir: banks.directory, source, signingKey })
  const there = await banks.emptyTarget()
  await migrateEngine(source, there, { backups, putSecrets: () => undefined })
  return there
}

/**
 * Creates a random bank with `from.newBank`, backs it up, and restores the backup to a target of `to`. Returns the
 * names of the parts that differ, and the number of rows in the backup.
 */
export async function roundTrip(
  from: Banks,
  to: Banks,
  seed: number,
): Promise<{ differing: string[]; rows: number }> {
  const bank = await from.newBank()
  await fillRandomly(bank.owner, seed)
  const before = await contentsOf(bank)
  const { file, rows } = await backUp(from, bank.source)
  await bank.close()
  const target = await to.emptyTarget()
  await restoreBackup(target, file, { signedBy: null })
  const restored = await openBank(target)
  const after = await contentsOf(restored)
  await restored.close()
  await rm(file)
  return { differing: differences(before, after), rows }
}

/**
 * Functions that damage a file: flip a bit, cut off the end or the beginning, remove a byte, repeat or swap bytes,
 * or append a byte.
 */
const damages: readonly ((bytes: Buffer, at: number, other: number) => Buffer)[] = [
  (bytes, at, other) => {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (other % 8)), at)
    return damaged
  },
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) => bytes.subarray(at + 1),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  (bytes, at, other) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(other % 64, 64), bytes.subarray(at)]),
  (bytes, at, other) => {
    const damaged = Buffer.from(bytes)
    const size = Math.min(32, Math.abs(at - other), bytes.length - Math.max(at, other))
    bytes.copy(damaged, at, other, other + size)
    bytes.copy(damaged, other, at, at + size)
    return damaged
  },
  (bytes) => Buffer.concat([bytes, Buffer.from('\n')]),
]

/**
 * Tries to restore `count` damaged copies of a backup to one target, and returns the seeds of the copies that were not
 * refused. Then restores the undamaged backup to the same target. The last restore throws an error if a refused restore
 * has written anything.
 */
export async function restoreDamaged(
  banks: Banks,
  file: string,
  { count, seed }: { count: number; seed: number },
): Promise<number[]> {
  const bytes = await readFile(file)
  const target = await banks.emptyTarget()
  const path = join(banks.directory, `${randomUUID()}.damaged`)
  const accepted: number[] = []
  for (let round = seed; round < seed + count; round += 1) {
    const random = seeded(round)
    // A third of the positions are in the gzip header, because gzip's checksum does not cover it.
    const position = () => Math.floor(random() * (random() < 1 / 3 ? 10 : bytes.length))
    const damage = damages[round % damages.length] ?? ((same: Buffer) => same)
    const damaged = damage(bytes, position(), position())
    if (damaged.equals(bytes)) continue
    await writeFile(path, damaged)
    if (!(await isRefused(target, path))) accepted.push(round)
  }
  await rm(path)
  await restoreBackup(target, file, { signedBy: null })
  return accepted
}

async function isRefused(target: RestoreTarget, path: string): Promise<boolean> {
  try {
    await restoreBackup(target, path, { signedBy: null })
    return false
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error
    return true
  }
}
