/** Reads a backup: checks every byte, and returns the manifest and the lines. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unreleasedState } from '#database/migrate.ts'
import type { Contents, Part, PartHeading } from './contents.ts'
import {
  BackupRefused,
  type Manifest,
  foreignMigrations,
  formatVersion,
  manifestBytesMax,
  readManifest,
} from './manifest.ts'
import { fingerprintOf } from './signing-key.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/** Maximum numbers of lines and characters that are passed to the consumer at once. */
const linesAtOnce = 1000
const charactersAtOnce = 1024 * 1024

/** Maximum length of a line, so that a forged line cannot fill the memory. The lines of a real bank are shorter. */
const lineCharactersMax = 64 * 1024 * 1024

/**
 * Reads the manifest and checks every byte of the file. Throws `BackupRefused` when a byte is damaged, when the signing
 * key's fingerprint differs from `signedBy`, or when this release is too old for the file.
 */
export async function checkBackup(path: string, signedBy: string | null): Promise<Manifest> {
  const manifest = await openManifest(path)
  if (manifest.format > formatVersion) throw newer(path, manifest)
  const signer = fingerprintOf(manifest.publicKey)
  if (signedBy !== null && signer !== signedBy) {
    throw new BackupRefused(
      `${path} está firmado con la clave ${signer}, y no con ${signedBy}. Si conoces esa clave, indícala: --signed-by ${signer}.`,
    )
  }
  const { unknown, changed } = foreignMigrations(manifest.migrations)
  if (changed.length > 0) throw unreleased(path, changed)
  if (unknown.length > 0) throw newer(path, manifest, unknown)
  const contents = await readLines(path, manifest, () => Promise.resolve())
  if (JSON.stringify(contents) !== JSON.stringify(manifest.contents)) throw damaged(path)
  return manifest
}

/**
 * Passes the lines of a backup to `take`, up to a thousand lines of one part at a time, and returns the backup's
 * contents. Throws `BackupRefused` when the file does not match the manifest, for example because the file changed
 * after the check.
 */
export async function readLines(
  path: string,
  { body }: Manifest,
  take: (heading: PartHeading, lines: readonly string[]) => Promise<void>,
): Promise<Contents> {
  const hash = createHash('sha256')
  const reader = new PartReader(take)
  try {
    await pipeline(
      createReadStream(path, { start: 0, end: body.bytes - 1 }),
      async function* measure(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createGunzip(),
      async (chunks: AsyncIterable<Buffer>) => {
        const decoder = new TextDecoder('utf-8', { fatal: true })
        for await (const chunk of chunks) await reader.read(decoder.decode(chunk, { stream: true }))
        await reader.read(decoder.decode())
      },
    )
  } catch (error) {
    if (isOfTheStream(error)) throw damaged(path)
    throw error
  }
  if (hash.digest('hex') !== body.sha256) throw damaged(path)
  return reader.end()
}

/**
 * Returns the fingerprint of the key that a backup names as its signer. Throws `BackupRefused` for a file that is not
 * a backup.
 */
export async function readSigner(path: string): Promise<string> {
  return fingerprintOf((await openManifest(path)).publicKey)
}

async function openManifest(path: string): Promise<Manifest> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new BackupRefused(`No se puede leer ${path} (${errorCode(error) || String(error)}).`)
  })
  try {
    const { size } = await file.stat()
    const read = readManifest(await readEnd(file, size))
    // The file must consist of the stream and the manifest and contain no other bytes.
    if (read === null || read.manifest.body.bytes + read.length !== size) throw damaged(path)
    return read.manifest
  } finally {
    await file.close()
  }
}

async function readEnd(file: FileHandle, size: number): Promise<Buffer> {
  const length = Math.min(size, manifestBytesMax)
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
  return buffer
}

/** Splits the text into lines, groups the lines into parts, and hashes each part. */
class PartReader {
  readonly #take: (heading: PartHeading, lines: readonly string[]) => Promise<void>
  readonly #contents: { tables: Part[]; sequences: Part | null } = {
    tables: [],
    sequences: null,
  }
  #rest = ''
  #heading: PartHeading | null = null
  #hash = createHash('sha256')
  #lines = 0
  #waiting: string[] = []
  #waitingCharacters = 0

  constructor(take: (heading: PartHeading, lines: readonly string[]) => Promise<void>) {
    this.#take = take
  }

  async read(text: string): Promise<void> {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > lineCharactersMax) throw new NotALine()
    for (const line of lines) {
      // A line with a row is a JSON array, and the heading of a part is a JSON object.
      if (line.startsWith('{')) await this.#begin(line)
      this.#hash.update(line).update('\n')
      if (!line.startsWith('{')) await this.#keep(line)
    }
  }

  async end(): Promise<Contents> {
    await this.#finish()
    const { tables, sequences } = this.#contents
    return { tables, sequences: sequences ?? { name: 'sequences', lines: 0, sha256: '' } }
  }

  async #begin(line: string): Promise<void> {
    await this.#finish()
    this.#heading = JSON.parse(line) as PartHeading
    this.#hash = createHash('sha256')
    this.#lines = 0
    await this.#take(this.#heading, [])
  }

  async #keep(line: string): Promise<void> {
    this.#lines += 1
    this.#waiting.push(line)
    this.#waitingCharacters += line.length
    if (this.#waiting.length >= linesAtOnce || this.#waitingCharacters >= charactersAtOnce)
      await this.#flush()
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting
    this.#waiting = []
    this.#waitingCharacters = 0
    if (this.#heading === null) throw new NotALine()
    if (lines.length > 0) await this.#take(this.#heading, lines)
  }

  async #finish(): Promise<void> {
    if (this.#heading === null) return
    await this.#flush()
    const part = { lines: this.#lines, sha256: this.#hash.digest('hex') }
    if ('table' in this.#heading) this.#contents.tables.push({ name: this.#heading.table, ...part })
    else this.#contents.sequences = { name: 'sequences', ...part }
  }
}

/** Thrown for text that is not a line of a backup. */
class NotALine extends Error {
  override readonly name = 'NotALine'
}

/** Returns true if reading the file caused the error, and false if the consumer of the lines failed. */
function isOfTheStream(error: unknown): boolean {
  return (
    error instanceof NotALine ||
    error instanceof SyntaxError ||
    (error instanceof TypeError && errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') ||
    errorCode(error).startsWith('Z_')
  )
}

function damaged(path: string): BackupRefused {
  return new BackupRefused(
    `${path} está dañado o incompleto, o no es una copia de seguridad: no es lo que se firmó. Usa otra; no se escribió nada.`,
  )
}

/** The text of a released migration never changes. The backup therefore comes from a state between two releases. */
function unreleased(path: string, changed: readonly string[]): BackupRefused {
  return new BackupRefused(
    `${path} se hizo con un estado de Finanzas que no se publicó: ${changed.join(', ')} tiene allí otro texto. ` +
      `No se escribió nada. ${unreleasedState}`,
  )
}

function newer(path: string, { release }: Manifest, unknown: readonly string[] = []): BackupRefused {
  const what = unknown.length === 0 ? 'otro formato' : `migraciones que esta no tiene (${unknown.join(', ')})`
  return new BackupRefused(
    `${path} se hizo con la versión ${release}, que tiene ${what}. Restáurala con esa versión.`,
  )
}
