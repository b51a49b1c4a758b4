/** `$DATA_DIR`, the directory for the embedded database, the secrets, the backups and the outbox. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { CannotClose, closeToOthers, closeTree } from './private-files.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/** A data directory was refused. The operator sees the message. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/**
 * Name of the file that contains the API keys and the key that signs tokens. The file does not exist if `JWT_SECRET` is
 * set.
 */
export const secretsFile = 'secrets.json'
/** Name of the file with the key that signs backups. The server does not write it when `BACKUP_SIGNING_KEY` is set. */
export const signingKeyFile = 'signing-key.pem'

/** Reads a file that only its owner may read. Throws `DataDirectoryError` if other users may read the file. */
export function readPrivateFile(path: string): Buffer {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new DataDirectoryError(`Otros usuarios pueden leer ${path}. Ejecuta: chmod 600 ${path}`)
  return readFileSync(path)
}

/**
 * The server's own directories in the data directory. The name of a directory for an unfinished or copied engine also
 * begins with `postgres`.
 */
const ownDirectories = /^(?:postgres(?:\..+)?|backups|outbox)$/

/**
 * Creates the directory if it is missing, and denies other users access to the directory and to the server's files in
 * it. Returns a function that removes the created directories again if they are empty; call it after a later step was
 * refused. Throws `DataDirectoryError` when the directory cannot be used.
 */
export function prepareDirectory(directory: string): () => void {
  try {
    const made = makeDirectory(directory)
    closeDirectory(directory)
    const probe = join(directory, `.probe-${process.pid}`)
    closeSync(openSync(probe, 'w', 0o600))
    rmSync(probe)
    return () => removeEmpty(made)
  } catch (error) {
    throw error instanceof DataDirectoryError ? error : cannotUse(directory, error)
  }
}

/**
 * Creates missing directories one by one, because Node's `recursive` retries forever below /proc. Returns these
 * directories, the innermost first.
 */
function makeDirectory(directory: string): string[] {
  const missing: string[] = []
  for (let path = directory; !existsSync(path); path = dirname(path)) missing.push(path)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      // Another server that is starting may create the same directory at the same time.
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  if (!statSync(directory).isDirectory())
    throw new DataDirectoryError(`DATA_DIR ${directory} es un archivo, no una carpeta. Elige una carpeta.`)
  return missing
}

function removeEmpty(directories: readonly string[]): void {
  for (const directory of directories) {
    try {
      rmdirSync(directory)
    } catch {
      // The directory is no longer empty, or another process has removed it.
      return
    }
  }
}

/**
 * Denies other users access to the directory and to the server's files in it. Other files keep their modes, because
 * other users cannot enter the directory that contains them.
 */
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

/**
 * Denies other users access to one of the server's own directories, even if that directory is a link to another disk.
 */
function closeOwn(path: string): void {
  // The target of the link may not exist yet.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) closeTree(realpathSync(path))
}

function closeFile(path: string): void {
  // Does not change the mode of a key file that other users can read: the key may have leaked, and the server refuses
  // to use it.
  if (keyFiles.has(basename(path))) return
  try {
    closeToOthers(path)
  } catch (error) {
    // The operator may have put the file here, for example a backup to restore. The directory's own mode protects the
    // file.
    if (!(error instanceof CannotClose)) throw error
  }
}

const stickyBit = 0o1000
const keyFiles: ReadonlySet<string> = new Set([secretsFile, signingKeyFile])

export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // The user that runs a container may have no name.
    return String(process.getuid?.() ?? '')
  }
}

/** Returns an error that explains why the directory cannot be used. */
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

/** Returns the path of the directory for the engine's files. The directory may not exist yet. */
export function engineDirectoryOf(directory: string): string {
  return join(directory, 'postgres')
}

/**
 * Returns the directory in which a restore builds the bank. While this directory exists, servers refuse to start with
 * an empty bank.
 */
export function restoringDirectory(directory: string): string {
  return `${engineDirectoryOf(directory)}.restoring`
}
