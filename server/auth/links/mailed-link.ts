/**
 * Creates and mails two kinds of links: links that a client can request without a session, and the two links that
 * confirm an address change.
 */
import type { FastifyBaseLogger } from 'fastify'
import { noticeOf } from '#auth/notices.ts'
import type { AuthServices } from '#auth/services.ts'
import type { EmailChange } from '#people/email-change.ts'
import {
  type LinkType,
  canSendLink,
  issueLink,
  newOneTimeCode,
  newOneTimeToken,
  oneTimeCodeMac,
} from '#people/one-time-tokens.ts'
import type { CodeChallenge } from '#people/session/pkce.ts'
import type { Mail } from '#mail/mail-page.ts'
import {
  type CodeLetter,
  type Incident,
  type LinkLetter,
  addressTakenMail,
  confirmationMail,
  emailChangeMail,
  invitationMail,
  magicLinkMail,
  recoveryMail,
} from '#mail/templates.ts'
import { linkAddress } from './redirect.ts'

export type LinkRequest = {
  readonly email: string
  readonly type: LinkType
  readonly redirectTo: string
  readonly challenge: CodeChallenge | null
}

/** Functions that write the mails. The code is empty if the mail does not contain a code. */
const mails: Record<LinkType, (letter: LinkLetter & CodeLetter) => Mail> = {
  signup: confirmationMail,
  recovery: recoveryMail,
  magiclink: magicLinkMail,
  invite: invitationMail,
}

/**
 * Creates a link and mails it if the address is allowed to receive one. Does the same work for every address before the
 * answer is sent. The token is created after the answer has been sent, because storing the token waits for the disk.
 */
export async function sendFreshLink(
  services: AuthServices,
  link: LinkRequest,
  log: FastifyBaseLogger,
): Promise<void> {
  if (!(await canSendLink(services.database, link))) return
  services.backgroundTasks.run(() => makeAndMailLink(services, link), log)
}

/** Creates a link and mails it. Does nothing if the address is not allowed to receive a link of this type. */
export async function makeAndMailLink(services: AuthServices, link: LinkRequest): Promise<void> {
  const { database, keys } = services
  const { email, type, challenge } = link
  const token = newOneTimeToken(challenge)
  const code = type === 'magiclink' ? newOneTimeCode() : ''
  const codeMac = code === '' ? null : oneTimeCodeMac(keys, code, email)
  if (await issueLink(database, { type, email, token, codeMac, challenge }))
    await mailLink(services, { ...link, token, code })
}

/** Mails a link that contains the token. Throws if the mail cannot be sent or stored. */
export async function mailLink(
  { mailer, config: { siteUrl, brandName } }: AuthServices,
  link: Omit<LinkRequest, 'challenge'> & { readonly token: string; readonly code: string },
): Promise<void> {
  const { email: to, type, code } = link
  await mailer.send(mails[type]({ to, link: linkAddress(siteUrl, link), code, brandName }))
}

/**
 * Creates an address change to `email` with new tokens. An address that has already confirmed the change gets no token.
 */
export function newEmailChange(
  email: string,
  challenge: CodeChallenge | null,
  agreed: 'current' | 'next' | null = null,
): EmailChange {
  const linkFor = (which: 'current' | 'next') =>
    which === agreed ? null : { token: newOneTimeToken(challenge), codeMac: null }
  return { email, challenge, current: linkFor('current'), next: linkFor('next') }
}

/**
 * Mails the links. If the new address belongs to another account, that address gets a notice instead of a link. Throws
 * if a mail cannot be sent or stored.
 */
export async function mailEmailChange(
  services: AuthServices,
  request: {
    readonly change: EmailChange
    readonly currentEmail: string
    readonly redirectTo: string
    readonly incident: Incident
    readonly isTaken: boolean
  },
): Promise<void> {
  const { change, currentEmail, redirectTo, incident, isTaken } = request
  const { mailer, config } = services
  const send = (to: string, token: string) => {
    const link = linkAddress(config.siteUrl, { token, type: 'email_change', redirectTo })
    return mailer.send(emailChangeMail({ ...noticeOf(services, to, incident), link, newEmail: change.email }))
  }
  if (change.current !== null) await send(currentEmail, change.current.token)
  if (change.next === null) return
  if (isTaken) await mailer.send(addressTakenMail(noticeOf(services, change.email, incident)))
  else await send(change.email, change.next.token)
}
