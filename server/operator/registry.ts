/** The commands of the operator's socket, by name. */
import type { BackupReport } from '#backup/backups.ts'
import { BackupRefused } from '#backup/manifest.ts'
import { accessCommands, countPeople } from './access.ts'
import { type LedgerVerdict, verifyLedger } from '#ledger/verify.ts'
import { type CommandContext, CommandRefused, type OperatorCommands } from './command.ts'

export const operatorCommands = {
  ...accessCommands,
  backup,
  'verify-ledger': verify,
} satisfies OperatorCommands

export type CommandName = keyof typeof operatorCommands

/** Makes a backup while requests go on; `to` is an absolute path, `null` the directory of scheduled ones. */
async function backup({ backups }: CommandContext, { to }: { to: string | null }): Promise<BackupReport> {
  if (backups === null) throw new Error('A backup on PostgreSQL is made by `npm run backup`.')
  try {
    return await backups.make(to)
  } catch (error) {
    throw error instanceof BackupRefused ? new CommandRefused(error.message, { cause: error }) : error
  }
}

/** Verifies the whole ledger and counts its accounts. */
async function verify({ database }: CommandContext, _given: null): Promise<LedgerVerdict & AccountHolders> {
  const verdict = await verifyLedger(database)
  const { customers, administrators } = await countPeople(database)
  const closedAccounts = Math.max(0, verdict.customers - customers - administrators)
  return { ...verdict, customers, administrators, closedAccounts }
}

type AccountHolders = { readonly administrators: number; readonly closedAccounts: number }
