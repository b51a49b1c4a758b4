/** Reads the folder `releases`, which has a folder for each release: its facts, a filled bank and papers of this bank. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Release, type Released, releasedMigrations } from '#server/database/migrate.ts'
import { root } from '#tools/tree.ts'

type HashedMigration = { readonly version: string; readonly name: string; readonly sha256: string }
export type HashedMigrations = Readonly<Record<keyof Release, readonly HashedMigration[]>>

/** The file `release.json` of a release. */
export type ReleaseFacts = {
  readonly version: string
  /** The commit to check out. The folder of the release came with a later commit. */
  readonly commit: string
  readonly date: string
  readonly migrations: HashedMigrations
}

export type ReleaseFolder = ReleaseFacts & { readonly folder: string }

export const releasesFolder = join(root, 'releases')
export const factsFile = 'release.json'
export const backupFile = 'bank.backup'

/** Returns all releases in a folder, oldest first. */
export function readReleases(among = releasesFolder): ReleaseFolder[] {
  if (!existsSync(among)) return []
  return readdirSync(among)
    .map((name) => {
      const folder = join(among, name)
      return { ...(JSON.parse(readFileSync(join(folder, factsFile), 'utf8')) as ReleaseFacts), folder }
    })
    .toSorted((one, other) => compareVersions(one.version, other.version))
}

/** Returns a negative number if the first version is older than the second. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Returns the hash of each migration file. The hash covers the comments, too. */
export function hashedMigrations({ platform, product }: Release = releasedMigrations()): HashedMigrations {
  return { platform: platform.map(hashed), product: product.map(hashed) }
}

function hashed({ version, name, text }: Released): HashedMigration {
  return { version, name, sha256: createHash('sha256').update(text).digest('hex') }
}

/** Returns the migrations of a release that this tree lacks or has with another text. */
export function changedMigrations(
  { migrations }: Pick<ReleaseFacts, 'migrations'>,
  now: Release = releasedMigrations(),
): string[] {
  const hashes = hashedMigrations(now)
  return (['platform', 'product'] as const).flatMap((kind) =>
    migrations[kind]
      .filter((one) => !hashes[kind].some((other) => isSame(one, other)))
      .map(({ version, name }) => `${version}_${name}`),
  )
}

/** Returns the migrations that came after a release. */
export function laterMigrations(
  { migrations }: Pick<ReleaseFacts, 'migrations'>,
  now: Release = releasedMigrations(),
): Released[] {
  return (['platform', 'product'] as const).flatMap((kind) =>
    now[kind].filter(({ version }) => !migrations[kind].some((one) => one.version === version)),
  )
}

function isSame(one: HashedMigration, other: HashedMigration): boolean {
  return one.version === other.version && one.name === other.name && one.sha256 === other.sha256
}
