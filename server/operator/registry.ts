/** Every command that the operator's socket carries, by the name that the programs in server/operator/commands use. */
import type { BackupReport } from '#backup/backups.ts'
import { BackupRefused } from '#backup/refusal.ts'
import { countPeople } from './operator-access.ts'
import { type LedgerVerdict, verifyLedger } from '#ledger/verify.ts'
import { accessCommands } from './access.ts'
import { type Bank, CommandRefused, type OperatorCommands } from './bank.ts'

/** Name → function; a program asks for one by `runOnBank(config, name, given)`. */
export const operatorCommands = {
  ...accessCommands,
  backup,
  'verify-ledger': verify,
} satisfies OperatorCommands

/** The name of a command. */
export type CommandName = keyof typeof operatorCommands

/** Makes a backup while requests go on; `to` is an absolute path, `null` the place of the regular ones. */
async function backup({ backups }: Bank, { to }: { to: string | null }): Promise<BackupReport> {
  if (backups === null) throw new Error('A backup on PostgreSQL is made by `npm run backup`.')
  try {
    return await backups.make(to)
  } catch (error) {
    throw error instanceof BackupRefused ? new CommandRefused(error.message, { cause: error }) : error
  }
}

/** What the whole ledger says, and whose the accounts are: an administrator is no customer, and a closed account nobody's. */
async function verify({ database }: Bank, _given: null): Promise<LedgerVerdict & AccountHolders> {
  const verdict = await verifyLedger(database)
  const { customers, administrators } = await countPeople(database)
  const closedAccounts = Math.max(0, verdict.customers - customers - administrators)
  return { ...verdict, customers, administrators, closedAccounts }
}

type AccountHolders = { readonly administrators: number; readonly closedAccounts: number }
