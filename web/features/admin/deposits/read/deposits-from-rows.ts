/** Reads the records of a table as the lines of a batch, each with its fault. */
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { readUuid } from '@finanzas/contract/uuid.ts'
import { fold } from '#format/text.ts'
import { readAmount } from '#money/amounts.ts'
import { readFigure, type DecimalMark } from '#upload/figures.ts'
import { fieldOf, plainLine, type Table } from '#upload/table.ts'

export type ColumnRole = 'customer' | 'amount' | 'description'

/** The position of each field's column, or `null` for a missing column. */
export type ColumnMapping = Readonly<Record<ColumnRole, number | null>> & { readonly decimal: DecimalMark }

/** The user's changes to a line. */
export type Edit = {
  readonly customer?: string
  readonly amount?: string
  readonly isOut?: boolean | undefined
}
export type Edits = ReadonlyMap<number, Edit>

export type Fault = 'customer' | 'amount' | 'zero' | 'negative' | 'large' | 'unknown'

export type Deposit = {
  readonly line: number
  /** Address or id, as written in the file or by the user. */
  readonly customer: string
  /** Text of the amount, as written in the file or by the user. */
  readonly amount: string
  /** `null` for a text that is not the amount of a deposit. */
  readonly amountMinor: MinorUnits | null
  readonly description: string
  /** True if the user left the line out, false if the user chose to send it, `undefined` without a decision. */
  readonly isOut: boolean | undefined
  readonly fault: Fault | null
}

/** Turns rows into lines. `common` is the description of lines without one. */
export function readDeposits(
  { rows }: Table,
  mapping: ColumnMapping,
  common: string,
  edits: Edits = new Map(),
): Deposit[] {
  return rows.map((row) => {
    const edit = edits.get(row.line)
    const customer = edit?.customer ?? fieldOf(row, mapping.customer).trim()
    const text = edit?.amount ?? fieldOf(row, mapping.amount)
    // The user types in the bank's notation. The file may have another one.
    const typed = edit?.amount === undefined ? null : readAmount(text)
    const figure = typed?.ok === true ? typed.amountMinor : readFigure(text, mapping.decimal)
    const fault = amountFault(figure)
    return {
      line: row.line,
      customer,
      amount: text,
      amountMinor: fault === null ? (figure as MinorUnits) : null,
      description: plainLine(fieldOf(row, mapping.description), descriptionLengthMax) ?? common,
      isOut: edit?.isOut,
      fault: namesCustomer(customer) ? fault : 'customer',
    }
  })
}

function amountFault(figure: number | null): Fault | null {
  if (figure === null) return 'amount'
  if (figure === 0) return 'zero'
  if (figure < 0) return 'negative'
  return isTransactionAmount(figure as MinorUnits) ? null : 'large'
}

/** Returns whether the text is an address or an id, which may name a customer. */
export function namesCustomer(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) || readUuid(text) !== null
}

/** A customer of the bank, as `find_customers` returns it. */
export type Customer = {
  readonly name: string
  readonly id: string
  readonly email: string
  readonly full_name: string | null
  readonly is_blocked: boolean
}

/** A line after the comparison with the bank's customers and with earlier lines. */
export type JudgedDeposit = Deposit & {
  readonly person: Customer | null
  /**
   * Reason for which the user must confirm the line: `blocked` for a blocked customer, or the number of an earlier line
   * with the same customer, amount and description.
   */
  readonly doubt: 'blocked' | number | null
}

export type Found = JudgedDeposit & { readonly person: Customer; readonly amountMinor: MinorUnits }

export function judgeDeposits(
  deposits: readonly Deposit[],
  customers: readonly Customer[],
): readonly JudgedDeposit[] {
  const byName = new Map(customers.map((customer) => [customer.name, customer]))
  const firsts = new Map<string, number>()
  return deposits.map((deposit) => {
    const person = byName.get(deposit.customer) ?? null
    if (deposit.fault !== null || person === null)
      return { ...deposit, person, fault: deposit.fault ?? 'unknown', doubt: null }
    const content = `${person.id} ${deposit.amountMinor} ${fold(deposit.description)}`
    const first = firsts.get(content)
    if (deposit.isOut !== true && first === undefined) firsts.set(content, deposit.line)
    return { ...deposit, person, doubt: first ?? (person.is_blocked ? 'blocked' : null) }
  })
}

/** Returns whether the line is left out: it has a fault, the user left it out, or the user has yet to confirm it. */
export function isLeftOut({ fault, doubt, isOut }: JudgedDeposit): boolean {
  return fault !== null || (isOut ?? doubt !== null)
}

export function isFound(deposit: JudgedDeposit): deposit is Found {
  return deposit.person !== null && deposit.amountMinor !== null
}
