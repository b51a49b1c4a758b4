/** Rows and answers about transfers that the table API returns. */
import type { Database } from '@finanzas/contract/database-types.ts'
import type { Account as Destination } from '@finanzas/contract/transfers/account.ts'

type Tables = Database['public']['Tables']
type BeneficiaryRow = Omit<Tables['beneficiaries']['Row'], 'destination'> & {
  destination: Destination | null
}
type Account = Database['public']['Functions']['transfer_account']['Returns']

/** Returns the balance, the reserved and available amounts, and the limits of an account. */
export function accountRow(part: Partial<Account> = {}): Account {
  return {
    balance: 1000,
    reserved: 100,
    available: 900,
    limits: [
      { name: 'transfer', bank_max: 1500, own_max: 800, left_max: 800 },
      { name: 'day', bank_max: 2000, own_max: null, left_max: 700 },
    ],
    automatic_max: 500,
    automatic_day_max: 500,
    needs_own_password: false,
    receive_min: null,
    receives_from_known: false,
    ...part,
  }
}

/** Returns a row of `beneficiaries`. By default, the beneficiary is confirmed, but is not a customer of the bank. */
export function beneficiaryRow(part: Partial<BeneficiaryRow> = {}): BeneficiaryRow {
  return {
    user_id: 'u',
    id: crypto.randomUUID(),
    name: 'Laura',
    address: 'laura@ejemplo.co',
    destination: null,
    created_at: '2026-11-20T15:00:00+00:00',
    confirmed_at: '2026-11-20T15:01:00+00:00',
    payee_name: null,
    removed_at: null,
    ...part,
  }
}

/**
 * Returns a row of `requests`. By default, the row is a transfer of 100 to Laura that waits for the bank's approval.
 */
export function transferRow(part: Partial<Tables['requests']['Row']> = {}): Tables['requests']['Row'] {
  return {
    id: crypto.randomUUID(),
    kind: 'transfer',
    status: 'waiting',
    asked_by: 'u',
    asked_at: '2026-11-20T15:00:00+00:00',
    payer: 'u',
    payer_name: 'Ana Pérez',
    payee: 'v',
    payee_name: 'Laura',
    payee_masked: null,
    about: null,
    amount: 100,
    description: null,
    due_on: null,
    expires_at: '2026-11-23T15:00:00+00:00',
    risk: 0,
    first_approved_by: null,
    decided_by: null,
    decided_by_name: null,
    decided_at: null,
    reason: null,
    ended_at: null,
    body_hash: '',
    details: null,
    ...part,
  }
}
