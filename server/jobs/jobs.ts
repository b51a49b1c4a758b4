/**
 * The periodic work of the bank. `private.jobs` says how often each job runs and what the database calls. The status
 * reports, the mail queue and the backups are work of each server by itself, and have loops of their own.
 */
import type { Config } from '#settings/config.ts'
import type { Database } from '#database/database.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { LedgerCheck } from './daily-check.ts'
import { inviteSome } from './invite-customers.ts'
import type { Job } from './run-jobs.ts'

export type JobServices = {
  readonly config: Config
  readonly database: Database
  readonly mailer: Mailer
  readonly ledgerCheck: LedgerCheck
}

/** Expired data may wait for this time, because a starting server is busy. */
const purgeAfterMs = 60_000

/** Returns the jobs. A job without `run` is carried out by the database itself. */
export function bankJobs({ config, database, mailer, ledgerCheck }: JobServices): readonly Job[] {
  return [
    ledgerCheck.job,
    { name: 'forget', failure: 'expired data could not be purged', firstAfterMs: purgeAfterMs },
    { name: 'forget sign-ins', failure: 'expired sign-ins could not be purged', firstAfterMs: purgeAfterMs },
    { name: 'record', failure: 'recurring expenses could not be recorded' },
    { name: 'end requests', failure: 'due requests could not be ended' },
    { name: 'return', failure: 'transfers could not be returned' },
    { name: 'post', failure: 'batches could not be posted' },
    { name: 'tell', failure: 'events could not be reported to customers' },
    { name: 'mail news', failure: 'customers could not be mailed' },
    { name: 'tell staff', failure: 'administrators could not be mailed' },
    {
      name: 'invite',
      failure: 'customers could not be invited',
      run: () => inviteSome({ database, mailer, config, perHour: config.invitationsPerHour }),
    },
  ]
}
