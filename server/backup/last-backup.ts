/**
 * Stores the time of the last backup in the data directory, wherever the backup itself was written. The time is stored
 * in a file, because a backup must not change the database.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

const fileOf = (dataDir: string) => join(dataDir, 'last-backup.txt')

/** `takenAt` is ISO 8601. */
export function noteBackup(dataDir: string, takenAt: string): void {
  writeFileSync(fileOf(dataDir), `${takenAt}\n`, { mode: 0o600 })
}

/** Returns the recorded time, or `null` before the first backup. */
export function readNote(dataDir: string): Date | null {
  try {
    const noted = new Date(readFileSync(fileOf(dataDir), 'utf8').trim())
    return Number.isNaN(noted.getTime()) ? null : noted
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
