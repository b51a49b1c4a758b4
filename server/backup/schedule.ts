/**
 * Makes backups at a fixed interval and removes old backups. A restart of the server does not postpone the next backup.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupReport, type Backups, backupsDirectory } from './backups.ts'
import { readNote } from './last-backup.ts'

/**
 * Backups to keep: the `newest` most recent backups, and also the last backup of each of the `days` most recent days
 * (UTC) on which a backup was made.
 */
export type Keep = { readonly newest: number; readonly days: number }

/** Returns the scheduled backups in the directory, newest first. */
export function readBackups(directory: string): { name: string; takenAt: Date }[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .flatMap((name) => {
      const [, day, time] = /^finanzas-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)Z\.backup$/.exec(name) ?? []
      if (day === undefined || time === undefined) return []
      return [{ name, takenAt: new Date(`${day}T${time.replaceAll('-', ':')}Z`) }]
    })
    .toSorted((a, b) => b.takenAt.getTime() - a.takenAt.getTime())
}

/** Returns the time of the last backup, wherever it was written; `null` before the first backup. */
export function lastBackupAt(dataDir: string): Date | null {
  const [regular] = readBackups(backupsDirectory(dataDir))
  const noted = readNote(dataDir)
  if (regular === undefined || noted === null) return noted ?? regular?.takenAt ?? null
  return noted > regular.takenAt ? noted : regular.takenAt
}

/** Removes superfluous backups and returns their names. Call this function only after a new backup is complete. */
async function removeOld(directory: string, keep: Keep): Promise<string[]> {
  const superfluous = superfluousAmong(readBackups(directory), keep)
  for (const { name } of superfluous) await rm(join(directory, name), { force: true })
  return superfluous.map(({ name }) => name)
}

/** Returns the backups to delete. `backups` must be sorted from newest to oldest. */
export function superfluousAmong<T extends { readonly takenAt: Date }>(
  backups: readonly T[],
  { newest, days }: Keep,
): T[] {
  const lastOfDay = new Map<string, T>()
  for (const backup of backups) {
    const day = backup.takenAt.toISOString().slice(0, 10)
    if (!lastOfDay.has(day)) lastOfDay.set(day, backup)
  }
  const kept = new Set([...backups.slice(0, newest), ...[...lastOfDay.values()].slice(0, days)])
  return backups.filter((backup) => !kept.has(backup))
}

/** Minimum time between the start of the server and the first backup. The server is busy during its start. */
const settleMs = 60_000

/**
 * Makes a backup whenever the last backup is `intervalMs` old, and then removes superfluous backups. If a backup fails,
 * calls `onFailure` and tries again after `intervalMs`. Returns a function that ends the schedule.
 */
export function scheduleBackups(
  backups: Pick<Backups, 'make'>,
  options: {
    readonly dataDir: string
    readonly intervalMs: number
    readonly keep: Keep
    readonly onMade: (report: BackupReport, removed: readonly string[]) => void
    readonly onFailure: (error: unknown) => void
  },
): () => void {
  const directory = backupsDirectory(options.dataDir)
  let timer: NodeJS.Timeout
  const make = async () => {
    const report = await backups.make(null)
    options.onMade(report, await removeOld(directory, options.keep))
  }
  const makeAfter = (waitMs: number) => {
    timer = setTimeout(() => {
      void make()
        .catch(options.onFailure)
        .finally(() => makeAfter(options.intervalMs))
    }, waitMs).unref()
  }
  makeAfter(firstWaitMs(lastMoment(directory, options.dataDir), options.intervalMs, Date.now()))
  return () => clearTimeout(timer)
}

/** Returns the time that a starting server waits before its first backup. `last` is the time of the last backup. */
export function firstWaitMs(last: number, intervalMs: number, now: number): number {
  return Math.max(Math.min(last + intervalMs - now, intervalMs), Math.min(settleMs, intervalMs))
}

/** Returns the time of the last backup, or the time at which the bank was created if it has no backup yet. */
function lastMoment(directory: string, dataDir: string): number {
  const [last] = readBackups(directory)
  if (last !== undefined) return last.takenAt.getTime()
  return statSync(join(dataDir, 'postgres', 'PG_VERSION'), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
}
