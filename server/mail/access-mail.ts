/**
 * Mails that the database queues: about address changes, about staff actions on a user's access, about events of which
 * a customer wants to be notified, and about requests that wait for an administrator.
 */
import type { Keys } from '#tokens/keys.ts'
import { accessWords } from './access-words.ts'
import { pageAddress } from './link-address.ts'
import { type Mail, writeMail } from './mail-page.ts'
import type { Mailer } from './mailer.ts'
import { notificationMail, requestMail } from './notification-mail.ts'
import { type StaffNews, staffWords } from './staff-words.ts'
import { confirmationMail, invitationMail, whenAndWhere } from './templates.ts'

/** A notice in the form that `auth.enqueue_notice` stores. */
export type AccessNotice = {
  readonly to: string
  /** Name of the action in the audit log. */
  readonly action: string
  readonly after: Readonly<Record<string, string | null>> | null
  /** ISO 8601. */
  readonly at: string
  /**
   * Set only in a mail to an administrator: the origin and the actor of the action, and the user concerned
   * (`private.enqueue_staff_notices`).
   */
  readonly about?: StaffNews['about']
}

/** The mailer and the settings that all mails from a bank share. */
export type AccessMailer = {
  readonly mailer: Mailer
  readonly config: {
    readonly siteUrl: string
    readonly brandName: string
    readonly supportContact: string
  }
}

/**
 * Writes a mail about a change of access, about waiting requests or about events. The recipient is the user, an
 * administrator or a customer. Derives the links in the mail from `keys`.
 */
export function accessMail(
  config: AccessMailer['config'] & { readonly keys: Pick<Keys, 'links'> },
  { to, action, after, at, about }: AccessNotice,
): Mail {
  // The mail does not name a browser, because the action did not come from the user's browser.
  const notice = { ...config, to, incident: { at: new Date(at), userAgent: null } }
  if (action === 'tell_customer') return notificationMail(notice, after ?? {})
  if (action === 'tell_administrator') return requestMail(notice, after?.['seed'] ?? '')
  const { happened, ...words } =
    about === undefined
      ? accessWords(notice, action, after ?? {})
      : staffWords(notice, { action, after, about })
  return writeMail(notice, { ...words, paragraphs: [happened, whenAndWhere(notice)] })
}

/** Mails a confirmation or an invitation with a new token. Throws if the mail cannot be sent or stored. */
export function mailWaitingLink(
  { mailer, config: { siteUrl, brandName } }: AccessMailer,
  link: {
    readonly to: string
    readonly type: 'signup' | 'invite'
    readonly token: string
    /** Lifetime of an invitation, in words; by default a day. */
    readonly life?: string
    /** Id of the customer of a file, if the mail invites this customer. */
    readonly invited?: string
  },
): Promise<void> {
  const { to, type, token, life, invited } = link
  const letter = { to, brandName, link: pageAddress(siteUrl, { type, token }) }
  const mail = type === 'signup' ? confirmationMail(letter) : invitationMail(letter, life)
  return mailer.send(invited === undefined ? mail : { ...mail, invited })
}
