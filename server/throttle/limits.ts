/** All rate limits (security.md DO-04). */

/** A capacity for a time window, which begins with the first use. */
export type Limit = {
  /** Unique; part of the bucket's key. */
  readonly name: string
  readonly capacity: number
  readonly windowSeconds: number
  /**
   * Maximum wait of a back-off, if the limit has one. A used-up limit allows one use after each wait. Each wait is
   * twice as long as the previous one, up to this maximum.
   */
  readonly waitSecondsMax?: number
}

const minute = 60
const hour = 3600

/** Sign-in attempts to one account from networks in which the account's owner has not signed in before. */
export const signInsFromUnknownNetwork: Limit = {
  name: 'sign-in from an unknown network',
  capacity: 10,
  windowSeconds: minute,
  waitSecondsMax: 15 * minute,
}

/**
 * Sign-in attempts to one account from a network in which the account's owner has signed in before. Attempts from
 * other networks do not count here.
 */
export const signInsFromKnownNetwork: Limit = {
  name: 'sign-in from a known network',
  capacity: 10,
  windowSeconds: minute,
  waitSecondsMax: minute,
}

/**
 * All sign-ins to one account, including successful ones, because each costs a hash and a session. Each known network
 * of the owner has a separate count. All unknown networks share one count.
 */
export const signInsPerAccount: Limit = {
  name: 'sign-in to an account',
  capacity: 30,
  windowSeconds: 5 * minute,
}

/** Failed sign-ins from one network, to accounts whose owners have not signed in from this network before. */
export const signInsPerNetwork: Limit = {
  name: 'sign-in from a network',
  capacity: 30,
  windowSeconds: 5 * minute,
}

export const signUpsPerNetwork: Limit = { name: 'sign-up from a network', capacity: 30, windowSeconds: hour }

/** Mails for one purpose to one address, with or without an account. Both limits must have capacity. */
export const mailsPerRecipient: readonly Limit[] = [
  { name: 'mail to a recipient in a minute', capacity: 1, windowSeconds: minute },
  { name: 'mail to a recipient in an hour', capacity: 30, windowSeconds: hour },
]

/** Mails that one network requests, for accounts whose owners have not signed in from this network before. */
export const mailsPerNetwork: Limit = {
  name: 'mail asked for by a network',
  capacity: 30,
  windowSeconds: hour,
}

/**
 * Attempts with six digits for one account. One code allows five attempts, but up to thirty codes an hour are mailed.
 * Links and passwords are not counted here: a link has 256 bits, and passwords have their own limits.
 */
export const codesPerAccount: Limit = { name: 'code typed', capacity: 20, windowSeconds: 24 * hour }

/**
 * Challenges to second factors, counted per session, so that a thief who knows only the password cannot consume the
 * owner's limit.
 */
export const challengesPerSession: Limit = {
  name: 'challenge of a factor',
  capacity: 15,
  windowSeconds: minute,
}

/**
 * Refreshes of one session. Above the limit the answer is 503, because the client would discard its session after a
 * 429.
 */
export const refreshesPerSession: Limit = {
  name: 'refresh of a session',
  capacity: 30,
  windowSeconds: 5 * minute,
}

/** Refreshes from one network without a living session. */
export const refreshesPerNetwork: Limit = {
  name: 'refresh from a network',
  capacity: 150,
  windowSeconds: 5 * minute,
}

/** Allows one call per second on average. A payroll may use the capacity of ten minutes at once. */
export const functionCallsPerUser: Limit = {
  name: 'function call',
  capacity: 600,
  windowSeconds: 10 * minute,
}

/** Statements that the server makes and signs for one person. */
export const statementsPerUser: Limit = {
  name: 'statement',
  capacity: 10,
  windowSeconds: 10 * minute,
}

/**
 * Checks of a signed-in user's current password, and choices of a new one. Counted per session, so that a stolen
 * session or token cannot keep the owner from changing the password.
 */
export const passwordChecksPerSession: Limit = {
  name: 'password asked once more',
  capacity: 10,
  windowSeconds: minute,
  waitSecondsMax: 15 * minute,
}

/**
 * Writes through the table API that the database refused, by session. Rows of a refused write stay in the database's
 * files until the next vacuum. The page refuses most mistakes itself, so a person stays far below sixty.
 */
export const refusedWritesPerSession: Limit = {
  name: 'refused write of a session',
  capacity: 60,
  windowSeconds: 10 * minute,
}

/** Refused writes in all sessions of one user. A single session never reaches this limit. */
export const refusedWritesPerUser: Limit = {
  name: 'refused write',
  capacity: 5 * refusedWritesPerSession.capacity,
  windowSeconds: refusedWritesPerSession.windowSeconds,
}
