/** Rounds of backup and restore that a test runs a few of and `npm run nightly` many; no test runner needed. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Backups, type BackupReport, type BackupSource } from '#server/backup/backups.ts'
import { differences } from '#server/backup/load.ts'
import { BackupRefused } from '#server/backup/manifest.ts'
import { type RestoreTarget, restoreBackup } from '#server/backup/restore.ts'
import { type Places, contentsOf } from './bank-places.ts'
import { fillEvenly, fillRandomly, seeded } from './random-bank.ts'

const { privateKey: signingKey } = generateKeyPairSync('ed25519')

/** Saves a bank into a file of the places' directory. */
export async function backUp(places: Places, source: BackupSource): Promise<BackupReport> {
  const backups = new Backups({ dataDir: places.directory, source, signingKey })
  return backups.make(join(places.directory, `${randomUUID()}.backup`))
}

/**
 * A random bank of `from`, saved, restored in `to` and compared: answers the names of the parts in which the
 * two differ, and how much was compared.
 */
export async function roundTrip(
  from: Places,
  to: Places,
  seed: number,
): Promise<{ differing: string[]; rows: number }> {
  const bank = await from.newBank()
  await fillRandomly(bank.owner, seed)
  const before = await contentsOf(bank)
  const { file, rows } = await backUp(from, bank.source)
  await bank.close()
  const place = await to.emptyPlace()
  await restoreBackup(place, file, { signedBy: null })
  const restored = await to.open(place)
  const after = await contentsOf(restored)
  await restored.close()
  await rm(file)
  return { differing: differences(before, after), rows }
}

/** How long a bank of so many transactions takes, in seconds; `waiting` is how long requests waited for the copy. */
export async function timeRoundTrip(
  from: Places,
  to: Places,
  transactions: number,
): Promise<{ rows: number; bytes: number; backup: number; waiting: number; restore: number }> {
  const bank = await from.newBank()
  await fillEvenly(bank.owner, transactions)
  let waiting = 0
  const { source } = bank
  const timed: BackupSource =
    source.engine === 'postgres' || source.copyTo === null
      ? source
      : { ...source, copyTo: async (copy) => void (waiting = await seconds(() => source.copyTo?.(copy))) }
  const report = await backUp(from, timed)
  await bank.close()
  const place = await to.emptyPlace()
  const restore = await seconds(() => restoreBackup(place, report.file, { signedBy: null }))
  await rm(report.file)
  return { rows: report.rows, bytes: report.bytes, backup: report.seconds, waiting, restore }
}

async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Ways to damage a file: a bit, a byte, the end, the beginning, two places exchanged, a piece twice or lost. */
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
 * Tries to restore `count` damaged copies of one backup into one place; answers the seeds of those that were
 * not refused. Then restores the whole one there, which throws if anything had been written.
 */
export async function restoreDamaged(
  places: Places,
  file: string,
  { count, seed }: { count: number; seed: number },
): Promise<number[]> {
  const bytes = await readFile(file)
  const place = await places.emptyPlace()
  const path = join(places.directory, `${randomUUID()}.damaged`)
  const accepted: number[] = []
  for (let round = seed; round < seed + count; round += 1) {
    const random = seeded(round)
    // One in three at the very beginning: fields of gzip's header that no checksum of gzip's covers.
    const position = () => Math.floor(random() * (random() < 1 / 3 ? 10 : bytes.length))
    const damage = damages[round % damages.length] ?? ((same: Buffer) => same)
    const damaged = damage(bytes, position(), position())
    if (damaged.equals(bytes)) continue
    await writeFile(path, damaged)
    if (!(await isRefused(place, path))) accepted.push(round)
  }
  await rm(path)
  await restoreBackup(place, file, { signedBy: null })
  return accepted
}

async function isRefused(place: RestoreTarget, path: string): Promise<boolean> {
  try {
    await restoreBackup(place, path, { signedBy: null })
    return false
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error
    return true
  }
}
