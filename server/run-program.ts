/**
 * Runs a server as a program: closes it in order on a signal, exits with a sentence on failure, and words its
 * announcements.
 */
import { join } from 'node:path'
import { styleText } from 'node:util'
import { BackupRefused } from '#backup/manifest.ts'
import { asCalledHere } from '#settings/called-here.ts'
import { ConfigError } from '#settings/config.ts'
import { keepFilesClosed } from '#data-directory/closed-files.ts'
import { DataDirectoryError } from '#data-directory/data-directory.ts'
import { BankMoved } from '#database/moved.ts'
import { ForeignDatabase, MigrationChanged } from '#database/migrate.ts'
import { explainDatabase } from '#database/postgres/explain-failure.ts'
import { DatabaseSetupError } from '#database/postgres/prepare.ts'
import { AdministratorAddressTaken } from '#identity/first-administrator.ts'
import { CommandRefused } from '#operator/command.ts'
import { PortRefused } from './port-refused.ts'
import type { RunningServer } from './start.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'

/** Requests that are running when the server closes have this long. */
const closingMsMax = 10_000

const operatorErrors = [
  ConfigError,
  DataDirectoryError,
  DatabaseSetupError,
  BankMoved,
  ForeignDatabase,
  MigrationChanged,
  PortRefused,
  AdministratorAddressTaken,
  CommandRefused,
  BackupRefused,
]

/** Ends the process. */
export async function runProgram(start: () => Promise<RunningServer>): Promise<void> {
  keepFilesClosed()
  try {
    endOnSignals(await start())
  } catch (error) {
    console.error(asCalledHere(explain(error)))
    process.exit(1)
  }
}

function endOnSignals(server: RunningServer): void {
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    server
      .drain()
      .then(() => {
        setTimeout(() => process.exit(1), closingMsMax).unref()
        return server.close()
      })
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(explain(error))
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** A sentence where the operator can act, otherwise the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isForTheOperator = operatorErrors.some((kind) => error instanceof kind)
  if (isForTheOperator) return error.message
  if (errorCode(error) === 'ENOSPC') return `El disco está lleno: ${error.message}`
  return explainDatabase(error) ?? error.stack ?? error.message
}

/** A mail that lies in the outbox: one line for a program, at a terminal a block that stands out from the log around it. */
export function mailAnnouncement(dataDir: string, link: string | null, to: string): string {
  const where = link ?? `guardado en ${join(dataDir, 'outbox')}`
  if (!process.stdout.isTTY) return `Correo para ${to}: ${where}`
  return `\n  ${styleText('bold', `Correo para ${to}`)}\n  ${where}\n`
}
