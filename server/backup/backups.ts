/** Makes backups, one at a time, for the operator's command and for the schedule. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freeBytes, megabytes } from '#data-directory/disk-space.ts'
import { noteBackup } from './last-backup.ts'
import { BackupRefused, type Manifest } from './manifest.ts'
import { fingerprintOf } from './signing-key.ts'

/** `copyTo` copies the files of a running embedded engine, and is `null` when the engine is not running. */
export type BackupSource =
  | { readonly engine: 'postgres'; readonly ownerUrl: string }
  | {
      readonly engine: 'pglite'
      readonly directory: string
      readonly copyTo: ((directory: string) => Promise<void>) | null
    }

/** Input of the process that writes the backup. */
export type WriteJob = {
  readonly source:
    | { readonly engine: 'pglite'; readonly directory: string }
    | { readonly engine: 'postgres'; readonly ownerUrl: string }
  /** Absolute path of the backup file. */
  readonly to: string
  readonly release: string
  /** Time at which the contents were captured; `null` means the time at which the process reads them. */
  readonly takenAt: string | null
  /** PKCS 8, PEM. */
  readonly signingKey: string
}

export type BackupReport = {
  readonly file: string
  readonly bytes: number
  /** ISO 8601, UTC. */
  readonly takenAt: string
  readonly tables: number
  readonly rows: number
  /** Hash of the contents. */
  readonly sha256: string
  /** Fingerprint of the key that signed the backup. */
  readonly signedBy: string
  readonly seconds: number
}

/**
 * Returns the temporary name of a file that is still being written. A file with this name remains only if the process
 * that wrote it was killed.
 */
export function unfinishedName(path: string): string {
  return join(dirname(path), `.${basename(path)}.unfinished`)
}

export function backupsDirectory(dataDir: string): string {
  return join(dataDir, 'backups')
}

/** Returns a name that contains the time, so that sorting backups by name also sorts them by time. */
export function backupName(moment: Date): string {
  return `finanzas-${moment.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.backup`
}

export class Backups {
  readonly #dataDir: string
  readonly #source: BackupSource
  readonly #signingKey: KeyObject
  /** The last requested backup. The next backup starts only after the running backup has ended. */
  #last: Promise<unknown> = Promise.resolve()
  #writer: ChildProcess | null = null
  #isClosed = false

  constructor(options: { dataDir: string; source: BackupSource; signingKey: KeyObject }) {
    this.#dataDir = options.dataDir
    this.#source = options.source
    this.#signingKey = options.signingKey
  }

  /**
   * Makes a backup. `to` is an absolute path; `null` means a new file in the directory of scheduled backups. Throws
   * `BackupRefused` when the file exists, its folder does not exist, the disk is too full or the server is closing.
   */
  make(to: string | null): Promise<BackupReport> {
    const made = this.#last.then(() => this.#make(to))
    this.#last = made.catch(() => undefined)
    return made
  }

  /** Aborts a running backup. The next backup removes the incomplete file. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#writer?.kill('SIGKILL')
    await this.#last
  }

  async #make(to: string | null): Promise<BackupReport> {
    this.#refuseClosed()
    const started = Date.now()
    const file = to ?? join(backupsDirectory(this.#dataDir), backupName(new Date(started)))
    if (existsSync(file)) throw new BackupRefused(`${file} ya existe. Elige otro nombre.`)
    if (to === null) await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    else requireDirectory(dirname(file))
    await rm(unfinishedName(file), { force: true })
    const manifest = await this.#writeFrom(file)
    noteBackup(this.#dataDir, manifest.takenAt)
    return reportOf(file, manifest, {
      bytes: (await stat(file)).size,
      seconds: (Date.now() - started) / 1000,
    })
  }

  async #writeFrom(to: string): Promise<Manifest> {
    if (this.#source.engine === 'postgres') return this.#write(this.#source, to, null)
    const { directory, copyTo } = this.#source
    if (copyTo === null) return this.#write({ engine: 'pglite', directory }, to, null)
    // The copy is on the engine's own disk, so that a file system with reflinks does not duplicate the blocks.
    const copy = join(this.#dataDir, 'postgres.copy')
    await rm(copy, { recursive: true, force: true })
    await assertFreeSpace(directory, this.#dataDir)
    try {
      await copyTo(copy)
      const takenAt = new Date().toISOString()
      this.#refuseClosed()
      return await this.#write({ engine: 'pglite', directory: copy }, to, takenAt)
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  }

  async #write(source: WriteJob['source'], to: string, takenAt: string | null): Promise<Manifest> {
    const signingKey = this.#signingKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const job: WriteJob = { source, to, release: await readRelease(), takenAt, signingKey }
    const program = fileURLToPath(new URL('write-process.ts', import.meta.url))
    const writer = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#writer = writer
    try {
      writer.stdin.on('error', () => undefined)
      writer.stdin.end(JSON.stringify(job))
      const [manifest, message, [code]] = await Promise.all([
        text(writer.stdout),
        text(writer.stderr),
        once(writer, 'exit') as Promise<[number | null]>,
      ])
      this.#refuseClosed()
      if (code !== 0)
        throw new BackupRefused(`No se pudo hacer la copia. ${message || `Código de salida ${code}.`}`)
      return JSON.parse(manifest) as Manifest
    } finally {
      this.#writer = null
      // A killed process does not remove its incomplete file.
      await rm(unfinishedName(to), { force: true })
    }
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new BackupRefused('El servidor está terminando: no se hizo ninguna copia.')
  }
}

/**
 * Throws `BackupRefused` if the directory does not exist. The server does not create a missing directory: if the backup
 * disk is not mounted, the backup would be written to the bank's own disk.
 */
function requireDirectory(path: string): void {
  // A path that ends in `/.` exists only if the part before `/.` is a directory.
  if (existsSync(`${path}/.`)) return
  throw new BackupRefused(`No existe el directorio ${path}. Monta el disco, o crea el directorio primero.`)
}

/** Returns the version of this release as backups record it, such as `0.1.0`. */
async function readRelease(): Promise<string> {
  const file = new URL('package.json', new URL('..', import.meta.url))
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string }
  return version
}

function reportOf(
  file: string,
  { takenAt, contents, body, publicKey }: Manifest,
  measured: { bytes: number; seconds: number },
): BackupReport {
  return {
    file,
    takenAt,
    tables: contents.tables.length,
    rows: contents.tables.reduce((sum, { lines }) => sum + lines, 0),
    sha256: body.sha256,
    signedBy: fingerprintOf(publicKey),
    ...measured,
  }
}

/**
 * Disk space that a backup leaves free. The engine's write-ahead log can grow to this size before the engine reuses its
 * files.
 */
const reserveBytes = 128 * 1024 * 1024

/** Throws `BackupRefused` unless the disk has space for a copy of the directory, the backup and the reserve. */
async function assertFreeSpace(directory: string, disk: string): Promise<void> {
  const free = freeBytes(disk)
  const needed = 2 * (await bytesIn(directory)) + reserveBytes
  if (free >= needed) return
  throw new BackupRefused(
    `No hay espacio para una copia de seguridad: el disco de ${disk} tiene ${megabytes(free)} MB libres y se necesitan ${megabytes(needed)} MB.`,
  )
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    // The running engine can remove a file after `readdir` has listed it.
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  }
  return bytes
}
