/** Explains an error to the operator. */
import { BackupRefused } from '#backup/manifest.ts'
import { CertificateRefused } from '#papers/certificate-refused.ts'
import { ConfigError } from '#settings/rules.ts'
import { DataDirectoryError } from '#data-directory/data-directory.ts'
import { BankMoved } from '#database/moved.ts'
import { ForeignDatabase, MigrationChanged } from '#database/migrate.ts'
import { explainDatabase } from '#database/postgres/explain-failure.ts'
import { DatabaseSetupError } from '#database/postgres/prepare.ts'
import { AdministratorAddressTaken } from '#people/first-administrator.ts'
import { CommandRefused } from './command.ts'
import { PortRefused } from '#http/port-refused.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/** Returns a message about the error if the operator can act on it, and the stack trace otherwise. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Closing the opened resources failed too, after a first error. The first error is the cause of both.
  if (error instanceof SuppressedError) return explain(error.suppressed)
  const isForTheOperator = operatorErrors.some((kind) => error instanceof kind)
  if (isForTheOperator) return error.message
  if (errorCode(error) === 'ENOSPC') return `El disco está lleno: ${error.message}`
  return explainDatabase(error) ?? error.stack ?? error.message
}

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
  CertificateRefused,
]
