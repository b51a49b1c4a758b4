/**
 * Writes one backup in a separate process, so that the server continues to answer requests and the memory is freed when
 * the process exits. Reads a `WriteJob` as JSON from standard input, because command-line arguments would reveal the
 * database password and the signing key. Writes the manifest to standard output; on failure writes a message and exits
 * with code 1.
 */
import { createHash, createPrivateKey } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncPath } from '#data-directory/durable-files.ts'
import type { Owner } from '#database/database.ts'
import { refuseForeign } from '#database/migrate.ts'
import { openPglite } from '#database/pglite/pglite.ts'
import { explainDatabase } from '#database/postgres/explain-failure.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import { type WriteJob, unfinishedName } from './backups.ts'
import { beginSnapshot, readContents } from './contents.ts'
import { type Manifest, formatVersion, manifestText, readAppliedMigrations } from './manifest.ts'

/**
 * Writes the backup under a temporary name, flushes it to the disk, and then links it under the final name. The file at
 * the path `to` is therefore always complete, and an existing file is never replaced. Throws database and disk errors.
 */
async function writeBackup(job: WriteJob): Promise<Manifest> {
  const { owner, close } = await connect(job.source)
  const unfinished = unfinishedName(job.to)
  try {
    await refuseForeign(owner)
    const manifest = await writeContents(owner, unfinished, job)
    // Unlike a rename, a link never replaces an existing file.
    await link(unfinished, job.to)
    syncPath(dirname(job.to))
    return manifest
  } finally {
    await rm(unfinished, { force: true })
    await close()
  }
}

async function connect(source: WriteJob['source']): Promise<{ owner: Owner; close: () => Promise<void> }> {
  if (source.engine === 'postgres') {
    const owner = await connectOwner(source.ownerUrl)
    return { owner, close: () => owner.close() }
  }
  const { database, owner } = await openPglite(source.directory)
  return { owner, close: () => database.close() }
}

async function writeContents(
  owner: Owner,
  path: string,
  { source: { engine }, release, takenAt, signingKey }: WriteJob,
): Promise<Manifest> {
  const gzip = createGzip()
  const measure = new Measure()
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  gzip.pipe(measure).pipe(file, { end: false })
  // Without these listeners, a disk error would crash this process before the failure is reported.
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
    const end = manifestText(written, createPrivateKey(signingKey))
    file.end(end)
    await Promise.race([finished(file), failure])
    return JSON.parse(end.split('\n')[1] ?? '') as Manifest
  } finally {
    gzip.destroy()
    file.destroy()
  }
}

/** Counts and hashes the bytes that pass through the stream. */
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

try {
  const manifest = await writeBackup(JSON.parse(await text(process.stdin)) as WriteJob)
  process.stdout.write(JSON.stringify(manifest))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(explainDatabase(error) ?? message)
  process.exitCode = 1
}
