/**
 * Stored passwords: argon2id in PHC form (RFC 9106, OWASP Password Storage). A password may contain any Unicode
 * character and is never truncated. GoTrue's limit of 72 bytes comes from bcrypt and does not apply.
 */
import { randomBytes } from 'node:crypto'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { isCommonPassword } from './blocklist.ts'
import { requestOrigin } from '#overload/admission.ts'
import { HashPool, TooManyHashes } from '#overload/hash-pool.ts'

/** The cost of hashing: KiB of memory, passes over it, threads. */
export type HashingCost = {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The cost of every new hash (security.md AN-01); an older hash is replaced at the next sign-in. */
const currentCost: HashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Length of a generated password, which gives 144 bits. */
const madeUpLength = 24

/** The result of comparing a password with a stored hash. */
export type Comparison = {
  readonly matches: boolean
  /** A hash at the current cost, if the stored hash has another cost. */
  readonly renewedHash: string | null
}

export type Weakness = 'too short' | 'too long' | 'common'

/** A password that this bank refuses, and the lengths in code points that it accepts. */
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

/** The owner's address, which is refused as the password. */
export type PasswordOwner = { readonly email: string | null }

/**
 * Hashes and compares passwords off the main thread. `hash` and `compare` throw `TooManyHashes` when too many hashes
 * wait.
 */
export type Passwords = {
  /** Throws `WeakPassword` at once. */
  readonly check: (password: string, owner: PasswordOwner) => void
  /** Checks the password, then hashes it. Throws `WeakPassword`. */
  readonly hash: (password: string, owner: PasswordOwner) => Promise<string>
  /** Generates a random password that this bank accepts. */
  readonly makeUp: () => string
  /**
   * Compares a password. Without a stored hash, does the same work and never matches, so that the time does not reveal
   * which accounts exist.
   */
  readonly compare: (password: string, stored: string | null) => Promise<Comparison>
  /** Throws `TooManyHashes` if `compare` would throw it, so that the server refuses a request before other work. */
  readonly requireRoom: () => void
}

/** Creates the functions for passwords of at least `lengthMin` code points, at the given cost. */
export function createPasswords({
  lengthMin,
  brandName,
  cost = currentCost,
}: {
  readonly lengthMin: number
  readonly brandName: string
  readonly cost?: HashingCost
}): Passwords {
  const pool = new HashPool()
  const decoy = decoyHash(cost)
  // The hash pool takes turns between accounts. A stored hash identifies its account; all new passwords of one
  // network count as one account.
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
      if (!pool.hasRoom(requestOrigin())) throw new TooManyHashes()
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

/** Unifies letters that keyboards write in two ways (ñ as one code point or as two). */
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

/** Returns a well-formed hash with random salt and digest, which no password matches. */
function decoyHash({ memoryCost, timeCost, parallelism }: HashingCost): string {
  const [salt, digest] = [16, 32].map((size) => randomBytes(size).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`
}
