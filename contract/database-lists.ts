/** Lists of the database. `npm run types` generates this file; a test fails when the file is out of date. */

/** Kinds of identity documents (`public.account_holders.document_kind`). */
export const documentKinds = ['CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** Reasons why a person is blocked (`private.block_reasons`). */
export type BlockReason = 'customer_request' | 'suspected_fraud' | 'identity_check' | 'legal_order' | 'other'
