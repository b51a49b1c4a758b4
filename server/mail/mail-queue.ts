/**
 * Mails wait in the database until the mail server accepts them (docs/decisions/0024). Therefore neither a mail server
 * outage nor a crash of the bank's server loses a mail. A mail is leased before it is sent, so that no other server
 * sends it at the same time. If a server crashes after it has sent a mail but before it has recorded this success, the
 * mail is sent again with the same Message-ID.
 */
import { type Database, sql } from '#database/database.ts'
import { CoalescedTask } from '#database/coalesced-task.ts'
import { asService } from '#database/scope.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import type { SealingKey } from '#tokens/keys.ts'
import type { QueuedNotice } from './notice-mail.ts'
import type { Mail } from './mail-page.ts'
import type { Mailer } from './mailer.ts'

const concurrentSendsMax = 4
/**
 * Lifetime of a lease. A server renews its lease each time that a third of this lifetime has passed; an expired lease
 * therefore belonged to a crashed server.
 */
const leaseSecondsDefault = 45
const firstRetrySeconds = 30
const retrySecondsMax = 3600
/**
 * Age at which the server gives up sending a mail. At this age, every sign-in link has expired. A link that removes a
 * second factor is still valid, because its lifetime is 72 hours.
 */
const givenUpAfterSeconds = 24 * 3600
const pollIntervalMs = 10_000

/**
 * Describes for the log why a mail was not sent. Does not contain the mail server's text, because that text names the
 * recipient.
 */
export type DeliveryFailure = {
  readonly mail: string
  readonly attempts: number
  /** The error code from the mail library or from Node, e.g. `ECONNREFUSED`, `EAUTH`. */
  readonly code: string
  /** The reply code that the mail server sent, e.g. 451. */
  readonly responseCode: number | null
}

export type DeliveryListener = {
  readonly onDelayed: (failure: DeliveryFailure) => void
  /**
   * Raises the operator's alarm. Called when the last attempt has failed. `recipient` is `null` if the mail could not
   * be read. The recipient must not be logged.
   */
  readonly onGivenUp: (failure: DeliveryFailure, recipient: string | null) => void
  readonly onFailure: (error: unknown) => void
}

type ClaimedMail = {
  id: string
  attempts: number
  is_last_try: boolean
} & ({ sealed: Uint8Array; notice: null } | { sealed: null; notice: QueuedNotice })

export type MailQueueOptions = {
  readonly database: Database
  readonly seal: SealingKey
  readonly transport: Mailer
  /** Writes the mail for a notice that the database has queued. */
  readonly mailOf: (notice: QueuedNotice) => Mail
  /** True for a transport that cannot lose mails. Each mail is then sent at once and not stored in the database. */
  readonly sendsAtOnce?: boolean
  readonly leaseSeconds?: number
}

export class MailQueue implements Mailer {
  readonly #database: Database
  readonly #seal: SealingKey
  readonly #transport: Mailer
  readonly #mailOf: MailQueueOptions['mailOf']
  readonly #sendsAtOnce: boolean
  readonly #leaseSeconds: number
  #delivery: CoalescedTask | null = null
  #timer: NodeJS.Timeout | null = null
  #givenUp = 0

  constructor(options: MailQueueOptions) {
    this.#leaseSeconds = options.leaseSeconds ?? leaseSecondsDefault
    this.#database = options.database
    this.#seal = options.seal
    this.#transport = options.transport
    this.#mailOf = options.mailOf
    this.#sendsAtOnce = options.sendsAtOnce ?? false
  }

