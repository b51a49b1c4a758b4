/** Error codes that the page and the server test for. They never compare messages. */

/** The request asked for a single row, and the table API found none or several (PostgREST). */
export const singleRowCode = 'PGRST116'

/** A row with this key exists already (PostgreSQL). */
export const takenKeyCode = '23505'

/** The customer's own expense would leave the balance below `ownBalanceMin`. */
export const ownBalanceMinCode = 'FZ402'

/** The row that a function should change does not exist, or belongs to another person (404). */
export const missingRowCode = 'PT404'

/** The request conflicts with the current state (409). */
export const conflictCode = 'PT409'

/** The customer's own postings exceed their daily quota. */
export const ownPostingsMaxCode = 'PT429'
