/** Reason why a person is blocked. A fixed list, because the audit outlives people and keeps no free text about them. */
export type BlockReason = 'customer_request' | 'suspected_fraud' | 'identity_check' | 'legal_order' | 'other'
