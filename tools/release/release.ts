/**
 * `npm run release`: writes `releases/<version>` for the version of package.json. The folder names the commit that the
 * command ran on, which is the commit to install. The next commit contains the folder, and a tag may be added to either.
 */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Backups } from '#server/backup/backups.ts'
import { readTables } from '#server/backup/tables.ts'
import { engineDirectoryOf } from '#server/data-directory/data-directory.ts'
import { openBesideServer } from '#testing/database.ts'
import { createPlace } from '#testing/place.ts'
import { migrationFiles } from '#tools/schema/files.ts'
import { difference } from '#tools/schema/migration.ts'
import { root } from '#tools/tree.ts'
import { emptyTables, fillBank } from './filled-bank.ts'
import {
  type ReleaseFacts,
  backupFile,
  compareVersions,
  factsFile,
  hashedMigrations,
  releasesFolder,
} from './releases.ts'

const backupBytesMax = 300_000

/** The state of the repository on which it depends whether a release can be made. */
export type Candidate = {
  readonly version: string
  /** The output of `git status --porcelain`. */
  readonly uncommitted: string
  readonly changelog: string
  /** The objects that the schemas and the migrations do not share. */
  readonly differences: readonly string[]
  readonly migrated: readonly string[]
  readonly isThere: boolean
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = join(releasesFolder, version)
  const reasons = refusalsOf({
    version,
    uncommitted: git('status', '--porcelain'),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    differences: await difference(),
    migrated: migrationFiles().map(({ release }) => release),
    isThere: existsSync(folder),
  })
  if (reasons.length > 0) {
    for (const reason of reasons) console.error(reason)
    process.exit(1)
  }
  const date = new Date().toISOString().slice(0, 10)
  await writeRelease(folder, { version, commit: git('rev-parse', 'HEAD').trim(), date })
  console.log(`${folder} was written. Commit it as the next commit: feat: release ${version}`)
}

/** Returns the reasons why a release cannot be made. */
export function refusalsOf(candidate: Candidate): string[] {
  const { version, uncommitted, changelog, differences, migrated, isThere } = candidate
  const later = migrated.filter((release) => compareVersions(release, version) > 0)
  const escaped = version.replaceAll('.', String.raw`\.`)
  return [
    ...(isThere ? [`releases/${version} exists. A release is never written twice.`] : []),
    ...(uncommitted === '' ? [] : [`The tree has changes that are not committed:\n${uncommitted}`]),
    ...(new RegExp(`^## \\[${escaped}\\] – \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changelog)
      ? []
      : [`CHANGELOG.md has no section "## [${version}] – date".`]),
    ...(later.length === 0 ? [] : [`Migrations of a later release exist: ${later.join(', ')}.`]),
    ...(differences.length === 0
      ? []
      : [`The migrations do not create the schemas:\n${differences.join('\n')}`]),
  ]
}

/** Fills a bank, and writes its backup, its papers and the facts of the release. */
export async function writeRelease(folder: string, facts: Omit<ReleaseFacts, 'migrations'>): Promise<void> {
  const place = await createPlace('pglite', { cluster: null })
  try {
    const papers = await fillBank(place)
    await refuseEmptyTables(place)
    mkdirSync(folder, { recursive: true })
    const { privateKey: signingKey } = generateKeyPairSync('ed25519')
    const source = { engine: 'pglite', directory: engineDirectoryOf(place.dataDir), copyTo: null } as const
    const backup = join(folder, backupFile)
    await new Backups({ dataDir: place.dataDir, source, signingKey }).make(backup)
    if (statSync(backup).size > backupBytesMax)
      throw new Error(`The backup has ${statSync(backup).size} bytes. Fill the bank with less.`)
    for (const [name, bytes] of Object.entries(papers)) writeFileSync(join(folder, name), bytes)
    const written = { ...facts, migrations: hashedMigrations() } satisfies ReleaseFacts
    writeFileSync(join(folder, factsFile), `${JSON.stringify(written, null, 2)}\n`)
  } finally {
    await place.remove()
  }
}

async function refuseEmptyTables(place: Parameters<typeof openBesideServer>[0]): Promise<void> {
  const { owner, close } = await openBesideServer(place)
  const empty = await readTables(owner).then((tables) => emptyTables(owner, tables))
  await close()
  if (empty.length > 0)
    throw new Error(`The bank of the release has no rows in ${empty.join(', ')} (filled-bank.ts).`)
}

function git(...command: string[]): string {
  return execFileSync('git', command, { cwd: root, encoding: 'utf8' })
}
