/** Parses the rows of a table as the lines of a batch, and finds the mistakes in each line. */
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { readUuid } from '@finanzas/contract/format/uuid.ts'
import type { SheetMapping } from '#staff/batches/sheet.ts'
import type { FoundUser } from '#staff/users/users.ts'
import { fold } from '#ui/format/text.ts'
import { readAmount } from '#amounts/amounts.ts'
import { readFigure } from '#uploads/figures.ts'
import { fieldOf, plainLine, type Table } from '#uploads/table.ts'

export type ColumnRole = 'customer' | 'amount' | 'description'

export type ColumnMapping = SheetMapping<ColumnRole>

/** The user's changes to a line. */
export type Edit = {
  readonly customer?: string
  readonly amount?: string
  readonly isOut?: boolean | undefined
}

export type CustomerFault = 'customer' | 'unknown'
export type AmountFault = 'amount' | 'zero' | 'negative' | 'large'

export type Deposit = {
  readonly line: number
  /** E-mail address or id from the file or from the user's correction. */
  readonly customer: string
  /** The amount's text from the file or from the user's correction. */
  readonly amount: string
  /** `null` if the text is not a valid deposit amount. */
  readonly amountMinor: MinorUnits | null
  readonly description: string
  /**
   * True if the user excluded the line, false if the user chose to send it, `undefined` if the user has not decided.
   */
  readonly isOut: boolean | undefined
  /** The mistakes in the customer and in the amount. A line can have both. */
  readonly customerFault: CustomerFault | null
  readonly amountFault: AmountFault | null
}

/** Parses rows as lines of a batch. `common` is the description for lines without their own description. */
export function readDeposits(
  { rows }: Table,
  mapping: ColumnMapping,
  common: string,
  edits: ReadonlyMap<number, Edit> = new Map(),
): Deposit[] {
  return rows.map((row) => {
    const edit = edits.get(row.line)
    const customer = edit?.customer ?? fieldOf(row, mapping.customer).trim()
    const text = edit?.amount ?? fieldOf(row, mapping.amount)
    // The user types amounts in the bank's notation, while the file may use a different notation.
    const typed = edit?.amount === undefined ? null : readAmount(text)
    const figure = typed?.ok === true ? typed.amountMinor : readFigure(text, mapping.decimal)
    const amountFault = amountFaultOf(figure)
    return {
      line: row.line,
      customer,
      amount: text,
      amountMinor: amountFault === null ? (figure as MinorUnits) : null,
      description: plainLine(fieldOf(row, mapping.description), descriptionLengthMax) ?? common,
      isOut: edit?.isOut,
      customerFault: namesCustomer(customer) ? null : 'customer',
      amountFault,
    }
  })
}

function amountFaultOf(figure: number | null): AmountFault | null {
  if (figure === null) return 'amount'
  if (figure === 0) return 'zero'
  if (figure < 0) return 'negative'
  return isTransactionAmount(figure as MinorUnits) ? null : 'large'
}

/** Returns whether the text could identify a customer, because it is an e-mail address or an id. */
export function namesCustomer(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) || readUuid(text) !== null
}

/** A line that has been compared with the bank's customers and with earlier lines. */
export type JudgedDeposit = Deposit & {
  readonly person: FoundUser | null
  /**
   * Reason why the user must confirm the line: `blocked` if the customer is blocked, or the number of an earlier line
   * with the same customer, amount and description.
   */
  readonly doubt: 'blocked' | number | null
}

export type Found = JudgedDeposit & { readonly person: FoundUser; readonly amountMinor: MinorUnits }

export function judgeDeposits(
  deposits: readonly Deposit[],
  customers: readonly FoundUser[],
): readonly JudgedDeposit[] {
  const byName = new Map(customers.map((customer) => [customer.name, customer]))
  const firsts = new Map<string, number>()
  return deposits.map((deposit) => {
    const person = byName.get(deposit.customer) ?? null
    if (person === null)
      return { ...deposit, person, customerFault: deposit.customerFault ?? 'unknown', doubt: null }
    if (deposit.amountFault !== null) return { ...deposit, person, doubt: null }
    const content = `${person.id} ${deposit.amountMinor} ${fold(deposit.description)}`
    const first = firsts.get(content)
    if (deposit.isOut !== true && first === undefined) firsts.set(content, deposit.line)
    return { ...deposit, person, doubt: first ?? (person.is_blocked ? 'blocked' : null) }
  })
}

/**
 * Returns whether the line is excluded: because it is faulty, because the user excluded it, or because the user has not
 * confirmed it yet.
 */
export function isLeftOut(deposit: JudgedDeposit): boolean {
  return isFaulty(deposit) || (deposit.isOut ?? deposit.doubt !== null)
}

export function isFaulty({ customerFault, amountFault }: Deposit): boolean {
  return customerFault !== null || amountFault !== null
}

export function isFound(deposit: JudgedDeposit): deposit is Found {
  return deposit.person !== null && deposit.amountMinor !== null
}
