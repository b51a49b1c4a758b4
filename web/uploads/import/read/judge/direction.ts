/** Judges for each row whether money goes out or comes in. The direction is proven by the file or asked, never guessed. */
import type { Figure } from '#uploads/figures.ts'
import {
  speaksOfBarePayment,
  speaksOfIncome,
  speaksOfPurchase,
  speaksOfRefund,
  type Direction,
} from './words.ts'

/** The sign that expenses have in this file. */
export type ExpenseSign = 'negative' | 'positive'

/** A row with one amount, and the evidence that the row itself contains. */
export type Entry = {
  readonly figure: Figure
  /** The direction that the column of directions names. */
  readonly word: Direction | null
  /** The direction that the balances prove. */
  readonly balance: Direction | null
  /** The description and the type of the row, and its category in a line of its own. */
  readonly words: string
}

/** The evidence by which the directions were decided. The page shows it. */
export type Evidence = 'words' | 'marks' | 'minus' | 'signs' | 'balance' | 'answer'

export type Directions = {
  readonly of: readonly Direction[]
  readonly evidence: readonly Evidence[]
  /** Entries whose direction the user must decide: all amounts without a sign, or the signs of a card. */
  readonly open: readonly number[]
}

type Circumstances = {
  /** The user's answer. */
  readonly answer: ExpenseSign | undefined
  /** Whether the format defines that a minus means an expense, so that a minus counts more than a word. */
  readonly isMinusDefined: boolean
  /** Whether the format defines that the word of each row is its direction. */
  readonly isIndicator?: boolean
  /** Whether the title or a heading names a credit card. */
  readonly isOfCard?: boolean
}

export function judgeDirections(
  written: readonly Entry[],
  { answer, isMinusDefined, isIndicator = false, isOfCard = false }: Circumstances,
): Directions {
  const hasMinus = written.some(({ figure }) => figure.sign === '-')
  const isMinusUsed = isMinusDefined && hasMinus && !areDebitsUnsigned(written)
  const areDebts = isDebt(written, isOfCard)
  const entries = written.map((entry) => ({
    ...entry,
    word: isMinusUsed ? null : entry.word,
    balance: areDebts ? null : entry.balance,
  }))
  const evidence = new Set<Evidence>()
  const byWord = wordRuleOf(entries, isIndicator)
  const bySign = signRuleOf(
    entries.filter((entry) => byWord(entry) === null),
    { answer, evidence, isOfCard, worded: entries.filter((entry) => byWord(entry) !== null) },
  )
  const directions = entries.map((entry): Direction | null => {
    const word = byWord(entry)
    if (word !== null) {
      evidence.add('words')
      if (entry.balance === word) evidence.add('balance')
      return word
    }
    if (bySign !== null) return bySign(entry)
    if (entry.balance !== null) evidence.add('balance')
    return entry.balance
  })
  const open = [...entries.keys()].filter((place) => directions[place] === null)
  // A row that reduces a debt has the opposite direction of a row that raises it.
  const isReducing = (place: number) => areDebts && !hasMinus && written[place]?.balance === 'out'
  if (open.length > 0 && answer !== undefined) evidence.add('answer')
  // Until the user has answered, the rows are shown with the more common reading, and nothing can be recorded.
  const provisional = directionOf(answer ?? (hasMinus ? 'negative' : 'positive'))
  return {
    of: directions.map((each, place) => {
      const direction = provisional(entries[place])
      return each ?? (isReducing(place) ? (direction === 'out' ? 'in' : 'out') : direction)
    }),
    evidence: [...evidence],
    open: open.filter((place) => !isReducing(place)),
  }
}

function directionOf(expenses: ExpenseSign): (entry: Entry | undefined) => Direction {
  return (entry) => ((entry?.figure.sign === '-') === (expenses === 'negative') ? 'out' : 'in')
}

type SignRule = (entry: Entry) => Direction

type Signs = {
  readonly answer: ExpenseSign | undefined
  readonly evidence: Set<Evidence>
  readonly isOfCard: boolean
  /** The rows whose direction a word names. */
  readonly worded: readonly Entry[]
}

