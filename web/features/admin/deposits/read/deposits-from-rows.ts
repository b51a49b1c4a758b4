/** Reads the records of a table as deposits and faulty lines. */
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { fold } from '#format/text.ts'
import { fieldOf, plainLine, textOfRow } from '#upload/fields.ts'
import { readFigure } from '#upload/figures.ts'
import type { Table } from '#upload/table.ts'
import { namesCustomer, type ColumnMapping } from './column-mapping.ts'

export type Deposit = {
  readonly line: number
  /** An address or an id, as the file has it. */
  readonly customer: string
  readonly amountMinor: MinorUnits
  readonly description: string
}

type Fault = 'customer' | 'amount' | 'zero' | 'negative' | 'large'
export type BrokenLine = { readonly line: number; readonly fault: Fault; readonly text: string }

/** `common` is the description of lines without one. */
export function readDeposits(
  { rows }: Table,
  mapping: ColumnMapping,
  common: string,
): { deposits: Deposit[]; broken: BrokenLine[] } {
  const read = { deposits: [] as Deposit[], broken: [] as BrokenLine[] }
  for (const row of rows) {
    const { line } = row
    const customer = fieldOf(row, mapping.customer).trim()
    const amountMinor = readFigure(fieldOf(row, mapping.amount), mapping.decimal)
    const broken = (fault: Fault) => read.broken.push({ line, fault, text: textOfRow(row) })
    if (!namesCustomer(customer)) broken('customer')
    else if (amountMinor === null) broken('amount')
    else if (amountMinor === 0) broken('zero')
    else if (amountMinor < 0) broken('negative')
    else if (!isTransactionAmount(amountMinor as MinorUnits)) broken('large')
    else
      read.deposits.push({
        line,
        customer,
        amountMinor: amountMinor as MinorUnits,
        description: plainLine(fieldOf(row, mapping.description), descriptionLengthMax) ?? common,
      })
  }
  return read
}

/** A customer of the bank, as `find_customers` answers. */
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
  /** Of customers who are blocked. */
  readonly blocked: readonly Found[]
  /** The same customer, amount and words once more, with the line that was the first. */
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

export function sumOf(deposits: readonly Pick<Deposit, 'amountMinor'>[]): MinorUnits {
  return deposits.reduce((sum, { amountMinor }) => sum + amountMinor, 0) as MinorUnits
}
