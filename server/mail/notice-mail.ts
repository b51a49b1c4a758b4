/** Mails that the database queues (`private.mail`): the bank tells people about something by itself. */
import { pageAddress } from './link-address.ts'
import { type Mail, writeMail } from './mail-page.ts'
import type { Mailer } from './mailer.ts'
import { confirmationMail, invitationMail, recoveryMail } from './templates.ts'
import type { Facts, NewsParts } from './news.ts'
import { topics } from './topics.ts'

/** A notice in the form that `auth.enqueue_notices` stores. */
export type QueuedNotice = {
  readonly to: string
  /** A name from `private.topics`, or a topic of the authentication service. */
  readonly topic: string
  readonly facts: Facts | null
  /** ISO 8601. */
  readonly at: string
}

/** The mailer and the settings that all mails from a bank share. */
export type NoticeMailer = {
  readonly mailer: Mailer
  readonly config: {
    readonly siteUrl: string
    readonly brandName: string
    readonly supportContact: string
  }
}

/** Writes the mail about a topic. Derives the links in the mail from `keys`. Throws for an unknown topic. */
export function noticeMail(
  config: NoticeMailer['config'] & NewsParts,
  { to, topic, facts, at }: QueuedNotice,
): Mail {
  const copyOf = topics[topic]
  if (copyOf === undefined) throw new Error(`The mail about the topic ${topic} has no text.`)
  // The mail does not name a browser, because the act did not come from the user's browser.
  const news = { ...config, to, facts: facts ?? {}, incident: { at: new Date(at), userAgent: null } }
  const { unsubscribe, ...copy } = copyOf(news)
  const mail = writeMail(news, copy)
  return unsubscribe === undefined ? mail : { ...mail, unsubscribe }
}

/** Mails a link with a new token, which staff or an operator requested for a person. Throws if the mail cannot be sent or stored. */
export function mailWaitingLink(
  { mailer, config: { siteUrl, brandName } }: NoticeMailer,
  link: {
    readonly to: string
    readonly type: 'signup' | 'invite' | 'recovery'
    readonly token: string
    /** Lifetime of an invitation, in words; by default a day. */
    readonly life?: string
    /** Id of the customer of a file, if the mail invites this customer. */
    readonly invited?: string
  },
): Promise<void> {
  const { to, type, token, life, invited } = link
  const letter = { to, brandName, link: pageAddress(siteUrl, { type, token }) }
  const mail =
    type === 'signup'
      ? confirmationMail(letter)
      : type === 'recovery'
        ? recoveryMail(letter, true)
        : invitationMail(letter, life)
  return mailer.send(invited === undefined ? mail : { ...mail, invited })
}
