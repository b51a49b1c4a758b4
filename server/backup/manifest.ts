/**
 * The last part of a backup: a manifest that describes the bank, the release and the contents, followed by the
 * manifest's signature. A backup is a gzip stream (the contents, readable with zcat), a line feed, a line with the
 * manifest, and a line with the signature.
 */
import { type KeyObject, createHash } from 'node:crypto'
import type { Owner } from '#database/database.ts'
import { type MigrationTable, type Released, appliedTextsIn, releasedMigrations } from '#database/migrate.ts'
import type { Contents } from './contents.ts'
import { isSigned, publicKeyOf, signText } from './signing-key.ts'

/** Version of the file format. A server refuses a file whose format is newer than this version. */
export const formatVersion = 1

/** An applied migration. The hash is `null` if another program applied the migration. */
type AppliedMigration = {
  readonly version: string
  readonly name: string
  readonly sha256: string | null
}

export type Manifest = {
  readonly format: number
  /** The release that wrote the file, such as `0.1.0`. */
  readonly release: string
  /** Time at which the contents were captured: ISO 8601, UTC. */
  readonly takenAt: string
  readonly engine: 'pglite' | 'postgres'
  readonly migrations: {
    readonly platform: readonly AppliedMigration[]
    readonly product: readonly AppliedMigration[]
  }
  readonly contents: Contents
  /** The gzip stream before the manifest. */
  readonly body: { readonly bytes: number; readonly sha256: string }
  /** Ed25519, hex. */
  readonly publicKey: string
}

export const manifestBytesMax = 1024 * 1024

/** Returns the last part of a backup file: everything after the gzip stream. */
export function manifestText(manifest: Omit<Manifest, 'publicKey'>, key: KeyObject): string {
  const line = JSON.stringify({ ...manifest, publicKey: publicKeyOf(key) })
  return `\n${line}\n${signText(line, key)}\n`
}

/**
 * Reads the manifest from the last bytes of a file. The returned `length` is the number of bytes after the gzip stream.
 * Returns `null` if any of these bytes is damaged: the signature covers the manifest, and the signature and the line
 * feeds have only one valid form.
 */
export function readManifest(end: Buffer): { manifest: Manifest; length: number } | null {
  const text = end.toString('latin1')
  const [match, line, signature] = /\n([^\n]+)\n([0-9a-f]{128})\n$/.exec(text) ?? []
  if (match === undefined || line === undefined || signature === undefined) return null
  const utf8 = Buffer.from(line, 'latin1').toString('utf8')
  const manifest = parse(utf8)
  if (manifest === null || !isSigned(utf8, signature, manifest.publicKey)) return null
  return { manifest, length: match.length }
}

function parse(line: string): Manifest | null {
  try {
    const manifest = JSON.parse(line) as Manifest
    return /^[0-9a-f]{64}$/.test(manifest.publicKey) ? manifest : null
  } catch {
    return null
  }
}

/** A backup, a restore or a move to another engine was refused. The operator sees the message. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** Returns the migrations applied to this database, oldest first. */
export async function readAppliedMigrations(owner: Owner): Promise<Manifest['migrations']> {
  return {
    platform: await recordedIn(owner, 'platform_migrations'),
    product: await recordedIn(owner, 'schema_migrations'),
  }
}

/** The migrations of a backup that this release lacks, and those that it has with another text. */
export type ForeignMigrations = { readonly unknown: readonly string[]; readonly changed: readonly string[] }

export function foreignMigrations(migrations: Manifest['migrations']): ForeignMigrations {
  const released = releasedMigrations()
  const foreign = (['platform', 'product'] as const).flatMap((kind) =>
    migrations[kind]
      .map((migration) => ({ migration, known: withVersionOf(migration, released[kind]) }))
      .filter(({ migration, known }) => known === undefined || !hasTextOf(migration, known)),
  )
  const named = (chosen: typeof foreign) =>
    chosen.map(({ migration: { version, name } }) => `${version}_${name}`)
  return {
    unknown: named(foreign.filter(({ known }) => known === undefined)),
    changed: named(foreign.filter(({ known }) => known !== undefined)),
  }
}

async function recordedIn(owner: Owner, table: MigrationTable): Promise<AppliedMigration[]> {
  const applied = await appliedTextsIn(owner, table)
  return applied.map(({ version, name, text }) => ({
    version,
    name,
    sha256: text === null ? null : sha256Of(text),
  }))
}

function withVersionOf({ version }: AppliedMigration, released: readonly Released[]): Released | undefined {
  return released.find((known) => known.version === version)
}

function hasTextOf({ sha256 }: AppliedMigration, { text }: Released): boolean {
  return sha256 === null || sha256 === sha256Of(text)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
