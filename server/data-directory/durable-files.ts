/** Files whose names and contents survive a power cut. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Renames a directory so that its new name survives a power cut. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

/**
 * Flushes a directory and everything below it to the disk. Call this function before `moveDurably`, so that a power cut
 * cannot leave the new name with old or missing contents.
 */
export function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncPath(path)
  }
  syncPath(directory)
}

/** Flushes a file's contents or a directory's entries to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
