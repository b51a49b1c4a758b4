/** The two links of a change of address: one to the present address, one to the next. */
import type { EmailChange } from '#identity/email-change.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import type { CodeChallenge } from '#identity/pkce.ts'
import { emailChangeMail } from '#mail/email-change-mail.ts'
import { linkAddress } from './link-address.ts'
import type { EndpointServices } from './services.ts'

/** A change whose two tokens nobody has seen yet. */
export type NewEmailChange = EmailChange & {
  readonly current: { readonly token: string; readonly codeMac: null }
  readonly next: { readonly token: string; readonly codeMac: null }
}

/** A change to this address. */
export function newEmailChange(email: string, challenge: CodeChallenge | null): NewEmailChange {
  const half = () => ({ token: newOneTimeToken(challenge), codeMac: null })
  return { email, challenge, current: half(), next: half() }
}

/** Sends both links. Throws when a mail is not taken. */
export async function mailEmailChange(
  { mailer, config: { siteUrl, brandName } }: EndpointServices,
  request: {
    readonly change: NewEmailChange
    readonly currentEmail: string
    /** As `redirectTarget` answers it. */
    readonly redirectTo: string
  },
): Promise<void> {
  const { change, currentEmail, redirectTo } = request
  const send = (to: string, token: string) => {
    const link = linkAddress(siteUrl, { token, type: 'email_change', redirectTo })
    return mailer.send(emailChangeMail({ to, link, newEmail: change.email, brandName }))
  }
  await send(currentEmail, change.current.token)
  await send(change.email, change.next.token)
}
