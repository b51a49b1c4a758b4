/**
 * The turns of sign-ins and sign-ups (docs/decisions/0050). Both take a turn before the server does any work for them,
 * because an attempt costs two database transactions and a hash. If the turn came only before the hash, attackers with
 * many connections would fill the database with attempts that the hash pool refuses afterwards.
 */
import { hashesAtOnceMax } from '#people/password/passwords.ts'
import { setKnownThere } from '#overload/admission.ts'
import { FairPool } from '#overload/fair-pool.ts'

/**
 * Maximum number of sign-ins that are processed at once in each group. While one of them waits for its hash, the others
 * use the database.
 */
export const signInsAtOnceMax = 4 * hashesAtOnceMax
/** Maximum number of sign-ins whose group is looked up at once. */
const lookupsAtOnceMax = 2

export type SignInTurn = {
  readonly network: string
  readonly account: string
  /** Looks up whether the account's owner has signed in from the network before. */
  readonly isKnownThere: () => Promise<boolean>
}

/**
 * Sign-ins from known networks have places of their own, and therefore never wait for a place that a sign-in from an
 * unknown network holds. In each group and at the look-up, networks and then accounts take turns.
 */
export class SignInTurns {
  readonly #lookups = new FairPool({ runningMax: lookupsAtOnceMax })
  readonly #known = new FairPool({ runningMax: signInsAtOnceMax })
  readonly #unknown = new FairPool({ runningMax: signInsAtOnceMax })

  /** Runs the sign-in or sign-up in its turn. Throws `PoolFull` when too many sign-ins wait. */
  async run<T>({ network, account, isKnownThere: lookUp }: SignInTurn, signIn: () => Promise<T>): Promise<T> {
    const isKnownThere = await this.#lookups.run({ isKnownThere: false, network, account }, lookUp)
    if (isKnownThere) setKnownThere()
    const group = isKnownThere ? this.#known : this.#unknown
    return group.run({ isKnownThere, network, account }, signIn)
  }
}
