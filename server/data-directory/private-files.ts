/**
 * Creates files that only the server's own user may read (docs/security.md SE-10), and removes other users' access to
 * files that an older release left readable.
 */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/** Permission bits for the group and for other users. */
const othersBits = 0o077

/** Sets the umask of this process and its children. Every program calls this function first. */
export function keepFilesPrivate(): void {
  process.umask(othersBits)
}

export class CannotClose extends Error {
  override readonly name = 'CannotClose'
  readonly path: string
  readonly mode: string

  constructor(path: string, mode: number, cause: unknown) {
    super(`${path} cannot be closed to others.`, { cause })
    this.path = path
    this.mode = (mode & 0o777).toString(8)
  }
}

/**
 * Removes other users' permissions from one file or directory; ignores links and missing files. Throws `CannotClose`.
 */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32') return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isSymbolicLink() || (found.mode & othersBits) === 0) return
  try {
    chmodSync(path, found.mode & 0o7777 & ~othersBits)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw new CannotClose(path, found.mode, error)
  }
}

/** Removes other users' permissions from a directory and everything below it. Throws `CannotClose`. */
export function closeTree(directory: string): void {
  closeToOthers(directory)
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) closeTree(path)
    else closeToOthers(path)
  }
}

/**
 * Writes a file atomically. Changes nothing if the file already exists, for example because another process has written
 * it.
 */
export function createPrivateFile(path: string, content: string | Buffer): void {
  const partial = `${path}.${randomUUID()}.part`
  try {
    writeFileSync(partial, content, { mode: 0o600, flag: 'wx', flush: true })
    link(partial, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(partial, { force: true })
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    // Some network file systems do not support links. On these file systems, a crash may leave a partially written
    // file.
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}
