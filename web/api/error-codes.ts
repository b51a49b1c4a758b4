/** Error codes of the server that the page checks for. The page never compares error messages. */

/** The request asked for exactly one row, but the table API found no rows or several (PostgREST). */
export const singleRowCode = 'PGRST116'

/** The caller lacks a privilege (PostgreSQL). */
export const forbiddenCode = '42501'

/** A row with this key already exists (PostgreSQL). */
export const takenKeyCode = '23505'

/** The expense that the customer recorded would reduce the balance below `ownBalanceMin`. */
export const ownBalanceMinCode = 'FZ402'

/** The row that a function should change does not exist or belongs to another user (404). */
export const missingRowCode = 'PT404'

/** The request conflicts with the current state (409). */
export const conflictCode = 'PT409'

/** Too many of the user's writes were refused. The database refuses the next write before it reads it. */
export const refusedWritesMaxCode = 'FZ429'

/** The customer has reached the daily quota on their own postings. */
export const ownPostingsMaxCode = 'PT429'
