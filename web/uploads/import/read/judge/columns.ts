/** Recognizes the columns of a table by headings, values and balances. */
import { fold } from '#ui/format/text.ts'
import { amountColumns, isFigure, shareOf } from '#uploads/columns.ts'
import { columnRoles, type ColumnRole } from '#uploads/import/read/roles.ts'
import { parseDay, readSerialDay } from '#uploads/import/read/days.ts'
import { fitOf, headings, type BankTable } from './headings.ts'
import { netOf, provenAmount, provenBalance, withoutCopies } from './proven-columns.ts'
import { areStates } from './states.ts'
import { sampleOf } from './values.ts'
import { isCurrencyName, namedCurrency, vocabularyOf } from './words.ts'

/** The index of the column for each role, or `null`. */
export type Places = Readonly<Record<ColumnRole, number | null>>

export type RecognizedColumns = {
  readonly places: Places
  /** The columns that may contain the amounts. Empty if the file shows which one does. */
  readonly amountChoices: readonly number[]
}

/** Headings of columns whose amounts are not the transactions' own amounts in the account's currency. */
const otherAmounts =
  /orig|foreign|extranjer|divisa|saldo|balance|kontostand|rate|tasa|cambio|cupo|limit|cuota|puntos|points/i
const dateWords = /fecha|date|datum/i
const numberWords =
  /n[uú]mero|\bno\b|\bid\b|c[oó]digo|\bcode\b|cuenta|account|documento|document|oficina|sucursal|tarjeta|card|iban|hora|\btime\b/i

const recognized = new WeakMap<BankTable, RecognizedColumns>()

/** Recognizes the columns only once, because every answer judges the whole file again. */
export function columnsOf(table: BankTable, bankCurrency: string): RecognizedColumns {
  const columns = recognized.get(table) ?? recognizeColumns(table, bankCurrency)
  recognized.set(table, columns)
  return columns
}

function recognizeColumns(table: BankTable, bankCurrency: string): RecognizedColumns {
  const places = nonePlaces()
  if (table.stated.fields !== null)
    return { places: { ...places, ...table.stated.fields.roles }, amountChoices: [] }
  const samples = table.columns.map((_, place) => sampleOf(table, place))
  places.date = dateColumn(table, samples)
  const figures = figureColumns(table, places, samples)
  const amountChoices = recognizeMoney(table, places, { samples, figures, bankCurrency })
  recognizeWords(table, places, samples)
  return { places, amountChoices }
}

type OpenPlaces = Record<ColumnRole, number | null>
type Samples = readonly (readonly string[])[]

/** Returns the column of the days, by its heading and its values. */
function dateColumn({ columns }: BankTable, samples: Samples): number | null {
  const share = (place: number, is: (text: string) => boolean) => shareOf(samples[place] ?? [], is)
  const hasWholeDays = (place: number) => share(place, isWholeDay) > 0.8
  return (
    bestNamed(columns, headings.date, (place) => share(place, isAnyDay) >= 0.5) ??
    firstOf(columns, (place) => hasWholeDays(place) && !isNumeric(samples[place] ?? [])) ??
    firstOf(columns, hasWholeDays) ??
    firstOf(columns, (place) => share(place, isAnyDay) > 0.8 && dateWords.test(columns[place] ?? ''))
  )
}

/** Returns the columns of figures that are not days. */
function figureColumns({ columns }: BankTable, { date }: Places, samples: Samples): number[] {
  return [...columns.keys()].filter(
    (place) => place !== date && isNumeric(samples[place] ?? []) && !dateWords.test(columns[place] ?? ''),
  )
}

function isNumeric(sample: readonly string[]): boolean {
  return shareOf(sample, (text) => isFigure(text) && !isCompactDay(text)) >= 0.5
}

type Money = { samples: Samples; figures: readonly number[]; bankCurrency: string }

/**
 * Recognizes the columns of the balance, the fee, and either the debits and credits or the amounts. Returns the columns
 * that may contain the amounts.
 */
