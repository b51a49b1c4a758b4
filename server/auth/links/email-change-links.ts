/** The two links of a change of address: one to the present address, one to the next. */
import type { EmailChange } from '#identity/email-change.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import type { CodeChallenge } from '#identity/session/pkce.ts'
import { type Incident, addressTakenMail, emailChangeMail } from '#mail/templates.ts'
import { linkAddress } from './link-address.ts'
import { noticeOf } from '#auth/notices.ts'
import type { AuthServices } from '#auth/services.ts'

/** A change to this address, with new tokens; none for the address that has agreed before. */
export function newEmailChange(
  email: string,
  challenge: CodeChallenge | null,
  agreed: 'current' | 'next' | null = null,
): EmailChange {
  const linkFor = (which: 'current' | 'next') =>
    which === agreed ? null : { token: newOneTimeToken(challenge), codeMac: null }
  return { email, challenge, current: linkFor('current'), next: linkFor('next') }
}

/** Sends the links; an account that has the next address gets a notice instead. Throws when a mail is not taken. */
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