  /** Stores the mail. Any server that has started to deliver mails may send this mail. */
  async send(mail: Mail): Promise<void> {
    if (this.#sendsAtOnce) return this.#transport.send(mail)
    await this.#write(sql`insert into auth.outgoing_mails (sealed, invited)
          values (${this.#sealed(mail)}, ${mail.invited ?? null}::uuid)`)
    this.deliverSoon()
  }

  /** Mails a notice without storing it. Used for the operator during an outage of the database. */
  sendDirectly(notice: QueuedNotice): Promise<void> {
    return this.#transport.send(this.#mailOf(notice))
  }

  deliverSoon(): void {
    this.#delivery?.run()
  }

  /** Starts to deliver mails, including mails that another server left behind. */
  deliver(listener: DeliveryListener): void {
    const delivery = new CoalescedTask(() => this.#deliverWhatIsDue(listener), listener.onFailure)
    this.#delivery = delivery
    this.#timer = setInterval(() => delivery.run(), pollIntervalMs).unref()
    delivery.run()
  }

  /**
   * Returns the number of mails that wait on all servers, and the age of the oldest waiting mail. Does not count mails
   * that the servers have given up sending.
   */
  async waiting(): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
    const [[row]] = await this.#database.transaction(asService('supabase_auth_admin', 'read'), [
      sql<{ count: number; oldestSeconds: number }>`
        select w.count, coalesce(extract(epoch from now() - w.oldest_at), 0)::double precision as "oldestSeconds"
        from auth.waiting_mails() w`,
    ])
    return row ?? { count: 0, oldestSeconds: 0 }
  }

  /** Number of mails that this process gave up sending. */
  get givenUp(): number {
    return this.#givenUp
  }

  /** Waits for the mails that are being sent. Mails that are still queued wait until the server starts again. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#delivery?.close()
    await this.#transport.close()
  }

  async #deliverWhatIsDue(listener: DeliveryListener): Promise<void> {
    for (;;) {
      const mails = await this.#claim()
      if (mails.length === 0) return
      await Promise.all(mails.map((mail) => this.#deliverOne(mail, listener)))
    }
  }

  async #claim(): Promise<ClaimedMail[]> {
    const [mails] = await this.#database.transaction(asService('supabase_auth_admin', 'write'), [
      sql<ClaimedMail>`
        update auth.outgoing_mails m
        set attempts = m.attempts + 1, next_try_at = now() + make_interval(secs => ${this.#leaseSeconds}::double precision)
        where m.id in (
          select due.id from auth.outgoing_mails due
          where due.next_try_at <= now()
          order by due.next_try_at limit ${concurrentSendsMax} for update skip locked
        )
        returning m.id, m.sealed, m.notice, m.attempts,
          m.created_at <= now() - make_interval(secs => ${givenUpAfterSeconds}) as is_last_try`,
    ])
    return mails
  }

  async #deliverOne(claimed: ClaimedMail, listener: DeliveryListener) {
    const { id, attempts, is_last_try } = claimed
    let recipient: string | null = null
    try {
      const mail = this.#open(claimed)
      recipient = mail.to
      await this.#whileLeased(id, () => this.#transport.send(mail, id))
      await this.#write(sql`delete from auth.outgoing_mails m where m.id = ${id}`)
    } catch (cause) {
      const isRefused = isUnknownRecipient(cause)
      const isOver = is_last_try || cause instanceof UnreadableMail || isRefused
      const wait = isOver ? null : Math.min(firstRetrySeconds * 2 ** (attempts - 1), retrySecondsMax)
      if (isOver) this.#givenUp += 1
      // Reports the failure before the write, because the write also fails if the database is unavailable. If the write
      // fails, the mail is retried when its lease expires.
      const failure = { mail: id, attempts, ...describe(cause) }
      if (isOver) listener.onGivenUp(failure, recipient)
      else listener.onDelayed(failure)
      // A mail that will not arrive must not count as an invitation.
      await this.#write(
        sql`with tried as (
              update auth.outgoing_mails m
              set next_try_at = now() + make_interval(secs => ${wait}::double precision) where m.id = ${id}
              returning m.invited, m.created_at
            )
            select private.return_invitation(t.invited, t.created_at, ${isRefused}) from tried t
            where ${isOver}::boolean and t.invited is not null`,
      )
    }
  }

  #sealed(mail: Mail): Uint8Array {
    return this.#seal.seal(Buffer.from(JSON.stringify(mail)))
  }

  #open({ notice, sealed }: ClaimedMail): Mail {
    if (notice !== null) return this.#mailOf(notice)
    try {
      return JSON.parse(this.#seal.open(sealed).toString()) as Mail
    } catch (cause) {
      throw new UnreadableMail('The mail was sealed under a JWT_SECRET that is not known here.', { cause })
    }
  }

  /**
   * Renews the lease until the work is done, so that no other server sends the mail while a slow mail server is
   * accepting it.
   */
  async #whileLeased(id: string, work: () => Promise<void>): Promise<void> {
    let prolonging = Promise.resolve()
    const prolong = () => {
      prolonging = this.#write(
        sql`update auth.outgoing_mails m
            set next_try_at = now() + make_interval(secs => ${this.#leaseSeconds}::double precision)
            where m.id = ${id}`,
      ).catch(() => undefined)
    }
    const timer = setInterval(prolong, (this.#leaseSeconds * 1000) / 3)
    try {
      await work()
    } finally {
      clearInterval(timer)
      // Waits for the renewal in progress. Otherwise this renewal would overwrite the time that the caller sets for the
      // next attempt.
      await prolonging
    }
  }

  async #write(statement: ReturnType<typeof sql>): Promise<void> {
    await this.#database.transaction(asService('supabase_auth_admin', 'write'), [statement])
  }
}

class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail'
}

function describe(cause: unknown): Pick<DeliveryFailure, 'code' | 'responseCode'> {
  if (!(cause instanceof Error)) return { code: 'unknown', responseCode: null }
  return {
    code: errorCode(cause) || cause.name,
    responseCode: 'responseCode' in cause ? Number(cause.responseCode) : null,
  }
}

/**
 * The enhanced status codes (RFC 3463) that say that the recipient's mailbox or domain does not exist. 5.2.1 is not one
 * of them: Gmail sends it also while a mailbox gets too many mails.
 */
const unknownRecipientCodes: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])
/** Texts of mail servers that send no enhanced code, such as `User unknown` and `No such user here`. */
const unknownRecipientText =
  /\b(?:(?:user|recipient|mailbox|address|account) (?:is )?(?:unknown|not found|does(?: not|n't) exist)|(?:no such|unknown) (?:user|recipient|mailbox|address|account))\b/i

/**
 * Returns true if the mail server says that the recipient does not exist, so that another attempt would fail too. Every
 * other refusal may come from a rule or a fault of the mail server, which the operator can change. A text about the
 * sender does not count.
 */
function isUnknownRecipient(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return false
  if (error.command !== 'RCPT TO' || Number(error.responseCode) < 500) return false
  const answer = 'response' in error ? String(error.response) : ''
  const [, enhanced] = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(answer) ?? []
  if (enhanced !== undefined) return unknownRecipientCodes.has(enhanced)
  return unknownRecipientText.test(answer) && !/\bsender\b/i.test(answer)
}