function recognizeMoney(table: BankTable, places: OpenPlaces, money: Money): readonly number[] {
  const { columns } = table
  const { samples, figures, bankCurrency } = money
  const isFree = (place: number) => !isTaken(places, place)
  const isFreeFigure = (place: number) => isFree(place) && figures.includes(place)
  places.balance = bestNamed(columns, headings.balance, isFreeFigure)
  places.fee = bestNamed(columns, headings.fee, isFreeFigure)
  const sampleAt = (place: number) => samples[place] ?? []
  const isSide = (place: number) =>
    isFree(place) &&
    (figures.includes(place) || sampleAt(place).length === 0) &&
    !isBothSides(columns[place] ?? '')
  const debit = bestNamed(columns, headings.debit, isSide)
  const credit = bestNamed(columns, headings.credit, (place) => place !== debit && isSide(place))
  const others = figures.filter((place) => isFree(place) && place !== debit && place !== credit)
  const amounts = amountsByHeading(table, others, bankCurrency)
  const isPair =
    debit !== null &&
    (credit !== null ? hasSome(sampleAt(debit)) || hasSome(sampleAt(credit)) : amounts.length === 0)
  if (!isPair) return recognizeAmount(table, places, { amounts, figures })
  Object.assign(places, { debit, credit })
  places.balance ??= provenBalance(table, figures, { debit, credit })
  return []
}

/** Returns whether a heading such as `Débito/Crédito` names both sides. */
function isBothSides(heading: string): boolean {
  return fitOf(heading, headings.debit) > 0 && fitOf(heading, headings.credit) > 0
}

/** Recognizes the single column of amounts, and returns the columns that may be it if the file does not show which. */
function recognizeAmount(
  table: BankTable,
  places: OpenPlaces,
  { amounts, figures }: { amounts: readonly number[]; figures: readonly number[] },
): readonly number[] {
  const isNamed = amounts.length > 0
  const free = figures.filter((place) => !isTaken(places, place))
  const guesses = withoutCopies(table, isNamed ? amounts : amountColumns(table.rows, free))
  const balances =
    places.balance === null ? figures.filter((place) => !amounts.includes(place)) : [places.balance]
  const proven = provenAmount(table, guesses, balances)
  if (proven !== null) {
    Object.assign(places, proven)
    return []
  }
  places.amount = guesses[0] ?? null
  const net = netOf(table, guesses, places.fee)
  if (net !== null) {
    Object.assign(places, { amount: net, fee: null })
    return []
  }
  return guesses.length > (isNamed ? 1 : 0) ? guesses : []
}

/** Recognizes the columns that do not contain amounts or days. */
function recognizeWords(table: BankTable, places: OpenPlaces, samples: Samples): void {
  const { columns } = table
  const sampleAt = (place: number) => samples[place] ?? []
  const isFree = (place: number) => !isTaken(places, place)
  places.currency = currencyColumn(table, places, samples)
  const hasStates = (place: number) =>
    isFree(place) && sampleAt(place).length > 0 && areStates(sampleAt(place), columns[place] ?? '')
  places.state =
    bestNamed(columns, headings.state, hasStates) ??
    firstOf(columns, (place) => fitOf(columns[place] ?? '', headings.description) === 0 && hasStates(place))
  places.direction = directionColumn(table, places, samples)
  places.category = bestNamed(columns, headings.category, isFree)
  const letters = (place: number) =>
    sampleAt(place)
      .join('')
      .replace(/[^\p{L}]/gu, '').length
  places.description =
    bestNamed(columns, headings.description, (place) => isFree(place) && letters(place) > 0) ??
    [...columns.keys()]
      .filter((place) => isFree(place) && letters(place) > 0)
      .sort((one, other) => letters(other) - letters(one))[0] ??
    bestNamed(columns, headings.description, isFree)
}

/** Headings of columns in which `Débito` and `Crédito` are kinds of cards and accounts. */
const accountWords =
  /medio|forma de pago|payment|metodo|method|tarjeta|card|cuenta|account|produ[ck]t|canal|channel/

