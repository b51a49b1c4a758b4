/** Lists of the database. `npm run types` generates this file; a test fails when the file is out of date. */

/** Kinds of identity documents (`public.account_holders.document_kind`). */
export const documentKinds = ['CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** Reasons why a person is blocked (`private.block_reasons`). */
export type BlockReason = 'customer_request' | 'suspected_fraud' | 'identity_check' | 'legal_order' | 'other'

/** Columns of a transaction. */
export const transactionColumns = [
  'user_id',
  'id',
  'type',
  'description',
  'amount',
  'date',
  'category',
  'recorded_by',
  'is_void',
  'origin',
  'origin_id',
] as const

/** Maximum lengths of texts in code points, by table and column (check constraints of schema `public`). */
export const textLengthMax = {
  batches: { title: 200 },
  beneficiaries: { name: 80, address: 320 },
  categories: { name: 50 },
  category_budgets: { category: 50 },
  category_rules: { contains: 100, category: 50 },
  corrections: { reason: 200 },
  import_lines: { reference: 100 },
  notifications: { detail: 256 },
  profiles: { full_name: 120 },
  recurring_expenses: { description: 200, category: 50 },
  requests: { description: 140, reason: 200 },
  transactions: { description: 200, category: 50 },
} as const
