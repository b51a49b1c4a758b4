/**
 * The two links for an address change that the bank requested. Each token is derived from the change's seed and from a
 * key outside the database. The database can therefore queue both mails in the database transaction that requests the
 * change.
 */
import type { Keys } from './keys.ts'

/**
 * `confirm` is mailed to the next address and proves that the owner of that address reads the mail; `cancel` is mailed
 * to the current address.
 */
export type AddressChangeLink = 'confirm' | 'cancel'

/** Returns the token: 256 bits in hex. */
export function addressChangeToken(
  { links }: Pick<Keys, 'links'>,
  link: AddressChangeLink,
  seed: string,
): string {
  return links.mac(['address change', link, seed])
}
