/** `npm run backup`: one file with the whole bank, while it is running or not. */
import { resolve } from 'node:path'
import { type BackupReport, type BackupSource, Backups } from '#backup/backups.ts'
import { writeSecrets } from '#backup/secrets-file.ts'
import { readSigningKey } from '#backup/signing-key.ts'
import type { Config } from '#config.ts'
import { engineDirectoryOf, lockDirectory, prepareDirectory } from '#database/data-directory.ts'
import { askRunningServer } from '#operator/ask.ts'
import { refuseWithoutBank } from './bank-here.ts'
import { WrongUsage, runCommandLine } from './command-line.ts'

await runCommandLine(
  {
    usage: 'npm run backup [-- [--to FILE] [--with-secrets] [--json]]',
    options: { to: { type: 'string' }, 'with-secrets': { type: 'boolean' } },
  },
  async ({ values, positionals }, config) => {
    if (positionals.length > 0) throw new WrongUsage(`${positionals[0]} is not understood.`)
    const report = await makeBackup(config, values.to === undefined ? null : resolve(values.to))
    const sentences = [
      `${report.rows} rows of ${report.tables} tables are in ${report.file} (${report.bytes} bytes, ${report.seconds.toFixed(1)} s).`,
      `It is signed with the key ${report.signedBy}: keep this number apart from the backups.`,
    ]
    if (values['with-secrets'] !== true) return { sentences, result: report }
    const secrets = writeSecrets(config.dataDir, report.file)
    sentences.push(`The secrets are in ${secrets}: whoever has that file can sign in as anybody.`)
    return { sentences, result: { ...report, secrets } }
  },
)

/** Not through `openBank`: a backup before an upgrade must not upgrade anything. */
async function makeBackup(config: Config, to: string | null): Promise<BackupReport> {
  await refuseWithoutBank(config)
  prepareDirectory(config.dataDir)
  if (config.database !== null) {
    const ownerUrl = config.database.directUrl ?? config.database.url
    return make(config, { engine: 'postgres', ownerUrl }, to)
  }
  const asked = await askRunningServer(config.dataDir, 'backup', { to })
  if (asked !== null) return asked.answer as BackupReport
  const unlock = lockDirectory(config.dataDir)
  try {
    const directory = engineDirectoryOf(config.dataDir)
    return await make(config, { engine: 'pglite', directory, copyTo: null }, to)
  } finally {
    unlock()
  }
}

function make(config: Config, source: BackupSource, to: string | null): Promise<BackupReport> {
  const { dataDir } = config
  const signingKey = readSigningKey(dataDir, config.backup.signingKey)
  return new Backups({ dataDir, source, signingKey }).make(to)
}
