/** The commands on the operator's socket, keyed by name. */
import type { CertificateAnswer } from '@finanzas/contract/papers/certificate.ts'
import type { ReceiptAnswer } from '@finanzas/contract/papers/receipt.ts'
import { type StatementAnswer, readWhole } from '@finanzas/contract/papers/statement.ts'
import type { BankState } from '@finanzas/contract/operations/facts.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { SqlError, sql } from '#database/database.ts'
import { readStatementKeys } from '#database/statement-keys.ts'
import type { BackupReport } from '#backup/backups.ts'
import { BackupRefused } from '#backup/manifest.ts'
import { lastBackupAt } from '#backup/schedule.ts'
import { readBankState } from '#operations/read-bank-state.ts'
import { accessCommands, countPeople } from './access.ts'
import { recordCheck } from '#jobs/daily-check.ts'
import { type LedgerVerdict, verifyLedger } from '#ledger/verify.ts'
import { type CommandContext, CommandRefused, type OperatorCommands } from './command.ts'

export const operatorCommands = {
  ...accessCommands,
  backup,
  'verify-ledger': verify,
  status,
  'read-statement': readStatement,
  'read-receipt': readReceipt,
  'read-certificate': readCertificate,
  'read-statement-keys': ({ database }: CommandContext, _nothing: object) => readStatementKeys(database),
} satisfies OperatorCommands

export type CommandName = keyof typeof operatorCommands

/**
 * Makes a backup. The server continues to answer during the backup. `to` is an absolute path, or `null` for a new file
 * in the directory of scheduled backups.
 */
async function backup({ backups }: CommandContext, { to }: { to: string | null }): Promise<BackupReport> {
  if (backups === null) throw new Error('A backup on PostgreSQL is made by `npm run backup`.')
  try {
    return await backups.make(to)
  } catch (error) {
    throw error instanceof BackupRefused ? new CommandRefused(error.message, { cause: error }) : error
  }
}

/**
 * Returns the state of the bank. The state contains the last backup in this data directory, which a server may not have
 * reported to the database yet.
 */
async function status({ config, database }: CommandContext, _nothing: object): Promise<BankState> {
  const state = await readBankState(database)
  const here = lastBackupAt(config.dataDir)?.toISOString() ?? null
  const isNewer =
    here !== null && (state.last_backup_at === null || Date.parse(here) > Date.parse(state.last_backup_at))
  return isNewer ? { ...state, last_backup_at: here } : state
}

/** Verifies the whole ledger, stores the result, and counts the accounts. */
async function verify({ database }: CommandContext, _given: null): Promise<LedgerVerdict & AccountHolders> {
  const verdict = await verifyLedger(database)
  await recordCheck(database, verdict.broken !== null)
  const { customers, administrators } = await countPeople(database)
  const closedAccounts = Math.max(0, verdict.customers - customers - administrators)
  return { ...verdict, customers, administrators, closedAccounts }
}

type Asked = { readonly account: string; readonly month: string; readonly untilSeq: number }

/**
 * Returns a customer's statement, read with the customer's rights. If the account is unknown, the statement has an
 * empty `account`.
 */
async function readStatement(
  { database }: CommandContext,
  { account, month, untilSeq }: Asked,
): Promise<StatementAnswer> {
  if (!/^[\da-f-]{36}$/.test(account) || !/^\d{4}-\d\d$/.test(month) || !Number.isSafeInteger(untilSeq))
    throw new CommandRefused('El extracto no dice de qué cuenta y de qué mes es.')
  const claims = JSON.stringify({ sub: account, role: 'authenticated' })
  return readWhole(async (place) => {
    const [[row]] = await database.transaction(
      { role: 'authenticated', claims, session: null, access: 'read' },
      [
        // The account is known if it has a row in `budgets`. A closed account has no such row and is known by its
        // journal entries.
        sql<{ statement: StatementAnswer; is_known: boolean }>`
        select public.statement(${`${month}-01`}::date, ${place.untilSeq}, ${place.afterRow})::jsonb as statement,
          exists (select from public.budgets) or exists (select from public.journal_entries) as is_known`,
      ],
    )
    if (row === undefined) throw new Error('The function answered nothing.')
    return row.is_known ? row.statement : { ...row.statement, account: '' }
  }, untilSeq)
}

/**
 * Returns the receipt for a customer's transaction, read with the customer's rights, or `null` if the transaction is
 * unknown.
 */
async function readReceipt(
  { database }: CommandContext,
  {
    account,
    transaction,
    seq,
  }: { readonly account: string; readonly transaction: string; readonly seq: number },
): Promise<ReceiptAnswer | null> {
  if (!isUuid(account) || !isUuid(transaction))
    throw new CommandRefused('El comprobante no dice de qué cuenta y de qué movimiento es.')
  const claims = JSON.stringify({ sub: account, role: 'authenticated' })
  try {
    const [[row]] = await database.transaction(
      { role: 'authenticated', claims, session: null, access: 'read' },
      [
        sql<{
          receipt: ReceiptAnswer
        }>`select to_jsonb(public.receipt(${transaction}, posted_seq => ${seq})) as receipt`,
      ],
    )
    return row?.receipt ?? null
  } catch (error) {
    if (error instanceof SqlError && error.sqlState === 'PT404') return null
    throw error
  }
}

/** Returns the balance according to the bank after an entry, read with the customer's rights. */
async function readCertificate(
  { database }: CommandContext,
  { account, untilSeq }: { readonly account: string; readonly untilSeq: number },
): Promise<CertificateAnswer> {
  if (!isUuid(account) || !Number.isSafeInteger(untilSeq))
    throw new CommandRefused('El certificado no dice de qué cuenta es.')
  const claims = JSON.stringify({ sub: account, role: 'authenticated' })
  const [[row]] = await database.transaction(
    { role: 'authenticated', claims, session: null, access: 'read' },
    [
      sql<{
        certificate: CertificateAnswer
      }>`select to_jsonb(public.balance_certificate(until_seq => ${untilSeq})) as certificate`,
    ],
  )
  if (row === undefined) throw new Error('The function answered nothing.')
  return row.certificate
}

type AccountHolders = { readonly administrators: number; readonly closedAccounts: number }