/** Returns how the signs are read, or `null` if they do not show the direction. */
function signRuleOf(
  entries: readonly Entry[],
  { answer, evidence, isOfCard, worded }: Signs,
): SignRule | null {
  const negative = entries.filter(({ figure }) => figure.sign === '-')
  const proven = agreedSign(entries, ({ balance }) => balance)
  if (entries.some(({ figure }) => figure.mark !== '')) {
    evidence.add('marks')
    return ruleOfMarks(entries)
  }
  // The signs of the rows that a word names show how the signs of the other rows are read.
  const isSigned = [...worded, ...entries].some(({ figure }) => figure.sign === '-')
  const shown = isSigned && proven === null ? agreedSign(worded, ({ word }) => word) : null
  if (shown !== null && entries.length > 0) {
    evidence.add('signs')
    return directionOf(shown)
  }
  if (negative.length === 0) {
    const plus = entries.filter(({ figure }) => figure.sign === '+').length
    if (plus === 0 || plus === entries.length) return null
    evidence.add('signs')
    return ({ figure }) => (figure.sign === '+' ? 'in' : 'out')
  }
  if (proven !== null) {
    evidence.add('balance')
    return directionOf(proven)
  }
  if (worded.length > 0 && answer === undefined) return null
  if (negative.length === entries.length) {
    if (entries.every(({ word }) => word === 'in')) return null
    evidence.add('minus')
    return () => 'out'
  }
  const contradicting = entries.filter(
    ({ word, figure }) => word !== null && (word === 'out') !== (figure.sign === '-'),
  )
  const isContradicted = 2 * contradicting.length > entries.length
  if (isContradicted || mayBeACard(entries, isOfCard)) return null
  evidence.add(answer === undefined ? 'signs' : 'answer')
  return directionOf(answer ?? 'negative')
}

function ruleOfMarks(entries: readonly Entry[]): SignRule {
  const hasDebit = entries.some(({ figure }) => figure.mark === 'debit')
  const hasCredit = entries.some(({ figure }) => figure.mark === 'credit')
  // If only one of the marks is used, an amount without a mark has the other direction.
  const unmarked = hasDebit && !hasCredit ? 'in' : 'out'
  return ({ figure }) => {
    if (figure.mark !== '') return figure.mark === 'debit' ? 'out' : 'in'
    return figure.sign === '-' ? 'out' : figure.sign === '+' ? 'in' : unmarked
  }
}

/** Share of the proven rows that must agree about the sign of the expenses. */
const agreeingMin = 0.8

function agreedSign(
  entries: readonly Entry[],
  directionIn: (entry: Entry) => Direction | null,
): ExpenseSign | null {
  const proven = entries.filter((entry) => directionIn(entry) !== null)
  const asWritten = proven.filter(
    (entry) => (entry.figure.sign === '-') === (directionIn(entry) === 'out'),
  ).length
  if (proven.length === 0) return null
  if (asWritten >= agreeingMin * proven.length) return 'negative'
  return asWritten <= (1 - agreeingMin) * proven.length ? 'positive' : null
}

/** Returns whether the balances are the debt of a card, which purchases increase and payments reduce. */
function isDebt(entries: readonly Entry[], isOfCard: boolean): boolean {
  const reducing = entries.filter(({ balance }) => balance === 'out')
  const raising = entries.filter(({ balance }) => balance === 'in')
  if (raising.length > 0 && shareOf(raising, isPurchase) >= 0.5) return true
  if (isOfCard && raising.length >= reducing.length && shareOf(raising, isCredited) < 1) return true
  return areOfCard(
    reducing,
    entries.filter(({ balance }) => balance !== 'out'),
  )
}

/** Returns whether most debits have no minus, so that the minus does not have its defined meaning. */
function areDebitsUnsigned(entries: readonly Entry[]): boolean {
  const debits = entries.filter(({ word }) => word === 'out')
  return 2 * debits.filter(({ figure }) => figure.sign === '-').length < debits.length
}

/**
 * Returns whether the file may be a card's, in which purchases are positive. The title, a heading or the words of the rows
 * speak for it. Words of purchases on the negative rows speak against it, and so do words of payments or incomes on all
 * positive ones.
 */
function mayBeACard(entries: readonly Entry[], isOfCard: boolean): boolean {
  const negative = entries.filter(({ figure }) => figure.sign === '-')
  const positive = entries.filter(({ figure }) => figure.sign !== '-')
  if (shareOf(positive, isCredited) === 1 || shareOf(negative, isPurchase) > 0.5) return false
  return isOfCard || shareOf(positive, isPurchase) > 0.5 || areOfCard(negative, positive)
}

/** Returns whether some rows, at most half of all, speak of refunds and payments, as the negative rows of a card do. */
function areOfCard(rows: readonly Entry[], others: readonly Entry[]): boolean {
  const isReturned = ({ words }: Entry) => speaksOfRefund(words) || speaksOfBarePayment(words)
  return (
    rows.length > 0 &&
    rows.length <= others.length &&
    shareOf(rows, isReturned) >= 0.5 &&
    shareOf(others, ({ words }) => speaksOfIncome(words)) === 0
  )
}

