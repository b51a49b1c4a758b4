/**
 * The two links of a change of address that the bank requested. Each token is derived from the seed of the change and a
 * key outside the database. The database can therefore queue both mails in the database transaction that requests the
 * change.
 */
import type { Keys } from './keys.ts'

/**
 * `confirm` goes to the next address and proves that the owner of the address reads the mail; `cancel` goes to the
 * current one.
 */
export type AddressChangeLink = 'confirm' | 'cancel'

/** Returns the token: 256 bits, hex. */
export function addressChangeToken(
  { links }: Pick<Keys, 'links'>,
  link: AddressChangeLink,
  seed: string,
): string {
  return links.mac(['address change', link, seed])
}
