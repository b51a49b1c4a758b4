/** Codes of the wire that both sides branch on. Messages are never matched, only codes. */

/** The table API found no row, or several, for a request of one (PostgREST). */
export const singleRowCode = 'PGRST116'

/** An own expense would leave the balance below `ownBalanceMin`. */
export const ownBalanceMinCode = 'FZ402'

/** The request conflicts with the current state (409). */
export const conflictCode = 'PT409'

/** More own postings than one may have in a day. */
export const ownPostingsMaxCode = 'PT429'
