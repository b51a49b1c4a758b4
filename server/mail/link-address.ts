/**
 * URLs in mails that open the page. A button on the page posts the token, which follows the `#` in the URL
 * (docs/decisions/0044).
 */
import {
  type cancelAddressLinkType,
  type confirmAddressLinkType,
  type stopNoticesLinkType,
  type stopRequestNoticesLinkType,
  type undoLinkType,
  mailedLinkPath,
} from '@finanzas/contract/people/mailed-link.ts'

/** Purpose of a link, spelled as in the link's URL and in requests to `verify`. */
export type VerificationType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change'

/** Purpose of a link that acts without opening a session, spelled as in the link's URL. */
type NoticeLinkType =
  | typeof undoLinkType
  | typeof confirmAddressLinkType
  | typeof cancelAddressLinkType
  | typeof stopNoticesLinkType
  | typeof stopRequestNoticesLinkType

/**
 * Returns the link to the page. The token is used up only when the user presses a button on the page, because mail
 * scanners open links but do not press buttons.
 */
export function pageAddress(
  siteUrl: string,
  { token, type }: { token: string; type: VerificationType | NoticeLinkType },
): string {
  return `${siteUrl}${mailedLinkPath}#${new URLSearchParams({ token_hash: token, type }).toString()}`
}

/**
 * Returns the URL for the header `List-Unsubscribe` (RFC 8058): mail programs send a POST, and a GET opens the page that
 * asks the user to confirm.
 */
export function oneClickStopAddress(siteUrl: string, token: string): string {
  return `${siteUrl}/auth/v1/stop_notices?${new URLSearchParams({ token }).toString()}`
}