function directionColumn(table: BankTable, places: Places, samples: Samples): number | null {
  const scored = [...table.columns.keys()]
    .filter((place) => !isTaken(places, place))
    .flatMap((place) => {
      const heading = table.columns[place] ?? ''
      const fit = fitOf(heading, headings.direction)
      if (accountWords.test(fold(heading))) return []
      const isText = fitOf(heading, headings.description) > 0 && fit === 0
      const vocabulary = isText ? null : vocabularyOf(samples[place] ?? [], { heading, isTypes: fit > 0 })
      if (vocabulary === null || (fit === 0 && !vocabulary.isComplete)) return []
      const texts = samples[place] ?? []
      const known = shareOf(texts, (text) => vocabulary.of(text) !== null)
      return [{ place, score: known * 1000 + fit + (vocabulary.isComplete ? 500 : 0) }]
    })
  return scored.sort((one, other) => other.score - one.score)[0]?.place ?? null
}

function currencyColumn({ columns }: BankTable, places: Places, samples: Samples): number | null {
  const isCode = (text: string) =>
    /^\p{L}{3}$/u.test(text) ? namedCurrency(text.toUpperCase()) !== '' : isCurrencyName(text)
  const candidates = [...columns.keys()].filter(
    (place) =>
      !isTaken(places, place) &&
      !/orig|foreign|extranjer/i.test(columns[place] ?? '') &&
      (samples[place] ?? []).length > 0 &&
      shareOf(samples[place] ?? [], isCode) >= 0.9,
  )
  const named = candidates.filter((place) => fitOf(columns[place] ?? '', headings.currency) > 0)
  const money = places.amount ?? places.debit ?? 0
  // Of several columns of currencies, the one beside the amount belongs to the amount.
  return (
    [...(named.length > 0 ? named : candidates)].sort(
      (one, other) => Math.abs(one - money) - Math.abs(other - money),
    )[0] ?? null
  )
}

/** Returns the columns whose heading names the amount, the best first. Only equally good columns are returned together. */
function amountsByHeading(
  { columns }: BankTable,
  figures: readonly number[],
  bankCurrency: string,
): number[] {
  const scored = figures.flatMap((place) => {
    const heading = columns[place] ?? ''
    const fit = fitOf(heading, headings.amount)
    const isBoth = isBothSides(heading)
    if ((fit === 0 && !isBoth) || numberWords.test(heading)) return []
    const isExact = fit % 10 === 3
    return [
      {
        place,
        isOther: otherAmounts.test(heading),
        isOwn: namedCurrency(heading) === bankCurrency,
        isExact,
      },
    ]
  })
  const own = scored.filter(({ isOwn }) => isOwn)
  const main = scored.filter(({ isOther }) => !isOther)
  const best = own.length > 0 ? own : main.length > 0 ? main : []
  const exact = best.filter(({ isExact }) => isExact)
  return (exact.length > 0 ? exact : best).map(({ place }) => place)
}

function bestNamed(
  columns: readonly string[],
  words: readonly string[],
  fits: (place: number) => boolean,
): number | null {
  const scored = columns.flatMap((heading, place) => {
    const fit = fitOf(heading, words)
    return fit > 0 && fits(place) ? [{ place, fit }] : []
  })
  return (
    scored.reduce<(typeof scored)[number] | null>(
      (best, each) => (best === null || each.fit > best.fit ? each : best),
      null,
    )?.place ?? null
  )
}

function firstOf(columns: readonly string[], fits: (place: number) => boolean): number | null {
  const place = columns.findIndex((_, index) => fits(index))
  return place === -1 ? null : place
}

function isTaken(places: Places, place: number): boolean {
  return Object.values(places).includes(place)
}

function hasSome(texts: readonly string[]): boolean {
  return texts.length > 0
}

function nonePlaces(): Record<ColumnRole, number | null> {
  return Object.fromEntries(columnRoles.map((role) => [role, null])) as Record<ColumnRole, number | null>
}

function isCompactDay(text: string): boolean {
  return /^(?:19|20)\d{6}$/.test(text) && isWholeDay(text)
}

function isWholeDay(text: string): boolean {
  const day = parseDay(text)
  return day !== null && day.year !== ''
}

function isAnyDay(text: string): boolean {
  return parseDay(text) !== null || readSerialDay(text) !== null
}
