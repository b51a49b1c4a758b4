/** Addresses in mails that open the page, which posts the token behind the `#` once a button is pressed (docs/decisions/0044). */
import {
  cancelAddressLinkType,
  confirmAddressLinkType,
  mailedLinkPath,
  undoLinkType,
} from '@finanzas/contract/mailed-link.ts'
import { type AddressChangeLink, addressChangeToken } from '#tokens/address-change.ts'
import type { Keys } from '#tokens/keys.ts'

/** Purpose of a link, as in its address and in `verify`. */
export type VerificationType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change'

/** The link on whose page a button spends the token, on whatever device; no scanner of mails does. */
export function pageAddress(siteUrl: string, link: { token: string; type: VerificationType }): string {
  return addressOf(siteUrl, link)
}

/** The link that takes a second factor away again. It opens the page, which asks first. */
export function undoAddress(siteUrl: string, token: string): string {
  return addressOf(siteUrl, { token, type: undoLinkType })
}

/** A link of a change of address that the bank asks for. It opens the page, which asks first. */
export function addressChangeAddress(
  siteUrl: string,
  keys: Pick<Keys, 'links'>,
  { link, seed }: { link: AddressChangeLink; seed: string },
): string {
  const type = link === 'confirm' ? confirmAddressLinkType : cancelAddressLinkType
  return addressOf(siteUrl, { token: addressChangeToken(keys, link, seed), type })
}

function addressOf(siteUrl: string, { token, type }: { token: string; type: string }): string {
  return `${siteUrl}${mailedLinkPath}#${new URLSearchParams({ token_hash: token, type }).toString()}`
}
