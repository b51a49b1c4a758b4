import { mailedLinkPath } from '@finanzas/contract/people/mailed-link.ts'
import { callAuth } from '#api/client.ts'
import { noteAskedLink } from './stored.ts'

/** Mails a link with which the owner of the address can set another password. */
export async function sendRecoveryMail(email: string): Promise<void> {
  noteAskedLink(email)
  await callAuth((auth) => auth.resetPasswordForEmail(email, { redirectTo: linkTarget() }))
}

/**
 * Returns the URL that links in the bank's mails open. The page at this URL asks the user before it uses a single-use
 * link (contract/people/mailed-link.ts).
 */
export function linkTarget(): string {
  return `${window.location.origin}${mailedLinkPath}`
}
