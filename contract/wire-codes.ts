/** Codes of the wire that both sides branch on. Messages are never matched, only codes. */

/** The table API found no row, or several, where one was asked for (PostgREST). */
export const singleRowCode = 'PGRST116'

/** An own expense would leave the balance below `ownBalanceMin`. */
export const ownBalanceMinCode = 'FZ402'

/** What is asked for cannot be done with what is there. */
export const conflictCode = 'PT409'

/** More own postings than one may have in a day. */
export const ownPostingsMaxCode = 'PT429'
