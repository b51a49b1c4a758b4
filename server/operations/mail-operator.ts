/**
 * Tells the operator about the beginning and the end of alarms (docs/decisions/0072). The database decides which server
 * queues a mail. A server decides by itself only while it cannot reach the database.
 */
import type { AlarmCode } from '@finanzas/contract/operations/alarms.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { MailQueue } from '#mail/mail-queue.ts'
import type { Alarms } from './alarms.ts'

/** Time after which the server mails an alarm directly, because the database could not store the alarm. */
const directAfterMs = 60_000
const directIntervalMs = 3_600_000
/** Time after which the server sends a direct mail again that the mail server did not accept. */
const retryAfterMs = 60_000

export type OperatorMails = {
  readonly queue: Pick<MailQueue, 'deliverSoon' | 'sendDirectly'>
  readonly to: string
}

export class OperatorMailer {
  readonly #mails: OperatorMails
  readonly #onFailure: (error: unknown) => void
  readonly #now: () => number
  /** The last direct mail about each alarm, and whether the database has a record of the mail. */
  readonly #direct = new Map<AlarmCode, { readonly at: number; isNoted: boolean }>()
  /** The last attempt to send a direct mail about each alarm, also if it failed. */
  readonly #tried = new Map<AlarmCode, number>()

  constructor(
    mails: OperatorMails,
    onFailure: (error: unknown) => void,
    now: () => number = () => Date.now(),
  ) {
    this.#mails = mails
    this.#onFailure = onFailure
    this.#now = now
  }

  /** Queues a mail about each alarm whose beginning or end has not been mailed to the operator yet. */
  async tellStored(database: Database): Promise<void> {
    // Once the database has a record of a direct mail, one of the servers mails the operator when the alarm ends.
    const direct = [...this.#direct].filter(([, { isNoted }]) => !isNoted)
    const codes = JSON.stringify(direct.map(([code]) => code))
    const [[told]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
      sql<{ mails: number }>`
        select private.tell_alarms(
          ${this.#mails.to}, array(select jsonb_array_elements_text(${codes}::jsonb))
        ) as mails`,
    ])
    for (const [, mailed] of direct) mailed.isNoted = true
    if (told !== undefined && told.mails > 0) this.#mails.queue.deliverSoon()
  }

  /**
   * Mails the operator about alarms that the database could not store for a minute, at most once an hour for each
   * alarm. A failed mail is sent again after a minute. The database does not get a record of a failed mail, and
   * therefore mails the alarm itself if the alarm is still open. Never throws.
   */
  async mailDirectly(alarms: Pick<Alarms, 'unstored'>): Promise<void> {
    const now = this.#now()
    for (const { code, begunAt } of alarms.unstored()) {
      const last = this.#direct.get(code)?.at ?? Number.NEGATIVE_INFINITY
      const tried = this.#tried.get(code) ?? Number.NEGATIVE_INFINITY
      if (now - begunAt < directAfterMs || now - last < directIntervalMs || now - tried < retryAfterMs)
        continue
      this.#tried.set(code, now)
      const at = new Date(begunAt).toISOString()
      const notice = { topic: 'alarm', facts: { code, is_open: true, happened_at: at }, at } as const
      await this.#mails.queue
        .sendDirectly({ to: this.#mails.to, ...notice })
        .then(() => this.#direct.set(code, { at: now, isNoted: false }))
        .catch(this.#onFailure)
    }
  }
}
