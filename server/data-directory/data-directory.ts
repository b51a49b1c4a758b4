/** `$DATA_DIR`: the embedded database, secrets, backups, outbox. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { CannotClose, closeToOthers, closeTree } from './private-files.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'

/** The reason why a data directory cannot be used, as a sentence for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Reads a file that its owner alone may read. Throws `DataDirectoryError` where others may. */
export function readPrivateFile(path: string): string {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new DataDirectoryError(`Otros usuarios pueden leer ${path}. Ejecuta: chmod 600 ${path}`)
  return readFileSync(path, 'utf8')
}

/** Directories of ours in it; `postgres` is also how those of unfinished banks and copies begin. */
const ownDirectories = /^(?:postgres(?:\..+)?|backups|outbox)$/

/**
 * Makes the directory, or takes an existing one, and closes it and our files in it to other users. Throws
 * `DataDirectoryError` when it cannot be used.
 */
export function prepareDirectory(directory: string): void {
  try {
    makeDirectory(directory)
    closeDirectory(directory)
    const probe = join(directory, `.probe-${process.pid}`)
    closeSync(openSync(probe, 'w', 0o600))
    rmSync(probe)
  } catch (error) {
    throw error instanceof DataDirectoryError ? error : cannotUse(directory, error)
  }
}

/** Not `recursive`: below /proc Node tries the same again for ever. */
function makeDirectory(directory: string): void {
  const missing: string[] = []
  for (let path = directory; !existsSync(path); path = dirname(path)) missing.push(path)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      // Another server that starts made it a moment ago.
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  if (!statSync(directory).isDirectory())
    throw new DataDirectoryError(`DATA_DIR ${directory} es un archivo, no una carpeta. Elige una carpeta.`)
}

/** Other files stay as they are, below a directory that no other user can enter. */
function closeDirectory(directory: string): void {
  if ((statSync(directory).mode & stickyBit) !== 0) {
    throw new DataDirectoryError(
      `DATA_DIR ${directory} es una carpeta que comparten todos los usuarios. Elige una carpeta dentro de ella.`,
    )
  }
  try {
    closeToOthers(realpathSync(directory))
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (entry.isFile()) closeFile(path)
      if (ownDirectories.test(entry.name)) closeOwn(path)
    }
  } catch (error) {
    if (!(error instanceof CannotClose)) throw error
    throw new DataDirectoryError(
      `${error.path} está abierto a otros usuarios (modo ${error.mode}) y este no puede cerrarlo (${errorCode(error.cause) || String(error.cause)}). ` +
        `Ejecuta: chown -R ${userName()} ${directory}`,
      { cause: error },
    )
  }
}

/** A link of ours may lead to another disk of the operator's; files there are closed as well. */
function closeOwn(path: string): void {
  // A link that leads nowhere yet.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) closeTree(realpathSync(path))
}

function closeFile(path: string): void {
  // Keys that others could read are refused where they are read: they may have leaked.
  if (keyFiles.has(basename(path))) return
  try {
    closeToOthers(path)
  } catch (error) {
    // The operator's own, such as a backup to restore: the directory is closed.
    if (!(error instanceof CannotClose)) throw error
  }
}

const stickyBit = 0o1000
const keyFiles: ReadonlySet<string> = new Set(['secrets.json', 'signing-key.pem'])

export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container's user may have no name.
    return String(process.getuid?.() ?? '')
  }
}

/** Why the directory cannot be used, in a sentence. */
export function cannotUse(directory: string, error: unknown): DataDirectoryError {
  const code = errorCode(error) || String(error)
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: `DATA_DIR ${directory} no se puede crear ahí (ENOENT). Elige otra carpeta.`,
    ENOTDIR: `DATA_DIR ${directory} pasa por un archivo como si fuera una carpeta. Elige otra.`,
    ENOSPC: `El disco de DATA_DIR ${directory} está lleno.`,
    EDQUOT: `El usuario del servidor no puede ocupar más disco en DATA_DIR ${directory} (EDQUOT).`,
    EROFS: `DATA_DIR ${directory} está en un disco de solo lectura (EROFS). Elige otra carpeta.`,
  }
  const sentence =
    sentences[code] ??
    `El usuario ${userName()} no puede escribir en DATA_DIR ${directory} (${code}). Dale la carpeta (chown), o elige otra.`
  return new DataDirectoryError(sentence, { cause: error })
}

/** Where the engine keeps its files, whether they are there or not. */
export function engineDirectoryOf(directory: string): string {
  return join(directory, 'postgres')
}

/** In which a bank grows until it is whole: its presence keeps a server from starting on an empty one. */
export function restoringDirectory(directory: string): string {
  return `${engineDirectoryOf(directory)}.restoring`
}
