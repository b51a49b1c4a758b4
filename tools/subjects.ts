// The subjects of the product's SQL: a folder of supabase/schemas for each, lowest first, with the subjects that it may
// use. A subject may also use everything that these subjects may use, and the platform (server/database/platform).
// tools/schema/subjects.test.ts fails on every other use. docs/schema/README.md draws the table.

export const subjects = {
  ground: [],
  audit: ['ground'],
  notices: ['ground'],
  people: ['audit', 'notices'],
  orders: ['people'],
  money: ['people', 'notices'],
  planning: ['money', 'orders'],
  uploads: ['money', 'orders'],
  transfers: ['money', 'orders'],
  papers: ['money', 'orders'],
  acts: ['transfers', 'uploads'],
  staff: ['acts', 'papers'],
  operations: ['planning', 'staff'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Subject = keyof typeof subjects

/**
 * Trigger functions that know no table. The subject of the trigger's table uses the function. Any other trigger is a
 * subscription: the subject of its function uses the table.
 */
export const generalTriggerFunctions: readonly string[] = [
  'ledger.refuse_change',
  'private.begin_write',
  'private.lock_account_first',
  'private.count_written_rows',
]

/** Uses that the table above does not allow yet. This list may only become shorter. */
export const usesToEnd: readonly string[] = []
