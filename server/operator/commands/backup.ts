/** `npm run backup`: writes the whole bank to one file, with or without a running server. */
import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sizeInWords } from '@finanzas/contract/format/size.ts'
import type { BackupReport } from '#backup/backups.ts'
import { writeSecrets } from '#backup/secrets-file.ts'
import type { Config } from '#settings/config.ts'
import { prepareDirectory } from '#data-directory/data-directory.ts'
import { lockDirectory } from '#data-directory/directory-lock.ts'
import { callRunningServer } from '#operator/socket.ts'
import { backupsOf, requireBank } from '#operator/command.ts'
import {
  type Outcome,
  WrongUsage,
  counted,
  pathOf,
  refuseWords,
  runCommandLine,
  standardStream,
} from '#operator/command-line.ts'

await runCommandLine(
  {
    usage: 'npm run backup -- [--to ARCHIVO] [--with-secrets] [--json]   (ARCHIVO - es la salida estándar)',
    options: { to: { type: 'string' }, 'with-secrets': { type: 'boolean' } },
  },
  async ({ values, positionals, isJson }, config) => {
    refuseWords(positionals)
    if (values.to === standardStream) return handOver(config, { ...values, isJson })
    const report = await makeBackup(config, values.to === undefined ? null : pathOf(values.to))
    const sentences = sentencesOf(report, report.file)
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

function sentencesOf(report: BackupReport, place: string): string[] {
  return [
    `Copia de seguridad: ${place} (${counted(report.rows, 'fila', 'filas')}, ` +
      `${counted(report.tables, 'tabla', 'tablas')}, ${sizeInWords(report.bytes)}, ${report.seconds.toFixed(1).replace('.', ',')} s).`,
    `Está firmada con la clave ${report.signedBy}: guarda ese número aparte de las copias.`,
  ]
}

/** Makes a backup in `DATA_DIR`, writes it to standard output and deletes it. */
async function handOver(
  config: Config,
  { isJson, ...values }: { readonly 'with-secrets'?: boolean; readonly isJson: boolean },
): Promise<Outcome> {
  if (values['with-secrets'] === true)
    throw new WrongUsage('--with-secrets necesita un archivo: los secretos quedan a su lado.')
  if (isJson) throw new WrongUsage('--json y la copia no caben en la misma salida.')
  const file = join(config.dataDir, 'sent.backup')
  rmSync(file, { force: true })
  try {
    const report = await makeBackup(config, file)
    await pipeline(createReadStream(file), process.stdout, { end: false })
    return { sentences: sentencesOf(report, 'en la salida estándar'), result: null, isPiped: true }
  } finally {
    rmSync(file, { force: true })
  }
}

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
