/** A backup must never be what fills the disk: the bank that it is of would stand still. */
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefused } from './refusal.ts'

/** Room that is left to the bank itself: its log grows to this before it is recycled. */
const reserveBytes = 128 * 1024 * 1024

/** Throws `BackupRefused` unless a copy of the directory, the backup and the reserve all fit. */
export async function refuseWithoutSpace(directory: string, place: string): Promise<void> {
  const { bavail, bsize } = await statfs(place)
  const needed = 2 * (await bytesIn(directory)) + reserveBytes
  if (bavail * bsize >= needed) return
  throw new BackupRefused(
    `No hay espacio para una copia de seguridad: el disco de ${place} tiene ${megabytes(bavail * bsize)} MB libres y se necesitan ${megabytes(needed)} MB.`,
  )
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    // The engine removes files of its own at any time.
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  }
  return bytes
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
