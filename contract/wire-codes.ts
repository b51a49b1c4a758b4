/** Codes of the wire that both sides branch on. Messages are never matched, only codes. */

/** The table API found no row, or several, where one was asked for (PostgREST). */
export const singleRowCode = 'PGRST116'
