/** `npm run migrate-engine -- --to PLACE`: moves the bank to PostgreSQL, or to a `DATA_DIR` of the embedded engine. */
import { resolve } from 'node:path'
import { migrateEngine } from '#backup/migrate-engine.ts'
import type { RestoreTarget } from '#backup/restore.ts'
import { copySecrets } from '#backup/secrets-file.ts'
import { type Config, readConfig } from '#settings/config.ts'
import { prepareDirectory } from '#data-directory/data-directory.ts'
import { lockDirectory } from '#data-directory/directory-lock.ts'
import { backupsOf, requireBank } from '#operator/command.ts'
import { WrongUsage, counted, pathOf, refuseWords, runCommandLine } from '#operator/command-line.ts'

await runCommandLine(
  {
    usage:
      'npm run migrate-engine -- --to postgres://… | DIRECTORIO [--json]   (con los servidores del banco detenidos)',
    options: { to: { type: 'string' } },
  },
  async ({ values: { to }, positionals }, config) => {
    refuseWords(positionals)
    if (to === undefined) throw new WrongUsage('Falta el destino: --to.')
    const there = configThere(to)
    await requireBank(config)
    const unlock = lockAll([config, there])
    try {
      const { source, backups } = backupsOf(config)
      const { report, manifest } = await migrateEngine(source, targetOf(there), {
        backups,
        putSecrets: () => copySecrets(config.dataDir, there.dataDir),
      })
      return {
        sentences: [
          `Banco trasladado: ${counted(report.rows, 'fila', 'filas')} de ${counted(report.tables, 'tabla', 'tablas')}, ` +
            'idénticas byte por byte; el libro está verificado.',
          nextStep(config, there),
          `El lugar anterior conserva sus datos y ya no inicia; hay una copia en ${report.file}.`,
        ],
        result: { backup: report, contents: manifest.contents },
      }
    } finally {
      unlock()
    }
  },
)

/** Returns the bank's configuration after the move. The move changes only the settings that locate the database. */
function configThere(to: string): Config {
  const isPostgres = /^postgres(?:ql)?:\/\//.test(to)
  return readConfig(
    isPostgres
      ? { ...process.env, DATABASE_URL: to }
      : { ...process.env, DATABASE_URL: '', DATABASE_DIRECT_URL: '', DATA_DIR: pathOf(to) },
  )
}

/** Locks the directories of the embedded engines that the command reads or creates. */
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

function targetOf({ database, dataDir }: Config): RestoreTarget {
  return database === null ? { engine: 'pglite', dataDir } : { engine: 'postgres', ...database }
}

function nextStep(here: Config, there: Config): string {
  if (there.database !== null)
    return 'Siguiente paso: define DATABASE_URL con el lugar nuevo, conserva DATA_DIR e inicia el servidor.'
  const isSame = resolve(here.dataDir) === resolve(there.dataDir)
  return `Siguiente paso: quita DATABASE_URL${isSame ? '' : `, define DATA_DIR=${there.dataDir}`} e inicia el servidor.`
}
