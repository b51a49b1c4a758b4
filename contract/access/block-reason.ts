/**
 * Reason why a person is blocked. The list is fixed, because the audit is kept after a person's account is deleted, and
 * must not contain free text about that person.
 */
export type BlockReason = 'customer_request' | 'suspected_fraud' | 'identity_check' | 'legal_order' | 'other'
