/** Proves amounts by a column of balances: the balance before a transaction and its amount give the balance after it. */
import type { Figure } from '#uploads/figures.ts'
import type { Direction } from './words.ts'

export type BalanceProof = {
  /** The direction of each row that the balances prove. */
  readonly directions: readonly (Direction | null)[]
  /** Whether the fee of a row changes the balance in addition to the amount. `null` if no row shows it. */
  readonly isFeeExtra: boolean | null
}

type Columns = {
  /** The amounts, whose signs may be missing. */
  readonly amounts: readonly (number | null)[]
  readonly fees?: readonly (number | null)[]
  readonly balances: readonly (Figure | null)[]
  /** Figures above the table and in rows of balances, among which the opening balance may be. */
  readonly others?: ReadonlySet<number>
  /**
   * The side of the balance before a transaction, as the days show it. It decides if both sides fit equally well, as they
   * do for equal amounts. `null` if the days do not show it either.
   */
  readonly before?: Side | null
}

type Side = 'above' | 'below'

/** Share of the comparable rows that must agree with the balances. Files of several accounts do not reach 1. */
const shareMin = 0.7

/** Returns what the balances prove, or `null` if they are not the balances of these amounts. */
export function proveByBalance({
  amounts,
  fees = [],
  balances,
  others = new Set(),
  before = 'above',
}: Columns): BalanceProof | null {
  const signed = balances.map(signedBalance)
  const places = [...signed.keys()].filter((place) => signed[place] !== null)
  const neighbours = new Map(
    places.map((place, index) => [place, { above: places[index - 1], below: places[index + 1] }]),
  )
  const read = { above: { hits: 0, of: 0 }, below: { hits: 0, of: 0 } }
  const steps = places.flatMap((place) => {
    const amount = Math.abs(amounts[place] ?? 0)
    if (amount === 0) return []
    const stepFrom = (side: Side) => {
      const from = neighbours.get(place)?.[side]
      if (from === undefined) return null
      const step = matchOf((signed[place] ?? 0) - (signed[from] ?? 0), amount, Math.abs(fees[place] ?? 0))
      read[side].of += 1
      if (step !== null) read[side].hits += 1
      return step
    }
    return [{ place, above: stepFrom('above'), below: stepFrom('below') }]
  })
  const isTie = read.above.hits === read.below.hits
  const first = isTie ? before : read.above.hits > read.below.hits ? 'above' : 'below'
  if (first === null) return null
  const second = first === 'above' ? 'below' : 'above'
  const { hits, of } = read[first]
  if (hits === 0 || hits < shareMin * of) return null
  const directions: (Direction | null)[] = amounts.map(() => null)
  let isFeeExtra: boolean | null = null
  for (const { place, ...sides } of steps) {
    // The other side of the oldest row is the balance before the next transaction, not before this one.
    if (neighbours.get(place)?.[first] === undefined) {
      const [amount, fee] = [amounts[place], fees[place]].map((minor) => Math.abs(minor ?? 0))
      const opening = openingMatch(signed, { place, amount: amount ?? 0, fee: fee ?? 0, others })
      directions[place] = opening?.direction ?? null
      isFeeExtra = opening?.isFeeExtra ?? isFeeExtra
      continue
    }
    // A bank may list the rows of one day against the order of the days.
    const match = sides[first] ?? sides[second]
    if (match === null) continue
    directions[place] = match.direction
    isFeeExtra = match.isFeeExtra ?? isFeeExtra
  }
  return { directions, isFeeExtra }
}

export function signedBalance(figure: Figure | null): number | null {
  if (figure === null) return null
  return figure.sign === '-' || figure.mark === 'debit' ? -figure.minor : figure.minor
}

/**
 * Returns what is proven about the oldest row, whose balance before the transaction is not in the table. It may stand
 * above the table. An account that is never overdrawn was not overdrawn before either.
 */
function openingMatch(
  signed: readonly (number | null)[],
  { place, amount, fee, others }: { place: number; amount: number; fee: number; others: ReadonlySet<number> },
): Match | null {
  const after = signed[place] ?? 0
  const [beforeIncome, beforeExpense] = [after - amount, after + amount]
  const known = [beforeIncome, beforeExpense, beforeIncome + fee, beforeExpense + fee].filter(
    (before, index, all) => others.has(before) && all.indexOf(before) === index,
  )
  if (known.length === 1) return matchOf(after - (known[0] ?? 0), amount, fee)
  const isNeverOverdrawn = fee === 0 && signed.every((balance) => (balance ?? 0) >= 0)
  const isOut = isNeverOverdrawn && beforeIncome < 0
  const isIn = isNeverOverdrawn && beforeIncome === 0
  return isOut || isIn ? { direction: isOut ? 'out' : 'in', isFeeExtra: null } : null
}

type Match = { readonly direction: Direction; readonly isFeeExtra: boolean | null }

function matchOf(change: number, amount: number, fee: number): Match | null {
  const direction = change < 0 ? 'out' : 'in'
  const size = Math.abs(change)
  if (size === amount) return { direction, isFeeExtra: fee === 0 ? null : false }
  if (fee === 0) return null
  // A fee makes an expense larger and an income smaller.
  if (change === -(amount + fee) || change === amount - fee)
    return { direction: change < 0 && size === amount + fee ? 'out' : 'in', isFeeExtra: true }
  return null
}
