/** Parses amounts in the formats that banks use. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { isCurrencyCode } from './currencies.ts'

/** Signs that belong to only one currency. The signs `$`, `¥` and `kr` belong to several. */
const currencySigns: readonly (readonly [RegExp, string])[] = [
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/(?<!\p{L})US\$/iu, 'USD'],
  [/(?<!\p{L})R\$/u, 'BRL'],
  [/(?<!\p{L})S\/\.?(?!\p{L})/u, 'PEN'],
  [/₹/, 'INR'],
  [/zł/, 'PLN'],
]

const capitals = /(?<!\p{L})[A-Z]{3}(?!\p{L})/gu

/**
 * Returns the code of the currency that is written next to an amount or in a heading. Returns an empty string if no
 * code is found, or if the text contains only an ambiguous sign.
 */
export function writtenCurrency(text: string): string {
  for (const [sign, code] of currencySigns) if (sign.test(text)) return code
  return text.match(capitals)?.find(isCurrencyCode) ?? ''
}

/** Decimal separator. */
export type DecimalMark = ',' | '.'

/** An amount without its sign, the sign beside it, and a written word such as `CR`. */
export type Figure = {
  /** Minor units, never negative. */
  readonly minor: number
  readonly sign: '' | '+' | '-'
  readonly mark: '' | 'debit' | 'credit'
}

const plain = /^([+-]?)(\d{1,12})(?:\.(\d{1,2}))?$/
/** Most amounts have only digits and marks. They need no further cleaning. */
const digitsOnly = /^([+-]?)(\d[\d.,]*)$/
const blanks = /[\s'’‘ʼ´`]/g
const units = /\p{Sc}|(?<!\p{L})(?:US|R|S\/\.?|kr\.?|zł|Bs\.?|[A-Z]{3})(?!\p{L})/gu
const minuses = /^[-‐‑‒–—−﹣－]|[-‐‑‒–—−﹣－]$|^\(.*\)$/
const signs = /^[-‐‑‒–—−﹣－+(]+|[-‐‑‒–—−﹣－+)]+$/g
const markWords = /^(CR|DR|DB)\.?(?=[^\p{L}])|(CR|DR|DB|[CDHS])\.?$/iu
/** Matches a single letter in front of an amount. Without a blank or decimals it may be a code, such as `C101`. */
const leadingLetter = /^([CDHS])(?:\.?\s+|(?=[-+]?\d[\d.,]*[.,]\d{2}$))(?=[-−+(\d$])/i
/** Matches the signs of dollars that begin with a letter that would be a mark. */
const dollars = /^([-−+(]?\s?)[CS]\s?\$/i

/** Patterns for numbers with or without grouping and decimals, by decimal separator. */
const forms: Readonly<Record<DecimalMark, RegExp>> = {
  ',': /^(\d+|\d{1,3}(?:\.\d{3})+)?(?:,(\d*))?$/,
  // India groups the digits above a thousand in pairs.
  '.': /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})?(?:\.(\d*))?$/,
}

/** Returns the amount, or `null` if the text is not an amount or would have to be rounded. */
export function parseFigure(text: string, decimal: DecimalMark): Figure | null {
  const simple = decimal === '.' || !text.includes('.') ? plain.exec(text) : null
  if (simple !== null) {
    const [, sign = '', whole, hundredths = ''] = simple
    return {
      minor: Number(whole) * 100 + Number(hundredths.padEnd(2, '0')),
      sign: sign as Figure['sign'],
      mark: '',
    }
  }
  const digits = digitsOnly.exec(text)
  if (digits !== null) {
    const minor = minorOf(digits[2] ?? '', decimal)
    return minor === null ? null : { minor, sign: digits[1] as Figure['sign'], mark: '' }
  }
  if (!/\d/.test(text)) return null
  const [front = ''] = dollars.test(text) ? [] : (leadingLetter.exec(text) ?? [])
  const bare = withoutUnits(
    text.slice(front.length).replace(dollars, '$1').normalize('NFKC').replace(blanks, ''),
  )
  const [word = front.trim()] = markWords.exec(bare) ?? []
  const signed = front === '' ? bare.replace(word, '') : bare
  const minor = minorOf(signed.replace(signs, ''), decimal)
  if (minor === null) return null
  return {
    minor,
    sign: minuses.test(signed) ? '-' : /^\+|\+$/.test(signed) ? '+' : '',
    mark: word === '' ? '' : /^(?:CR|C|H)\.?$/i.test(word) ? 'credit' : 'debit',
  }
}

/** Removes signs and codes of currencies. A word of three capitals that is not a currency stays. */
function withoutUnits(text: string): string {
  return text.replace(units, (unit) => (/^[A-Z]{3}$/.test(unit) && !isCurrencyCode(unit) ? unit : ''))
}

function minorOf(figures: string, decimal: DecimalMark): number | null {
  const [, whole, decimals = ''] = forms[decimal].exec(figures) ?? []
  if (whole === undefined && decimals === '') return null
  const hundredths = decimals.replace(/0+$/, '')
  const digits = (whole ?? '0').replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  return minorFromDecimal(hundredths === '' ? digits : `${digits}.${hundredths}`)
}

/** Returns signed minor units, or `null` if the amount is invalid or would have to be rounded. */
export function readFigure(text: string, decimal: DecimalMark): number | null {
  const figure = parseFigure(text, decimal)
  if (figure === null) return null
  const isOut = figure.sign === '-' || figure.mark === 'debit'
  return isOut && figure.minor !== 0 ? -figure.minor : figure.minor
}

/** Guesses the decimal separator from a column's amounts. */
export function guessDecimalMark(texts: readonly string[]): DecimalMark {
  const decimals = { ',': 0, '.': 0 }
  // A single separator before exactly three digits counts as a thousands separator, unless other amounts in the column
  // show the opposite.
  const groups = { ',': 0, '.': 0 }
  for (const text of texts) {
    const [, mark, behind = ''] = /([.,])(\d+)[^\d.,]*$/.exec(text.replace(blanks, '')) ?? []
    if (mark !== ',' && mark !== '.') continue
    const isAlone = text.indexOf(mark) === text.lastIndexOf(mark)
    const hasOther = text.includes(mark === ',' ? '.' : ',')
    const votes = isAlone && (behind.length !== 3 || hasOther) ? decimals : groups
    votes[mark] += 1
  }
  if (decimals[','] !== decimals['.']) return decimals[','] > decimals['.'] ? ',' : '.'
  return groups['.'] > groups[','] ? ',' : '.'
}

/**
 * Returns an example of an ambiguous amount if every amount in the column can be read with either decimal separator.
 * Otherwise, returns an empty string.
 */
export function openFigureOf(texts: readonly string[]): string {
  let open = ''
  for (const text of texts) {
    const [comma, point] = [readFigure(text, ','), readFigure(text, '.')]
    if (comma === null && point === null) continue
    if (comma === null || point === null) return ''
    if (comma !== point) open ||= text
  }
  return open
}
