/** Reads the records of a table as deposits and faulty lines. */
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { readUuid } from '@finanzas/contract/uuid.ts'
import { fold } from '#format/text.ts'
import { readFigure, type DecimalMark } from '#upload/figures.ts'
import { brokenLine, fieldOf, plainLine, type BrokenLine, type Table } from '#upload/table.ts'

export type ColumnRole = 'customer' | 'amount' | 'description'

/** The position of each field's column, or `null` for a missing column. */
export type ColumnMapping = Readonly<Record<ColumnRole, number | null>> & { readonly decimal: DecimalMark }

export type Deposit = {
  readonly line: number
  /** Address or id, as written in the file. */
  readonly customer: string
  readonly amountMinor: MinorUnits
  readonly description: string
}

type Fault = 'customer' | 'amount' | 'zero' | 'negative' | 'large'

/** Turns rows into deposits and faulty lines. `common` is the description of lines without one. */
export function readDeposits(
  { rows }: Table,
  mapping: ColumnMapping,
  common: string,
): { deposits: Deposit[]; broken: BrokenLine<Fault>[] } {
  const read = { deposits: [] as Deposit[], broken: [] as BrokenLine<Fault>[] }
  for (const row of rows) {
    const customer = fieldOf(row, mapping.customer).trim()
    const amountMinor = readFigure(fieldOf(row, mapping.amount), mapping.decimal)
    const broken = (fault: Fault) => read.broken.push(brokenLine(row, fault))
    if (!namesCustomer(customer)) broken('customer')
    else if (amountMinor === null) broken('amount')
    else if (amountMinor === 0) broken('zero')
    else if (amountMinor < 0) broken('negative')
    else if (!isTransactionAmount(amountMinor as MinorUnits)) broken('large')
    else
      read.deposits.push({
        line: row.line,
        customer,
        amountMinor: amountMinor as MinorUnits,
        description: plainLine(fieldOf(row, mapping.description), descriptionLengthMax) ?? common,
      })
  }
  return read
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

export type Found = Deposit & { readonly person: Customer }

export type Sorted = {
  readonly clear: readonly Found[]
  /** Deposits for blocked customers. */
  readonly blocked: readonly Found[]
  /** Deposits with the same customer, amount and description as an earlier line, and the number of that line. */
  readonly twins: readonly (Found & { readonly first: number })[]
  readonly unknown: readonly Deposit[]
}

export function sortDeposits(deposits: readonly Deposit[], customers: readonly Customer[]): Sorted {
  const byName = new Map(customers.map((customer) => [customer.name, customer]))
  const firsts = new Map<string, number>()
  const sorted = {
    clear: [] as Found[],
    blocked: [] as Found[],
    twins: [] as (Found & { first: number })[],
    unknown: [] as Deposit[],
  }
  for (const deposit of deposits) {
    const person = byName.get(deposit.customer)
    if (person === undefined) {
      sorted.unknown.push(deposit)
      continue
    }
    const content = `${person.id} ${deposit.amountMinor} ${fold(deposit.description)}`
    const first = firsts.get(content)
    if (first !== undefined) sorted.twins.push({ ...deposit, person, first })
    else if (person.is_blocked) sorted.blocked.push({ ...deposit, person })
    else sorted.clear.push({ ...deposit, person })
    firsts.set(content, first ?? deposit.line)
  }
  return sorted
}
