/**
 * The token in a mailed link. With this link, a customer stops one kind of notice. The token consists of the seed,
 * which the database stores, and of a MAC under a key outside the database. The token therefore identifies its row, but
 * it cannot be created from the database alone.
 */
import { timingSafeEqual } from 'node:crypto'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import type { Keys } from './keys.ts'

/** Returns the token: the seed and 256 bits in hex, separated by a period. */
export function stopToken(keys: Pick<Keys, 'links'>, seed: string): string {
  return `${seed}.${macOf(keys, seed)}`
}

/** Returns the seed of a token, or `null` if this bank did not make the token. */
export function seedOf(keys: Pick<Keys, 'links'>, token: string): string | null {
  const [seed = '', mac = ''] = token.split('.', 2)
  if (!isUuid(seed)) return null
  const [expected, given] = [Buffer.from(macOf(keys, seed)), Buffer.from(mac)]
  return expected.length === given.length && timingSafeEqual(expected, given) ? seed : null
}

function macOf({ links }: Pick<Keys, 'links'>, seed: string): string {
  return links.mac(['stop notices', seed])
}
