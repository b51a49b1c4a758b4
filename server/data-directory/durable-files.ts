/** Files whose names and contents survive a power cut. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Gives a directory its name, and sees to it that the name survives a power cut. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

/** Forces a directory and everything below it to the disk: a name that survives a power cut needs content that does. */
export function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncPath(path)
  }
  syncPath(directory)
}

/** Forces a file, or a directory's names, to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
