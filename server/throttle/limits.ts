/** How often what may be asked for (security.md DO-04): every figure stands here and nowhere else. */

/** A number of places for a window of time, which opens when the first one is taken. */
export type Limit = {
  /** Unique; part of the bucket's key. */
  readonly name: string
  readonly places: number
  readonly windowSeconds: number
  /**
   * Where it is set, a full window is followed by single places, each after a wait that is twice as long as the
   * one before, up to this. It is the longest time for which anybody can be kept out.
   */
  readonly waitSecondsMax?: number
}

const minute = 60
const hour = 3600

/** Tries to sign in to one account, from networks in which its owner has not signed in before. */
export const signInsOfStrangers: Limit = {
  name: 'sign-in by a stranger',
  places: 10,
  windowSeconds: minute,
  waitSecondsMax: 15 * minute,
}

/** The same from a network where its owner has signed in before: strangers' tries do not count here. */
export const signInsOfKnown: Limit = {
  name: 'sign-in from a known network',
  places: 10,
  windowSeconds: minute,
  waitSecondsMax: minute,
}

/** Failed tries to sign in from one network, by people who have not signed in from there before. */
export const signInsOfNetwork: Limit = {
  name: 'sign-in from a network',
  places: 30,
  windowSeconds: 5 * minute,
}

export const signUpsOfNetwork: Limit = { name: 'sign-up from a network', places: 30, windowSeconds: hour }

/** Mails for one purpose to one person, whether there is an account or not: two windows, both must have a place. */
export const mailsToRecipient: readonly Limit[] = [
  { name: 'mail to a recipient in a minute', places: 1, windowSeconds: minute },
  { name: 'mail to a recipient in an hour', places: 30, windowSeconds: hour },
]

/** Mails that one network asks for, for people who have not signed in from there before. */
export const mailsOfNetwork: Limit = { name: 'mail asked for by a network', places: 30, windowSeconds: hour }

/**
 * Six digits that are typed for one account, whoever types them: a code takes five tries, but there may be thirty a
 * hour. Links, which hold 256 bits, and passwords are not counted here.
 */
export const codesOfAccount: Limit = { name: 'code typed', places: 20, windowSeconds: 24 * hour }

/** Questions for a code of an app. Of a session: whoever knows the password alone keeps its owner from none. */
export const challengesOfSession: Limit = { name: 'challenge of a factor', places: 15, windowSeconds: minute }

/** Refreshes of one session. Beyond, the answer is that the service is busy, never that the session is at fault. */
export const refreshesOfSession: Limit = {
  name: 'refresh of a session',
  places: 30,
  windowSeconds: 5 * minute,
}

/** Refreshes from one network that name no session that is alive. */
export const refreshesOfNetwork: Limit = {
  name: 'refresh from a network',
  places: 150,
  windowSeconds: 5 * minute,
}

/** Calls of the functions, by whoever is signed in: one a second, and all of ten minutes at once, as a payroll comes. */
export const functionCallsOfUser: Limit = { name: 'function call', places: 600, windowSeconds: 10 * minute }

/**
 * Guesses at the password of whoever is signed in, where it is asked once more, and choices of another one. Of a
 * session: who stole one, or the token of one that has ended, keeps its owner from changing the password in none.
 */
export const passwordQuestionsOfSession: Limit = {
  name: 'password asked once more',
  places: 10,
  windowSeconds: minute,
  waitSecondsMax: 15 * minute,
}
