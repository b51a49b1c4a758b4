/** Addresses in mails that open the page, which posts the token behind the `#` once a button is pressed (docs/decisions/0044). */
import { mailedLinkPath, undoLinkType } from '@finanzas/contract/mailed-link.ts'

/** What a link is for, as the address says it and `verify` reads it. */
export type VerificationType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change'

/** The link on whose page a button spends the token, on whatever device; no scanner of mails does. */
export function pageAddress(siteUrl: string, link: { token: string; type: VerificationType }): string {
  return addressOf(siteUrl, link)
}

/** The link that takes a second factor away again. It opens the page, which asks first. */
export function undoAddress(siteUrl: string, token: string): string {
  return addressOf(siteUrl, { token, type: undoLinkType })
}

function addressOf(siteUrl: string, { token, type }: { token: string; type: string }): string {
  return `${siteUrl}${mailedLinkPath}#${new URLSearchParams({ token_hash: token, type }).toString()}`
}
