/**
 * URLs in mails that open the page. A button on the page posts the token, which follows the `#` in the URL
 * (docs/decisions/0044).
 */
import {
  cancelAddressLinkType,
  confirmAddressLinkType,
  mailedLinkPath,
  stopNoticesLinkType,
  stopRequestNoticesLinkType,
  undoLinkType,
} from '@finanzas/contract/access/mailed-link.ts'
import { type AddressChangeLink, addressChangeToken } from '#tokens/address-change.ts'
import type { Keys } from '#tokens/keys.ts'

/** Purpose of a link, spelled as in the link's URL and in requests to `verify`. */
export type VerificationType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change'

/**
 * Returns the link to the page. The token is used up only when the user presses a button on the page, because mail
 * scanners open links but do not press buttons.
 */
export function pageAddress(siteUrl: string, link: { token: string; type: VerificationType }): string {
  return addressOf(siteUrl, link)
}

/** Returns the link that removes a second factor. The link opens a page that first asks the user to confirm. */
export function undoAddress(siteUrl: string, token: string): string {
  return addressOf(siteUrl, { token, type: undoLinkType })
}

/**
 * Returns a link that confirms or cancels an address change that the bank requested. The link opens a page that first
 * asks the user to confirm.
 */
export function addressChangeAddress(
  siteUrl: string,
  keys: Pick<Keys, 'links'>,
  { link, seed }: { link: AddressChangeLink; seed: string },
): string {
  const type = link === 'confirm' ? confirmAddressLinkType : cancelAddressLinkType
  return addressOf(siteUrl, { token: addressChangeToken(keys, link, seed), type })
}

/** Returns the link that stops one kind of notice. The link opens a page that first asks the user to confirm. */
export function stopAddress(siteUrl: string, token: string): string {
  return addressOf(siteUrl, { token, type: stopNoticesLinkType })
}

/** Returns the link that stops the mails about requests. The link opens a page that first asks the user to confirm. */
export function stopRequestsAddress(siteUrl: string, token: string): string {
  return addressOf(siteUrl, { token, type: stopRequestNoticesLinkType })
}

/**
 * Returns the URL for the header `List-Unsubscribe` (RFC 8058): mail programs send a POST, and a GET opens the page of
 * `stopAddress`.
 */
export function oneClickStopAddress(siteUrl: string, token: string): string {
  return `${siteUrl}/auth/v1/stop_notices?${new URLSearchParams({ token }).toString()}`
}

function addressOf(siteUrl: string, { token, type }: { token: string; type: string }): string {
  return `${siteUrl}${mailedLinkPath}#${new URLSearchParams({ token_hash: token, type }).toString()}`
}
