/** `npm run backup`: one file with the whole bank, while it is running or not. */
import type { BackupReport } from '#backup/backups.ts'
import { writeSecrets } from '#backup/secrets-file.ts'
import type { Config } from '#config.ts'
import { lockDirectory, prepareDirectory } from '#database/pglite/data-directory.ts'
import { callRunningServer } from '#operator/socket.ts'
import { backupsOf, requireBank } from '#operator/command.ts'
import { counted, pathOf, refuseWords, runCommandLine, sizeInWords } from '#operator/command-line.ts'

await runCommandLine(
  {
    usage: 'npm run backup [-- [--to ARCHIVO] [--with-secrets] [--json]]',
    options: { to: { type: 'string' }, 'with-secrets': { type: 'boolean' } },
  },
  async ({ values, positionals }, config) => {
    refuseWords(positionals)
    const report = await makeBackup(config, values.to === undefined ? null : pathOf(values.to))
    const sentences = [
      `Copia de seguridad: ${report.file} (${counted(report.rows, 'fila', 'filas')}, ` +
        `${counted(report.tables, 'tabla', 'tablas')}, ${sizeInWords(report.bytes)}, ${report.seconds.toFixed(1).replace('.', ',')} s).`,
      `Está firmada con la clave ${report.signedBy}: guarda ese número aparte de las copias.`,
    ]
    if (values['with-secrets'] !== true) return { sentences, result: report }
    const isOfEnvironment = config.secrets.jwtSecret !== null
    const secrets = writeSecrets(config.dataDir, report.file, isOfEnvironment)
    sentences.push(
      isOfEnvironment
        ? `La clave que firma las copias está en ${secrets}. JWT_SECRET viene del entorno y no está: guárdalo aparte.`
        : `Los secretos están en ${secrets}: quien tenga ese archivo puede entrar como cualquiera.`,
    )
    return { sentences, result: { ...report, secrets } }
  },
)

async function makeBackup(config: Config, to: string | null): Promise<BackupReport> {
  await requireBank(config)
  prepareDirectory(config.dataDir)
  if (config.database !== null) return backupsOf(config).backups.make(to)
  const asked = await callRunningServer(config.dataDir, 'backup', { to })
  if (asked !== null) return asked.answer as BackupReport
  const unlock = lockDirectory(config.dataDir)
  try {
    return await backupsOf(config).backups.make(to)
  } finally {
    unlock()
  }
}
