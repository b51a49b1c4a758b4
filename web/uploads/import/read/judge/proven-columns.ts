/** Recognizes columns of amounts by their sums: the balance after each amount, or the amount after its fee. */
import { isFigure, shareOf } from '#uploads/columns.ts'
import { guessDecimalMark } from '#uploads/figures.ts'
import { proveByBalance } from './balance.ts'
import { fitOf, headings, type BankTable } from './headings.ts'
import { figuresOf, sampleOf, signedIn } from './values.ts'

/** Returns the amount and the balance column that prove each other, if exactly one of the candidates is proven. */
export function provenAmount(table: BankTable, amounts: readonly number[], balances: readonly number[]) {
  const proven = amounts.flatMap((amount) =>
    balances.flatMap((balance) =>
      balance !== amount && isProven(table, [amount], balance) ? [{ amount, balance }] : [],
    ),
  )
  return new Set(proven.map(({ amount }) => amount)).size === 1 ? (proven[0] ?? null) : null
}

export function provenBalance(
  table: BankTable,
  figures: readonly number[],
  { debit, credit }: { debit: number | null; credit: number | null },
) {
  const money = [debit, credit].filter((place) => place !== null)
  return figures.find((place) => !money.includes(place) && isProven(table, money, place)) ?? null
}

/** Number of rows that must agree if no heading names the balance. Small figures often happen to add up. */
const unnamedHitsMin = 3

/** Number of rows by which a column of balances is recognized. */
const provenRows = 1000

export function isProven(table: BankTable, amounts: readonly number[], balance: number): boolean {
  const decimal = guessDecimalMark([...amounts, balance].flatMap((place) => sampleOf(table, place)))
  const firstOf = (place: number) => figuresOf(table, place, decimal).slice(0, provenRows)
  const columns = amounts.map(firstOf)
  const balances = firstOf(balance)
  const sums = balances.map((_, row) => columns.reduce((sum, figures) => sum + (figures[row]?.minor ?? 0), 0))
  const proof = proveByBalance({ amounts: sums, balances })
  const isNamed = fitOf(table.columns[balance] ?? '', headings.balance) > 0
  const needed = isNamed ? Math.min(2, table.rows.length - 1) : unnamedHitsMin
  return proof !== null && proof.directions.filter((each) => each !== null).length >= needed
}

/** Returns the column that is the sum of another one and its fee in every row, such as PayPal's net amount. */
export function netOf(table: BankTable, guesses: readonly number[], fee: number | null): number | null {
  if (fee === null) return null
  const isNet = (place: number) => fitOf(table.columns[place] ?? '', ['net', 'neto', 'netto', 'liquido']) > 0
  const candidates = [...table.columns.keys()]
    .filter((place) => place !== fee && shareOf(sampleOf(table, place), isFigure) > 0.9)
    .sort((one, other) => Number(isNet(other)) - Number(isNet(one)))
  const fees = signedIn(table, fee)
  const count = (sign: number) => fees.filter((value) => Math.sign(value ?? 0) === sign).length
  if (count(1) + count(-1) === 0) return null
  // A fee makes the net amount smaller, with whatever sign the fee is written.
  const factor = count(-1) > count(1) ? 1 : -1
  for (const net of candidates)
    for (const gross of candidates) {
      const [nets, grosses] = [signedIn(table, net), signedIn(table, gross)]
      if (
        net !== gross &&
        (guesses.includes(gross) || guesses.includes(net)) &&
        nets.every(
          (value, row) => value === null || value === (grosses[row] ?? 0) + factor * (fees[row] ?? 0),
        )
      )
        return net
    }
  return null
}

/** Removes columns with the same amounts as an earlier one in every row. */
export function withoutCopies(table: BankTable, places: readonly number[]): number[] {
  return places.filter((place, index) => {
    const own = signedIn(table, place)
    return !places
      .slice(0, index)
      .some((other) => signedIn(table, other).every((value, row) => value === own[row]))
  })
}
