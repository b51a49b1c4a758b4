/** Which regular backups stay: the newest ones, and one of each of the last days. */
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** How many stay: the newest `newest`, and the last one of each of the newest `days` days (UTC). */
export type Keep = { readonly newest: number; readonly days: number }

/** Where the regular ones are. */
export function backupsDirectory(dataDir: string): string {
  return join(dataDir, 'backups')
}

/** A name that tells the moment, and sorts by it. */
export function backupName(moment: Date): string {
  return `finanzas-${moment.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.backup`
}

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

/** Removes what need not stay, and answers the names. Called only after a new one is complete. */
export async function removeOld(directory: string, keep: Keep): Promise<string[]> {
  const superfluous = superfluousAmong(readBackups(directory), keep)
  for (const { name } of superfluous) await rm(join(directory, name), { force: true })
  return superfluous.map(({ name }) => name)
}

/** Those that need not stay; `backups` newest first. */
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
