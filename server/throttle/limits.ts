/** All rate limits (security.md DO-04). */

/** A capacity for a window of time, which opens with the first use. */
export type Limit = {
  /** Unique; part of the bucket's key. */
  readonly name: string
  readonly capacity: number
  readonly windowSeconds: number
  /**
   * With it, a full window is followed by single uses, each after a back-off twice as long as the one before, up to
   * this: the longest time for which an account can be locked out.
   */
  readonly waitSecondsMax?: number
}

const minute = 60
const hour = 3600

/** Sign-in attempts to one account from networks in which its owner has not signed in before. */
export const signInsFromUnknownNetwork: Limit = {
  name: 'sign-in from an unknown network',
  capacity: 10,
  windowSeconds: minute,
  waitSecondsMax: 15 * minute,
}

/** The same from a network where its owner has signed in before: attempts from elsewhere do not count here. */
export const signInsFromKnownNetwork: Limit = {
  name: 'sign-in from a known network',
  capacity: 10,
  windowSeconds: minute,
  waitSecondsMax: minute,
}

/**
 * All sign-ins to one account, right ones too: each costs a hash and a session. It is counted for one network where the
 * owner has signed in from it before, and for all other networks together.
 */
export const signInsPerAccount: Limit = {
  name: 'sign-in to an account',
  capacity: 30,
  windowSeconds: 5 * minute,
}

/** Failed sign-ins from one network, to accounts whose owners have not signed in from there before. */
export const signInsPerNetwork: Limit = {
  name: 'sign-in from a network',
  capacity: 30,
  windowSeconds: 5 * minute,
}

export const signUpsPerNetwork: Limit = { name: 'sign-up from a network', capacity: 30, windowSeconds: hour }

/** Mails for one purpose to one address, with or without an account: both windows must have capacity. */
export const mailsPerRecipient: readonly Limit[] = [
  { name: 'mail to a recipient in a minute', capacity: 1, windowSeconds: minute },
  { name: 'mail to a recipient in an hour', capacity: 30, windowSeconds: hour },
]

/** Mails that one network requests, for accounts whose owners have not signed in from there before. */
export const mailsPerNetwork: Limit = {
  name: 'mail asked for by a network',
  capacity: 30,
  windowSeconds: hour,
}

/**
 * Six digits typed for one account: a code bears five tries, but there may be thirty an hour. Links, which hold
 * 256 bits, and passwords are not counted here.
 */
export const codesPerAccount: Limit = { name: 'code typed', capacity: 20, windowSeconds: 24 * hour }

/** Per session: a thief who knows the password alone uses up none of the owner's. */
export const challengesPerSession: Limit = {
  name: 'challenge of a factor',
  capacity: 15,
  windowSeconds: minute,
}

/** Beyond it the answer is 503, never that the session is at fault. */
export const refreshesPerSession: Limit = {
  name: 'refresh of a session',
  capacity: 30,
  windowSeconds: 5 * minute,
}

/** Refreshes from one network that name no session that is alive. */
export const refreshesPerNetwork: Limit = {
  name: 'refresh from a network',
  capacity: 150,
  windowSeconds: 5 * minute,
}

/** One a second, or all of ten minutes at once, as for a payroll. */
export const functionCallsPerUser: Limit = {
  name: 'function call',
  capacity: 600,
  windowSeconds: 10 * minute,
}

/** Statements that the bank makes and signs for one person. */
export const statementsPerUser: Limit = {
  name: 'statement',
  capacity: 10,
  windowSeconds: 10 * minute,
}

/**
 * Guesses at the present password of a signed-in user, and choices of another one. Per session: a stolen session, or
 * the token of one that has ended, does not keep the owner from changing the password.
 */
export const passwordChecksPerSession: Limit = {
  name: 'password asked once more',
  capacity: 10,
  windowSeconds: minute,
  waitSecondsMax: 15 * minute,
}

/**
 * Writes of one session that the database refused, through the table API. Rows of a refused write stay in the database's
 * files until the next vacuum. The page refuses most mistakes itself, so a person stays far below sixty.
 */
export const refusedWritesPerSession: Limit = {
  name: 'refused write of a session',
  capacity: 60,
  windowSeconds: 10 * minute,
}

/** The same of all sessions of one user. One session alone never reaches it. */
export const refusedWritesPerUser: Limit = {
  name: 'refused write',
  capacity: 5 * refusedWritesPerSession.capacity,
  windowSeconds: refusedWritesPerSession.windowSeconds,
}
