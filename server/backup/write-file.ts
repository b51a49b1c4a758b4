/** Writes a backup: under another name first, forced to the disk, and only then under its own. */
import { createHash, type KeyObject } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Owner } from '#database/database.ts'
import { beginSnapshot, readContents } from './contents.ts'
import { type Manifest, formatVersion, manifestText } from './manifest.ts'
import { readAppliedMigrations } from './schema.ts'

/** The name of a file that is not complete; a leftover means that its writer was ended. */
export function unfinishedName(path: string): string {
  return join(dirname(path), `.${basename(path)}.unfinished`)
}

/** `takenAt` is `null` for now. */
export type WriteOptions = {
  readonly engine: Manifest['engine']
  readonly takenAt: string | null
  readonly release: string
  readonly key: KeyObject
}

/**
 * Saves the bank that the owner is connected to. Throws what the database or the disk says; nothing but
 * complete files is ever seen under `to`, and an existing file is never replaced.
 */
export async function writeBackup(owner: Owner, options: WriteOptions & { to: string }): Promise<Manifest> {
  const unfinished = unfinishedName(options.to)
  try {
    const manifest = await writeContents(owner, unfinished, options)
    // Unlike a rename, a link never replaces what is there.
    await link(unfinished, options.to)
    await syncDirectory(dirname(options.to))
    return manifest
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function writeContents(
  owner: Owner,
  path: string,
  { engine, release, takenAt, key }: WriteOptions,
): Promise<Manifest> {
  const gzip = createGzip()
  const measure = new Measure()
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  gzip.pipe(measure).pipe(file, { end: false })
  // An error of the disk ends the whole; without listeners it would end the process.
  const failure = new Promise<never>((_, reject) => {
    gzip.once('error', reject)
    measure.once('error', reject)
    file.once('error', reject)
  })
  failure.catch(() => undefined)
  const take = async (text: string) => {
    if (!gzip.write(text))
      await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), failure])
  }
  try {
    await beginSnapshot(owner, engine)
    const now = new Date().toISOString()
    const migrations = await readAppliedMigrations(owner)
    const contents = await Promise.race([readContents(owner, take), failure])
    await owner.script('commit')
    gzip.end()
    await Promise.race([finished(measure), failure])
    const body = { bytes: measure.bytes, sha256: measure.sha256() }
    const written = {
      format: formatVersion,
      release,
      takenAt: takenAt ?? now,
      engine,
      migrations,
      contents,
      body,
    }
    const end = manifestText(written, key)
    file.end(end)
    await Promise.race([finished(file), failure])
    return JSON.parse(end.split('\n')[1] ?? '') as Manifest
  } finally {
    gzip.destroy()
    file.destroy()
  }
}

/** Counts and hashes the bytes that go through. */
class Measure extends Transform {
  readonly #hash = createHash('sha256')
  bytes = 0

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk)
    this.bytes += chunk.length
    done(null, chunk)
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
