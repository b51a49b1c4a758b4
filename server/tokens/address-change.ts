/**
 * The two links of a change of address that the bank asks for. Each token follows from the seed of the change and a key
 * outside of the database, so that the database can enqueue both mails in the same database transaction as the effect.
 */
import type { Keys } from './keys.ts'

/** To the next address, which confirms that its mailbox is read; to the present one, which cancels the change. */
export type AddressChangeLink = 'confirm' | 'cancel'

/** 256 bits, hex. */
export function addressChangeToken(
  { links }: Pick<Keys, 'links'>,
  link: AddressChangeLink,
  seed: string,
): string {
  return links.mac(['address change', link, seed])
}
