/** `npm run move -- --to PLACE`: the bank to PostgreSQL, or to a `DATA_DIR` of the embedded engine. */
import { resolve } from 'node:path'
import { type BackupSource, Backups } from '#backup/backups.ts'
import { moveBank } from '#backup/move.ts'
import type { RestoreTarget } from '#backup/restore.ts'
import { copySecrets } from '#backup/secrets-file.ts'
import { readSigningKey } from '#backup/signing-key.ts'
import { type Config, readConfig } from '#config.ts'
import { engineDirectoryOf, lockDirectory, prepareDirectory } from '#database/data-directory.ts'
import { refuseWithoutBank } from './bank-here.ts'
import { WrongUsage, runCommandLine } from './command-line.ts'

await runCommandLine(
  {
    usage:
      'npm run move -- --to postgres://… | DIRECTORY [--json]   (the servers of the bank must be stopped)',
    options: { to: { type: 'string' } },
  },
  async ({ values: { to }, positionals }, config) => {
    if (to === undefined || positionals.length > 0) throw new WrongUsage('Name the one place to move to.')
    const there = configThere(to)
    await refuseWithoutBank(config)
    const unlock = lockAll([config, there])
    try {
      const source = sourceOf(config)
      const signingKey = readSigningKey(config.dataDir, config.backup.signingKey)
      const backups = new Backups({ dataDir: config.dataDir, source, signingKey })
      const { report, manifest } = await moveBank(source, targetOf(there), backups)
      copySecrets(config.dataDir, there.dataDir)
      return {
        sentences: [
          `Moved: ${report.rows} rows of ${report.tables} tables, the same byte for byte; the ledger holds.`,
          nextStep(config, there),
          `The old place is as it was, and there is a backup in ${report.file}. Never start both.`,
        ],
        result: { backup: report, contents: manifest.contents },
      }
    } finally {
      unlock()
    }
  },
)

/** The configuration that the bank will have: what is not named is as it is now. */
function configThere(to: string): Config {
  const isPostgres = /^postgres(?:ql)?:\/\//.test(to)
  return readConfig(
    isPostgres
      ? { ...process.env, DATABASE_URL: to }
      : { ...process.env, DATABASE_URL: '', DATABASE_DIRECT_URL: '', DATA_DIR: to },
  )
}

/** Takes the directories whose engine is read or made, so that no server runs there meanwhile. */
function lockAll(configs: readonly Config[]): () => void {
  for (const { dataDir } of configs) prepareDirectory(dataDir)
  const embedded = new Set(configs.filter(({ database }) => database === null).map(({ dataDir }) => dataDir))
  const unlocks: (() => void)[] = []
  const unlockAll = () => {
    for (const unlock of unlocks) unlock()
  }
  try {
    for (const dataDir of embedded) unlocks.push(lockDirectory(dataDir))
    return unlockAll
  } catch (error) {
    unlockAll()
    throw error
  }
}

function sourceOf({ database, dataDir }: Config): BackupSource {
  if (database !== null) return { engine: 'postgres', ownerUrl: database.directUrl ?? database.url }
  return { engine: 'pglite', directory: engineDirectoryOf(dataDir), copyTo: null }
}

function targetOf({ database, dataDir }: Config): RestoreTarget {
  return database === null ? { engine: 'pglite', dataDir } : { engine: 'postgres', ...database }
}

function nextStep(here: Config, there: Config): string {
  if (there.database !== null) return 'Next: set DATABASE_URL to the new place, keep DATA_DIR, and npm start.'
  const isSame = resolve(here.dataDir) === resolve(there.dataDir)
  return `Next: unset DATABASE_URL${isSame ? '' : `, set DATA_DIR to ${there.dataDir}`}, and npm start.`
}
