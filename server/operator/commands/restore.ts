/** `npm run restore -- FILE`: restores a backup into an empty `DATA_DIR` or an empty database. */
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { readSigner } from '#backup/read-file.ts'
import { BackupRefused } from '#backup/manifest.ts'
import { restoreBackup } from '#backup/restore.ts'
import { secretsToPut } from '#backup/secrets-file.ts'
import { findSigningKey, fingerprintOf, publicKeyOf } from '#backup/signing-key.ts'
import type { Config } from '#settings/config.ts'
import { prepareDirectory } from '#data-directory/data-directory.ts'
import { lockDirectory } from '#data-directory/directory-lock.ts'
import {
  WrongUsage,
  pathOfFile,
  refuseWords,
  runCommandLine,
  standardStream,
} from '#operator/command-line.ts'

await runCommandLine(
  {
    usage:
      'npm run restore -- ARCHIVO [--signed-by CLAVE] [--with-secrets] [--json]   (ARCHIVO - es la entrada estándar)',
    options: { 'signed-by': { type: 'string' }, 'with-secrets': { type: 'boolean' } },
  },
  async ({ values, positionals: [name, ...others] }, config) => {
    if (name === undefined) throw new WrongUsage('Falta el archivo de la copia de seguridad.')
    refuseWords(others)
    const isGiven = name === standardStream
    if (isGiven && values['with-secrets'] === true)
      throw new WrongUsage('--with-secrets necesita el archivo: los secretos están a su lado.')
    const file = isGiven ? join(config.dataDir, 'received.backup') : pathOfFile(name)
    const undo: (() => void)[] = []
    if (isGiven) undo.push(await receive(file, config.dataDir))
    try {
      const expected = values['signed-by'] ?? signerHere(config)
      if (expected === null) await refuseUnknownSigner(file)
      undo.push(prepareDirectory(config.dataDir))
      if (config.database === null) undo.push(lockDirectory(config.dataDir))
      const putSecrets =
        values['with-secrets'] === true ? secretsToPut(config.dataDir, file) : () => undefined
      const target =
        config.database === null
          ? ({ engine: 'pglite', dataDir: config.dataDir } as const)
          : ({ engine: 'postgres', ...config.database } as const)
      const manifest = await restoreBackup(target, file, { signedBy: expected })
      putSecrets()
      const signedBy = fingerprintOf(manifest.publicKey)
      return {
        sentences: [
          `Restaurada la copia del ${momentInWords(manifest.takenAt)}. Cada fila coincide y el libro está verificado.`,
          `Está firmada con la clave ${signedBy}: compárala con el número que guardas.`,
          'Si el banco de esta copia sigue en marcha, inicia la copia con BACKGROUND_WORK=off, para que no envíe correos ni haga lo pendiente.',
          `Siguiente paso: inicia el servidor con ${config.database === null ? `DATA_DIR=${config.dataDir}` : 'este mismo DATABASE_URL'}.`,
        ],
        result: { file, takenAt: manifest.takenAt, signedBy, contents: manifest.contents },
      }
    } finally {
      if (isGiven) rmSync(file, { force: true })
      for (const step of undo.toReversed()) step()
    }
  },
)

/**
 * Saves standard input to a file, because the restore reads the backup more than once. Returns the result of
 * `prepareDirectory`.
 */
async function receive(file: string, dataDir: string): Promise<() => void> {
  const removeEmptyDirectory = prepareDirectory(dataDir)
  await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }))
  return removeEmptyDirectory
}

/**
 * Refuses the restore. Called if this environment has no signing key and the operator has not named the signer, because
 * a forged backup would then not be noticed.
 */
async function refuseUnknownSigner(file: string): Promise<never> {
  const signer = await readSigner(file)
  throw new BackupRefused(
    `${file} está firmado con la clave ${signer}, y aquí no hay ninguna clave con la que compararla. No se escribió nada. ` +
      `Si es el número que guardas de tus copias, repite el comando con --signed-by ${signer}`,
  )
}

/** Returns the fingerprint of the signing key in this environment, or `null`. */
function signerHere(config: Config): string | null {
  const key = config.backup.signingKey ?? findSigningKey(config.dataDir)
  return key === null ? null : fingerprintOf(publicKeyOf(key))
}
