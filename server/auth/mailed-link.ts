/** Mails the links of sign-up and recovery. Their address is built from the configured site alone. */
import type { FastifyBaseLogger } from 'fastify'
import { type OneTimeTokenType, issueOneTimeToken, mayBeSent } from '#identity/one-time-tokens.ts'
import { confirmationMail } from '#mail/confirmation-mail.ts'
import type { Letter } from '#mail/mail-page.ts'
import type { Mail } from '#mail/mailer.ts'
import { recoveryMail } from '#mail/recovery-mail.ts'
import type { EndpointServices } from './services.ts'

export type LinkRequest = {
  readonly email: string
  readonly type: OneTimeTokenType
  /** As `redirectTarget` answers it. */
  readonly redirectTo: string
}

const mails: Record<OneTimeTokenType, (letter: Letter) => Mail> = {
  signup: confirmationMail,
  recovery: recoveryMail,
}

/**
 * Makes a link and sends it, to an address that may have one. Answers after the same work for any
 * address: the token, too, is made after the answer, because keeping it waits for the disk.
 */
export async function sendFreshLink(
  services: EndpointServices,
  link: LinkRequest,
  log: FastifyBaseLogger,
): Promise<void> {
  if (!(await mayBeSent(services.database, link))) return
  services.afterAnswer.run(async () => {
    const token = await issueOneTimeToken(services.database, link)
    if (token !== null) await mailLink(services, { ...link, token })
  }, log)
}

/** Sends a link that spends the token. Throws when the mail is not taken. */
export async function mailLink(
  { mailer, config }: EndpointServices,
  { email, type, redirectTo, token }: LinkRequest & { readonly token: string },
): Promise<void> {
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo })
  const link = `${config.siteUrl}/auth/v1/verify?${query.toString()}`
  await mailer.send(mails[type]({ to: email, link, brandName: config.brandName }))
}
