/** The embedded engine's directory in `$DATA_DIR`. Only the engine version that created the directory may open it. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { closeTree } from '#data-directory/private-files.ts'
import { refuseMovedDirectory } from '#database/moved.ts'
import {
  DataDirectoryError,
  engineDirectoryOf,
  restoringDirectory,
  userName,
} from '#data-directory/data-directory.ts'
import { freeBytes, megabytes } from '#data-directory/disk-space.ts'
import { moveDurably, syncTree } from '#data-directory/durable-files.ts'
import { engineMajorVersion } from './parameters.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/**
 * Returns the directory of the engine's files, and creates it if it is missing. Throws `DataDirectoryError` if another
 * engine version created the files, and `BankMoved` if the bank was moved.
 */
export async function initialisedEngineDirectory(directory: string): Promise<string> {
  const engineDirectory = engineDirectoryOf(directory)
  const versionFile = join(engineDirectory, 'PG_VERSION')
  if (existsSync(versionFile)) {
    refuseMovedDirectory(directory)
    const version = readVersion(versionFile)
    if (!/^\d+$/.test(version)) {
      throw new DataDirectoryError(
        `${versionFile} está dañado: no dice ninguna versión de PostgreSQL. Restaura la última copia en un DATA_DIR nuevo: ` +
          'npm run restore -- ARCHIVO',
      )
    }
    if (version !== engineMajorVersion) {
      throw new DataDirectoryError(
        `${engineDirectory} es de PostgreSQL ${version}, y este servidor lleva el ${engineMajorVersion}. ` +
          'Con la versión de Finanzas que lo creó: npm run backup; con esta, en un DATA_DIR nuevo: npm run restore -- ARCHIVO',
      )
    }
    return engineDirectory
  }
  if (existsSync(engineDirectory)) {
    throw new DataDirectoryError(
      `${engineDirectory} no es una base de datos (le falta PG_VERSION). Muévelo a otro lugar y arranca otra vez.`,
    )
  }
  if (existsSync(restoringDirectory(directory))) {
    throw new DataDirectoryError(
      `Una restauración en ${directory} quedó a medias. Repite npm run restore -- ARCHIVO; ` +
        `o, para un banco nuevo y vacío, borra ${restoringDirectory(directory)}.`,
    )
  }
  await initialiseEngine(engineDirectory)
  return engineDirectory
}

/** Creates an empty database in a new directory. */
export function initialiseEngine(engineDirectory: string): Promise<void> {
  assertFreeSpace(dirname(engineDirectory))
  return makeWhole(engineDirectory, async (fresh) => {
    const template = engineTemplate()
    if (existsSync(template)) cpSync(template, fresh, { recursive: true, mode: constants.COPYFILE_FICLONE })
    else await makeEmpty(fresh)
    closeTree(fresh)
  })
}

/**
 * Returns the directory in which the installation keeps an empty database as a template. Copying the template takes a
 * tenth of the time that creating a database takes. The template contains no bank data, because no migration has run in
 * it. The template's files need the same protection as the code.
 */
function engineTemplate(): string {
  const packageFile = join(
    dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
    '../package.json',
  )
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  return fileURLToPath(new URL(`../../../.cache/engine/${version}`, import.meta.url))
}

/** Creates the template if it is missing, and deletes templates of other engine versions. */
export async function makeEngineTemplate(): Promise<void> {
  const template = engineTemplate()
  if (existsSync(template)) return
  rmSync(dirname(template), { recursive: true, force: true })
  mkdirSync(dirname(template), { recursive: true })
  await makeWhole(template, async (fresh) => {
    await makeEmpty(fresh)
    // Lets other users read the template, because the user who runs the server may not be the user who installed the
    // product.
    chmodSync(fresh, 0o755)
    for (const entry of readdirSync(fresh, { recursive: true, withFileTypes: true }))
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  })
}

/**
 * Creates a directory under a temporary name and then renames it, so that an interruption never leaves a partial
 * database.
 */
async function makeWhole(directory: string, fill: (fresh: string) => Promise<void>): Promise<void> {
  // Each attempt uses a new name, because a killed server may leave a process that still writes to the previous
  // directory.
  const beginning = `${directory}.new-`
  removeBeginnings(beginning)
  const fresh = `${beginning}${randomUUID()}`
  await fill(fresh).catch((error: unknown) => {
    throw cannotMake(directory, error)
  })
  syncTree(fresh)
  moveDurably(fresh, directory)
}

async function makeEmpty(directory: string): Promise<void> {
  const program = fileURLToPath(new URL('initialise.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [program, directory])
}

/**
 * Space that a new bank needs: the size of an empty bank, and the free space without which the server refuses writes.
 */
const newBankBytes = 128 * 1024 * 1024

/** Throws `DataDirectoryError` if the disk has too little free space for a new bank. */
export function assertFreeSpace(directory: string, neededBytes = newBankBytes): void {
  const free = freeBytes(directory)
  if (free >= neededBytes) return
  throw new DataDirectoryError(
    `El disco de ${directory} tiene ${megabytes(free)} MB libres; un banco nuevo necesita ${megabytes(neededBytes)} MB.`,
  )
}

function cannotMake(engineDirectory: string, error: unknown): DataDirectoryError {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  const said = printed.split('\n').find((line) => line.includes('Error')) ?? printed.trim()
  return new DataDirectoryError(`No se pudo crear la base de datos en ${engineDirectory}: ${said.trim()}`, {
    cause: error,
  })
}

function removeBeginnings(beginning: string): void {
  const names = readdirSync(dirname(beginning)).filter((name) => name.startsWith(basename(beginning)))
  for (const name of names) {
    try {
      rmSync(join(dirname(beginning), name), { recursive: true, force: true })
    } catch {
      // Another process is still writing to the directory. The next start removes the directory.
    }
  }
}

function readVersion(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new DataDirectoryError(
      `El usuario ${userName()} no puede leer ${path} (${errorCode(error) || String(error)}). Dale la carpeta de datos (chown).`,
      { cause: error },
    )
  }
}
