/** Makes a backup every so often, by the clock and not by the start of the server, and removes old ones. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupReport, type Backups, backupsDirectory } from './backups.ts'

/** The backups that stay: the newest `newest`, and the last one of each of the newest `days` days (UTC). */
export type Keep = { readonly newest: number; readonly days: number }

/** The moments of the regular backups that are there, newest first. */
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

/** Removes what need not stay, and returns the names. Called only after a new one is complete. */
async function removeOld(directory: string, keep: Keep): Promise<string[]> {
  const superfluous = superfluousAmong(readBackups(directory), keep)
  for (const { name } of superfluous) await rm(join(directory, name), { force: true })
  return superfluous.map(({ name }) => name)
}

/** Returns the backups to delete; `backups` come newest first. */
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

/** A server that has just started has other things to do. */
const settleMs = 60_000

/**
 * Makes one when the last is `intervalMs` old, and removes old ones once it is complete, until the answer is
 * called. A failed one is reported, and retried after the interval.
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

/** Delay of the first backup when the last one was made at `last`. */
export function firstWaitMs(last: number, intervalMs: number, now: number): number {
  return Math.max(Math.min(last + intervalMs - now, intervalMs), Math.min(settleMs, intervalMs))
}

/** Time of the last backup, or of the bank's creation before the first one. */
function lastMoment(directory: string, dataDir: string): number {
  const [last] = readBackups(directory)
  if (last !== undefined) return last.takenAt.getTime()
  return statSync(join(dataDir, 'postgres', 'PG_VERSION'), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
}
