/**
 * The rate limits of the server's surfaces (security.md DO-04). `private.limits` contains the limits of calls that work on
 * a hosted project too.
 */

/** A limit on the number of uses within a time window, which begins with the first use. */
export type Limit = {
  readonly capacity: number
  readonly windowSeconds: number
  /**
   * Maximum waiting time, for a limit with a back-off. Once a limit with a back-off is used up, it allows one use after
   * each wait. Each wait is twice as long as the previous wait, up to this maximum.
   */
  readonly waitSecondsMax?: number
}

const minute = 60
const hour = 3600

/** The limits by their names. A name is part of the bucket's key. */
const named = {
  /** Sign-in attempts to one account from networks from which the account's owner has not signed in before. */
  'sign-in from an unknown network': { capacity: 10, windowSeconds: minute, waitSecondsMax: 15 * minute },

  /**
   * Sign-in attempts to one account from a network from which the account's owner has signed in before. Attempts from
   * other networks do not count toward this limit.
   */
  'sign-in from a known network': { capacity: 10, windowSeconds: minute, waitSecondsMax: minute },

  /**
   * All sign-ins to one account. Successful sign-ins count too, because each sign-in costs a hash and a session. Each
   * network from which the owner has signed in before has a separate count. All other networks share one count.
   */
  'sign-in to an account': { capacity: 30, windowSeconds: 5 * minute },

  /** Failed sign-ins from one network to accounts whose owners have not signed in from this network before. */
  'sign-in from a network': { capacity: 30, windowSeconds: 5 * minute },

  'sign-up from a network': { capacity: 30, windowSeconds: hour },

  /**
   * Number of mails for one purpose to one address, whether or not the address has an account. A mail is sent only if the
   * limit per minute and the limit per hour have capacity.
   */
  'mail to a recipient in a minute': { capacity: 1, windowSeconds: minute },
  'mail to a recipient in an hour': { capacity: 30, windowSeconds: hour },

  /**
   * Number of mails that were requested from one network for accounts whose owners have not signed in from this network
   * before.
   */
  'mail asked for by a network': { capacity: 30, windowSeconds: hour },

  /**
   * Number of attempts to enter a six-digit code for one account. One code allows five attempts, but up to thirty codes
   * per hour are mailed. Links and passwords do not count toward this limit: a link's token has 256 bits, and passwords
   * have their own limits.
   */
  'code typed': { capacity: 20, windowSeconds: 24 * hour },

  /**
   * Challenges for second factors. The challenges are counted per session, so that a thief who knows only the password
   * cannot consume the owner's limit.
   */
  'challenge of a factor': { capacity: 15, windowSeconds: minute },

  /**
   * Refreshes of one session. Above this limit the server answers 503, because the client would discard its session after
   * a 429.
   */
  'refresh of a session': { capacity: 30, windowSeconds: 5 * minute },

  /** Number of refreshes from one network for sessions that do not exist. */
  'refresh from a network': { capacity: 150, windowSeconds: 5 * minute },

  /**
   * Function calls of one user. The limit allows one call per second on average. A payroll can use all calls of the ten
   * minutes at once.
   */
  'function call': { capacity: 600, windowSeconds: 10 * minute },

  /** Statements that the server generates and signs for one user. */
  statement: { capacity: 10, windowSeconds: 10 * minute },

  /**
   * Requests in which a signed-in user enters the current password or chooses a new password. These requests are counted
   * per session, so that a stolen session or token cannot keep the owner from changing the password.
   */
  'password asked once more': { capacity: 10, windowSeconds: minute, waitSecondsMax: 15 * minute },

  /**
   * Changes of a user's own data, and enrolments of second factors. Each of them writes a row of up to 4 kB, of which the
   * old version stays in the database's files until the next vacuum.
   */
  'change of a user': { capacity: 60, windowSeconds: 10 * minute },

  /**
   * Number of refused writes through the table API, counted per session. The rows of a refused write stay in the
   * database's files until the next vacuum. The page itself refuses most mistakes; a user of the page therefore stays far
   * below this limit.
   */
  'refused write of a session': { capacity: 60, windowSeconds: 10 * minute },

  /** Number of refused writes in all sessions of one user. One session alone never reaches this limit. */
  'refused write': { capacity: 300, windowSeconds: 10 * minute },
} satisfies Record<string, Limit>

export type LimitName = keyof typeof named

export const limits: Readonly<Record<LimitName, Limit>> = named

/** The limits that a mail consumes for its recipient. */
export const mailsPerRecipient = [
  'mail to a recipient in a minute',
  'mail to a recipient in an hour',
] as const
