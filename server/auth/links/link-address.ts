/** The addresses that mails lead to, built from the configured site alone (security.md AN-09). */
import { mailedLinkPath, undoLinkType } from '@finanzas/contract/mailed-link.ts'

/** What a link is for, as the address says it and `verify` reads it. */
export type VerificationType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change'

/**
 * The link that spends the token and then leads to `redirectTo`, which `redirectTarget` answered. Where that is the
 * bank's own page for links, the token is handed to the page, behind the `#`, as a mail template of upstream's may
 * do: it is spent by a press of a button there, on whatever device, and by no scanner of mails.
 */
export function linkAddress(
  siteUrl: string,
  link: { readonly token: string; readonly type: VerificationType; readonly redirectTo: string },
): string {
  const target = new URL(link.redirectTo)
  if (target.pathname === mailedLinkPath) return pageAddress(target.origin, link.token, link.type)
  const query = new URLSearchParams({ token: link.token, type: link.type, redirect_to: link.redirectTo })
  return `${siteUrl}/auth/v1/verify?${query.toString()}`
}

/** The link that takes a second factor away again. It opens the page, which asks first. */
export function undoAddress(siteUrl: string, token: string): string {
  return pageAddress(siteUrl, token, undoLinkType)
}

function pageAddress(siteUrl: string, token: string, type: string): string {
  return `${siteUrl}${mailedLinkPath}#${new URLSearchParams({ token_hash: token, type }).toString()}`
}
