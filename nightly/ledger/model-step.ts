/** The state of the model, and one operation of a random sequence. */
import { SqlError, type SqlStatement } from '#server/database/database.ts'
import { type Person, run } from '#tests/database/people.ts'

/** The label is the row's description. The database chooses the id of a row that the bank records. */
export type Row = { id: string; label: string; signedMinor: number; isBanks: boolean }

export type Account = {
  person: Person
  live: Row[]
  deleted: Row[]
  balanceMinor: number
  /** The customer's beneficiary: the other customer of the couple. */
  beneficiary: string
  /** The customer's beneficiary at another bank. */
  elsewhere: string
}

/** A transfer in the model. The latest transfers come last. */
export type ModelTransfer = {
  id: string
  payer: Account
  /** `null` for a transfer to another bank. */
  payee: Account | null
  amountMinor: number
  status: string
  /** Whether the transfer is scheduled for tomorrow. */
  isForLater: boolean
  isDecided: boolean
  /** Whether the transfer was requested today, and therefore counts toward the limits of the day. */
  isOfToday: boolean
}

/** Two customers who transfer money to each other, and the administrator who decides. */
export type Couple = {
  administrator: Person
  accounts: readonly [Account, Account]
  transfers: ModelTransfer[]
  /** The limit `open transfers` of the bank. */
  openMax: number
}

/** The outcome of an operation is "ok", "refused", or the state of a transfer. */
export type Step = {
  what: string
  expected: string
  run: () => Promise<{ outcome: string; id: string }>
  /** Applies the operation to the model. `id` is the id of the row in the response. */
  apply: (id: string) => void | Promise<void>
}

export async function perform(by: Person, statement: SqlStatement): Promise<{ outcome: string; id: string }> {
  try {
    const [row] = await run(by, statement as SqlStatement<{ id?: string; status?: string }>)
    return { outcome: row?.status ?? 'ok', id: String(row?.id) }
  } catch (error) {
    if (error instanceof SqlError) return { outcome: 'refused', id: '' }
    throw error
  }
}

export function decimal(minor: number): string {
  return (minor / 100).toFixed(2)
}