function isPurchase({ words }: Entry): boolean {
  return speaksOfPurchase(words)
}

/** Returns whether the words of a row speak of money that a card or an account receives. */
function isCredited({ words }: Entry): boolean {
  return speaksOfRefund(words) || speaksOfBarePayment(words) || speaksOfIncome(words)
}

/** Number of rows whose words are read. They are spread over all rows. */
const wordedRows = 500

function shareOf(rows: readonly Entry[], is: (entry: Entry) => boolean): number {
  const step = Math.max(1, Math.ceil(rows.length / wordedRows))
  const sample = rows.filter((_, place) => place % step === 0)
  return sample.length === 0 ? 0 : sample.filter(is).length / sample.length
}

/**
 * Returns how the words are read. If the signs of one word are mixed, the rarer sign means the opposite, such as a
 * refund of a debit. Words that name only one direction say nothing beside mixed signs, and neither do words whose signs
 * are all mixed. The indicator of a format always counts.
 */
function wordRuleOf(entries: readonly Entry[], isIndicator: boolean): (entry: Entry) => Direction | null {
  const count = (direction: Direction) => {
    const named = entries.filter(({ word }) => word === direction)
    return { all: named.length, minus: named.filter(({ figure }) => figure.sign === '-').length }
  }
  const counts = { out: count('out'), in: count('in') }
  const { out, in: into } = counts
  const minus = out.minus + into.minus
  const all = out.all + into.all
  const isMixed = minus > 0 && minus < all
  const isOneWord = out.all === 0 || into.all === 0
  const isUnsteady = [out, into].every((each) => each.minus > 0 && each.minus < each.all)
  if (!isIndicator && ((isMixed && (isOneWord || isUnsteady)) || (out.all === 0 && minus === all)))
    return () => null
  return ({ word, figure }) => {
    if (word === null) return null
    const isUsuallyMinus = 2 * counts[word].minus > counts[word].all
    return (figure.sign === '-') === isUsuallyMinus ? word : word === 'out' ? 'in' : 'out'
  }
}

type PairCircumstances = {
  /** Whether the row counts when the usual sign of a column is judged. A row of totals does not. */
  readonly isCounted?: (row: number) => boolean
  /** Whether the words of the row speak of a refund. */
  readonly isRefund?: (row: number) => boolean
}

/** The amounts of a debit and a credit column. */
export type Pair = {
  /** Signed sums, negative for an expense. */
  readonly signed: readonly (number | null)[]
  /** Rows whose minus may be the bank's notation, or mean that the money took the other way. */
  readonly open: ReadonlySet<number>
  /** Rows with an amount in both columns. */
  readonly both: ReadonlySet<number>
}

/**
 * Reads a debit and a credit column. Some banks write a minus beside every debit. Beside debits without a minus, or with
 * words of a refund, a minus means that the money came back. A minus beside the only amount of a column is open.
 */
export function pairOf(
  debits: readonly (Figure | null)[],
  credits: readonly (Figure | null)[],
  { isCounted = () => true, isRefund = () => false }: PairCircumstances = {},
): Pair {
  const open = new Set<number>()
  const both = new Set<number>()
  const refunds = new Set<number>()
  const usual = (figures: readonly (Figure | null)[], isBack: (row: number) => boolean) => {
    const used = [...figures.keys()].filter((row) => (figures[row]?.minor ?? 0) !== 0 && isCounted(row))
    if (used.length === 0 || used.some((row) => figures[row]?.sign !== '-')) return ''
    for (const row of used) if (isBack(row)) refunds.add(row)
    const own = used.filter((row) => !refunds.has(row))
    if (own.length === 1 && own[0] !== undefined) open.add(own[0])
    return own.length === 0 ? '' : '-'
  }
  const usualDebit = usual(debits, isRefund)
  const usualCredit = usual(credits, () => false)
  const signedBy = (figure: Figure | null, usualSign: string) => {
    if (figure === null) return 0
    return (figure.sign === '-') === (usualSign === '-') ? figure.minor : -figure.minor
  }
  const signed = Array.from({ length: Math.max(debits.length, credits.length) }, (_, row) => {
    const [debit, credit] = [debits[row] ?? null, credits[row] ?? null]
    if (debit === null && credit === null) return null
    if ((debit?.minor ?? 0) !== 0 && (credit?.minor ?? 0) !== 0) both.add(row)
    return signedBy(credit, usualCredit) - signedBy(debit, refunds.has(row) ? '' : usualDebit)
  })
  return { signed, open, both }
}
