/**
 * Password storage: argon2id hashes in the PHC string format (RFC 9106, OWASP Password Storage). A password may contain
 * any Unicode character and is never truncated. GoTrue's limit of 72 bytes comes from bcrypt and does not apply.
 */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { isCommonPassword } from './blocklist.ts'
import { requestOrigin } from '#overload/admission.ts'
import { FairPool, PoolFull } from '#overload/fair-pool.ts'

/**
 * Maximum number of hashes that are computed at once. One hash takes about 10 ms of CPU time and 19 MiB of memory
 * (security.md AN-12). One CPU core remains free for other work, and half of Node's four pool threads remain free for
 * file access.
 */
export const hashesAtOnceMax = Math.max(1, Math.min(2, availableParallelism() - 1))

/** The cost of hashing: the memory in KiB, the number of passes over the memory, and the number of threads. */
export type HashingCost = {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The cost of every new hash (security.md AN-01); a hash with an older cost is replaced at the user's next sign-in. */
const currentCost: HashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Length of a generated password, which gives 144 bits of entropy. */
const madeUpLength = 24

/** The result of comparing a password with a stored hash. */
export type Comparison = {
  readonly matches: boolean
  /** A new hash at the current cost if the stored hash has a different cost, otherwise `null`. */
  readonly renewedHash: string | null
}

export type Weakness = 'too short' | 'too long' | 'common'

/** Refusal of a weak password. The error names the password lengths that the bank accepts, in code points. */
export class WeakPassword extends Error {
  override readonly name = 'WeakPassword'
  readonly lengthMin: number
  readonly lengthMax = passwordLengthMax
  readonly weakness: Weakness

  constructor(fields: { lengthMin: number; weakness: Weakness }) {
    super(`The password is ${fields.weakness}.`)
    this.lengthMin = fields.lengthMin
    this.weakness = fields.weakness
  }
}

/** The account's owner, whose address is refused as a password. */
export type PasswordOwner = { readonly email: string | null }

/**
 * Hashes and compares passwords outside the main thread. `hash` and `compare` throw `PoolFull` if too many other
 * calls are already waiting.
 */
export type Passwords = {
  /** Throws `WeakPassword` immediately, without hashing. */
  readonly check: (password: string, owner: PasswordOwner) => void
  /** Checks the password, then hashes it. Throws `WeakPassword`. */
  readonly hash: (password: string, owner: PasswordOwner) => Promise<string>
  /** Generates a random password that this bank accepts. */
  readonly makeUp: () => string
  /**
   * Compares a password with a stored hash. Without a stored hash, the function does the same work and returns no
   * match, so that the response time does not reveal which accounts exist.
   */
  readonly compare: (password: string, stored: string | null) => Promise<Comparison>
  /**
   * Throws `PoolFull` if `compare` would throw this error, so that the server can refuse a request before doing other
   * work for it.
   */
  readonly requireRoom: () => void
}

/** Creates the password functions for a minimum length of `lengthMin` code points and the given hashing cost. */
export function createPasswords({
  lengthMin,
  brandName,
  cost = currentCost,
}: {
  readonly lengthMin: number
  readonly brandName: string
  readonly cost?: HashingCost
}): Passwords {
  const pool = new FairPool({ runningMax: hashesAtOnceMax })
  const decoy = decoyHash(cost)
  // The hash pool alternates between accounts. A stored hash identifies its account; all new passwords from one network
  // count as one account.
  const ownerOf = (stored: string | null) => ({ ...requestOrigin(), account: stored ?? '' })
  const hashOf = (password: string, stored: string | null) =>
    pool.run(ownerOf(stored), () => hash(normalise(password), cost))
  const check = (password: string, { email }: PasswordOwner) => {
    const { length } = [...normalise(password)]
    if (length < lengthMin) throw new WeakPassword({ lengthMin, weakness: 'too short' })
    if (length > passwordLengthMax) throw new WeakPassword({ lengthMin, weakness: 'too long' })
    if (isCommonPassword(password, { brandName, email }))
      throw new WeakPassword({ lengthMin, weakness: 'common' })
  }
  return {
    check,
    requireRoom() {
      if (!pool.hasRoom(requestOrigin())) throw new PoolFull()
    },
    makeUp: () =>
      randomBytes(passwordLengthMax).toString('base64url').slice(0, Math.max(madeUpLength, lengthMin)),
    async hash(password, owner) {
      check(password, owner)
      return hashOf(password, null)
    },
    async compare(password, stored) {
      const comparable = stored !== null && stored.startsWith('$argon2')
      const matches = await pool.run(ownerOf(stored), () =>
        verify(comparable ? stored : decoy, normalise(password)),
      )
      if (!comparable || !matches) return { matches: false, renewedHash: null }
      return { matches, renewedHash: hasCost(stored, cost) ? null : await hashOf(password, stored) }
    },
  }
}

/** Normalizes letters for which keyboards send different code points. For example, ñ may be one code point or two. */
function normalise(password: string): string {
  return password.normalize('NFC')
}

function hasCost(stored: string, cost: HashingCost): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored)
  return (
    stored.startsWith('$argon2id$') &&
    memoryCost === cost.memoryCost &&
    timeCost === cost.timeCost &&
    parallelism === cost.parallelism
  )
}

/** Returns a well-formed hash with a random salt and a random digest, which does not match any password. */
function decoyHash({ memoryCost, timeCost, parallelism }: HashingCost): string {
  const [salt, digest] = [16, 32].map((size) => randomBytes(size).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`
}
