/** Parses amounts in the formats that banks use. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'

/**
 * Returns the code of the currency that is written next to an amount or in a heading. Returns an empty string if no
 * code is found, or if the text contains only the ambiguous sign `$`.
 */
export function writtenCurrency(text: string): string {
  if (text.includes('€')) return 'EUR'
  if (text.includes('£')) return 'GBP'
  if (/US\$/i.test(text)) return 'USD'
  return currencyCode.exec(text)?.[0].toUpperCase() ?? ''
}

/** Currency codes that are recognized in files. */
const currencyCode = /(?<!\p{L})(?:COP|USD|EUR|MXN|GBP|BRL|PEN|CLP|ARS|CAD|CHF|JPY)(?!\p{L})/iu

/** Decimal separator. */
export type DecimalMark = ',' | '.'

const marks = /[\s\u00a0\u202f'’$€£]|COP|USD|US|EUR|MXN/gi
const minus = /^[-−–]|[-−–]$|^\(.*\)$|(?:DB|DR|D)\.?$/i
const signs = /^[-−–+(]+|[-−–+)]+$|(?:DB|DR|CR|D|C)\.?$/gi

/** Patterns for numbers with or without grouping and decimals, by decimal separator. */
const forms: Readonly<Record<DecimalMark, RegExp>> = {
  ',': /^(\d+|\d{1,3}(?:\.\d{3})+)?(?:,(\d*))?$/,
  '.': /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/,
}

/** Returns signed minor units, or `null` if the amount is invalid or would have to be rounded. */
export function readFigure(text: string, decimal: DecimalMark): number | null {
  const bare = text.replace(marks, '')
  const figures = bare.replace(signs, '')
  const form = forms[decimal]
  const [, units, decimals = ''] = form.exec(figures) ?? []
  if (units === undefined && decimals === '') return null
  const hundredths = decimals.replace(/0+$/, '')
  const whole = (units ?? '0').replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  const minor: number | null = minorFromDecimal(hundredths === '' ? whole : `${whole}.${hundredths}`)
  if (minor === null) return null
  return minus.test(bare) && minor !== 0 ? -minor : minor
}

/** Guesses the decimal separator from a column's amounts. */
export function guessDecimalMark(texts: readonly string[]): DecimalMark {
  const decimals = { ',': 0, '.': 0 }
  // A single separator before exactly three digits counts as a thousands separator, unless other amounts in the column
  // show the opposite.
  const groups = { ',': 0, '.': 0 }
  for (const text of texts) {
    const [, mark, behind = ''] = /([.,])(\d+)[^\d.,]*$/.exec(text.replace(marks, '')) ?? []
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
  const both = texts.map((text) => ({ text, comma: readFigure(text, ','), point: readFigure(text, '.') }))
  const figures = both.filter(({ comma, point }) => comma !== null || point !== null)
  if (figures.some(({ comma, point }) => comma === null || point === null)) return ''
  return figures.find(({ comma, point }) => comma !== point)?.text ?? ''
}
