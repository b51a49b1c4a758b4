/**
 * The names of the rate limits of the server's surfaces (security.md DO-04). `private.limits` has their numbers, and
 * tests/database/throttle.test.ts compares the names.
 */

export const limitNames = [
  /** Sign-in attempts to one account from networks from which the account's owner has not signed in before. */
  'sign-in from an unknown network',

  /**
   * Sign-in attempts to one account from a network from which the account's owner has signed in before. Attempts from
   * other networks do not count toward this limit.
   */
  'sign-in from a known network',

  /**
   * All sign-ins to one account. Successful sign-ins count too, because each sign-in costs a hash and a session. Each
   * network from which the owner has signed in before has a separate count. All other networks share one count.
   */
  'sign-in to an account',

  /** Failed sign-ins from one network to accounts whose owners have not signed in from this network before. */
  'sign-in from a network',

  'sign-up from a network',

  /**
   * Number of mails for one purpose to one address, whether or not the address has an account. A mail is sent only if the
   * limit per minute and the limit per hour have capacity.
   */
  'mail to a recipient in a minute',
  'mail to a recipient in an hour',

  /**
   * Number of mails that were requested from one network for accounts whose owners have not signed in from this network
   * before.
   */
  'mail requested by a network',

  /**
   * Number of attempts to enter a six-digit code for one account. One code allows five attempts, but up to thirty codes
   * per hour are mailed. Links and passwords do not count toward this limit: a link's token has 256 bits, and passwords
   * have their own limits.
   */
  'code typed',

  /**
   * Challenges for second factors. The challenges are counted per session, so that a thief who knows only the password
   * cannot consume the owner's limit.
   */
  'challenge of a factor',

  /**
   * Refreshes of one session. Above this limit the server answers 503, because the client would discard its session after
   * a 429.
   */
  'refresh of a session',

  /** Number of refreshes from one network for sessions that do not exist. */
  'refresh from a network',

  /** Function calls of one user. */
  'function call',

  /** Statements that the server generates and signs for one user. */
  'statement',

  /**
   * Requests in which a signed-in user enters the current password or chooses a new password. These requests are counted
   * per session, so that a stolen session or token cannot keep the owner from changing the password.
   */
  'password asked once more',

  /**
   * Changes of a user's own data, and enrolments of second factors. Each of them writes a row of up to 4 kB, of which the
   * old version stays in the database's files until the next vacuum.
   */
  'change of a user',

  /**
   * Number of refused writes through the table API, counted per session. The rows of a refused write stay in the
   * database's files until the next vacuum. The page itself refuses most mistakes; a user of the page therefore stays far
   * below this limit.
   */
  'refused write of a session',

  /** Number of refused writes in all sessions of one user. One session alone never reaches this limit. */
  'refused write',
] as const

export type LimitName = (typeof limitNames)[number]

/** The limits that a mail consumes for its recipient. */
export const mailsPerRecipient = [
  'mail to a recipient in a minute',
  'mail to a recipient in an hour',
] as const
