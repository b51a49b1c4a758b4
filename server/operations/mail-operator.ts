/**
 * Mails to the operator about the beginning and the end of alarms (docs/decisions/0072). The database decides which
 * server sends a mail. A server decides by itself only while it cannot reach the database.
 */
import { type AlarmCode, isAlarmCode } from '@finanzas/contract/operations/alarms.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { alarmMail } from '#mail/alarm-mail.ts'
import type { MailQueue } from '#mail/mail-queue.ts'
import { asCalledHere } from '#settings/called-here.ts'
import type { Alarms } from './alarms.ts'

/** Time after which the server mails an alarm directly, because the database could not store the alarm. */
const directAfterMs = 60_000
const directIntervalMs = 3_600_000

export type OperatorMails = {
  readonly queue: Pick<MailQueue, 'sendAlarm' | 'sendDirectly'>
  readonly to: string
  readonly brandName: string
  readonly siteUrl: string
}

type News = { readonly code: AlarmCode; readonly isOpen: boolean; readonly at: Date }

export class OperatorMailer {
  readonly #mails: OperatorMails
  readonly #onFailure: (error: unknown) => void
  readonly #now: () => number
  /** The last direct mail about each alarm, and whether the database has a record of the mail. */
  readonly #direct = new Map<AlarmCode, { readonly at: number; isNoted: boolean }>()

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
  async mailStored(database: Database): Promise<void> {
    for (const [code, mailed] of this.#direct) {
      if (mailed.isNoted) continue
      // Once the database has a record of this mail, one of the servers mails the operator when the alarm ends.
      await database.transaction(asService('supabase_auth_admin', 'write'), [
        sql`select private.note_mailed_alarm(${code}, true)`,
      ])
      mailed.isNoted = true
    }
    const [due] = await database.transaction(asService('supabase_auth_admin', 'read'), [
      sql<{ code: string; is_open: boolean; at: string }>`
        select a.code, a.is_open, to_jsonb(a.at) #>> '{}' as at from private.alarms_to_mail() a`,
    ])
    for (const { code, is_open: isOpen, at } of due) {
      // A server of a newer release may have stored an alarm with a code that this release does not have.
      if (isAlarmCode(code))
        await this.#mails.queue.sendAlarm(this.#mailAbout({ code, isOpen, at: new Date(at) }), {
          code,
          isOpen,
        })
    }
  }

  /**
   * Mails the operator about alarms that the database could not store for a minute, at most once an hour for each
   * alarm. Never throws.
   */
  async mailDirectly(alarms: Pick<Alarms, 'unstored'>): Promise<void> {
    const now = this.#now()
    for (const { code, begunAt } of alarms.unstored()) {
      const last = this.#direct.get(code)?.at ?? Number.NEGATIVE_INFINITY
      if (now - begunAt < directAfterMs || now - last < directIntervalMs) continue
      this.#direct.set(code, { at: now, isNoted: false })
      await this.#mails.queue
        .sendDirectly(this.#mailAbout({ code, isOpen: true, at: new Date(begunAt) }))
        .catch(this.#onFailure)
    }
  }

  #mailAbout(news: News) {
    return alarmMail(this.#mails, { ...news, inWords: asCalledHere })
  }
}
