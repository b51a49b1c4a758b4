/**
 * Writes one backup, as a process of its own: the server goes on answering, and the memory that it takes is
 * given back. Reads a `WriteJob` as JSON from standard input, because an address holds a password and a key
 * is a secret; writes the manifest, or a message and exit code 1.
 */
import { createPrivateKey } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Owner } from '#database/database.ts'
import { explainDatabase } from '#database/postgres/explain-failure.ts'
import { refuseNewer } from '#database/migrate.ts'
import { openPglite } from '#database/pglite/pglite.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import { writeBackup } from './write-file.ts'

export type WriteJob = {
  readonly source:
    | { readonly engine: 'pglite'; readonly directory: string }
    | { readonly engine: 'postgres'; readonly ownerUrl: string }
  /** Absolute path of the file. */
  readonly to: string
  readonly release: string
  /** The moment that the contents are of, where it is past; `null` when it is now. */
  readonly takenAt: string | null
  /** PKCS 8, PEM. */
  readonly signingKey: string
}

async function run({ source, to, release, takenAt, signingKey }: WriteJob): Promise<void> {
  const { owner, close } = await connect(source)
  try {
    await refuseNewer(owner)
    const options = { to, engine: source.engine, release, takenAt, key: createPrivateKey(signingKey) }
    process.stdout.write(JSON.stringify(await writeBackup(owner, options)))
  } finally {
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

try {
  await run(JSON.parse(await text(process.stdin)) as WriteJob)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(explainDatabase(error) ?? message)
  process.exitCode = 1
}
