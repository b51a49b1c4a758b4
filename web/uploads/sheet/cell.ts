/** Writes the values of a spreadsheet's cells as texts that have only one meaning. */

/** How a cell shows its number. */
export type NumberFormat = {
  readonly kind: 'number' | 'day' | 'time'
  readonly hasDecimals: boolean
  /** Number of digits to which the format adds leading zeros. */
  readonly digits: number
  /** Words beside a positive and a negative number, such as `Cr` and `Dr`, or a currency. */
  readonly beside: { readonly positive: string; readonly negative: string }
}

const plain: NumberFormat = {
  kind: 'number',
  hasDecimals: false,
  digits: 0,
  beside: { positive: '', negative: '' },
}

/** Returns the format of the codes that every workbook knows without defining them. */
export function builtInFormat(id: number): NumberFormat {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58))
    return { ...plain, kind: 'day' }
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return { ...plain, kind: 'time' }
  return { ...plain, hasDecimals: [2, 4, 7, 8, 39, 40, 43, 44].includes(id) }
}

/** Maximum length of a format code. Excel allows 255 characters. */
const codeLengthMax = 500
/** Matches texts within a format code: quoted, escaped, or repeated to fill the cell. */
const literal = /"([^"]*)"|\\(.)|[_*]./g
/** Matches the words beside an amount that state its direction or its currency. */
const stating = /^(?:cr|dr|db|d|c|h|k|[A-Z]{3}|€|£|US\$)\.?$/i

/** Returns the meaning of a format code such as `dd/mm/yyyy` or `#,##0.00 "Cr";#,##0.00 "Dr"`. */
export function numberFormat(code: string): NumberFormat {
  if (code.length > codeLengthMax) return plain
  const sections = splitSections(code)
  const [positive = '', negative = positive] = sections
  // Brackets contain colours, conditions, currencies such as `[$USD]`, or elapsed time such as `[h]`.
  const bare = positive.replace(literal, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  const hasDay = /[dy]/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))
  const isNumber = /[0#?]/.test(bare) && !hasDay && !/[hs]/i.test(bare)
  if (!isNumber && hasDay) return { ...plain, kind: 'day' }
  if (!isNumber && /[hs]/i.test(bare)) return { ...plain, kind: 'time' }
  return {
    kind: 'number',
    hasDecimals: /[0#?]\.0/.test(bare),
    digits: /^0{2,}$/.test(bare) ? bare.length : 0,
    beside: { positive: wordBeside(positive), negative: wordBeside(negative) },
  }
}

/** Splits a format code at the semicolons outside its texts. */
function splitSections(code: string): string[] {
  const marked = code.replace(/"[^"]*"|\\./g, (text) => text.replaceAll(';', '\u0000'))
  return marked.split(';').map((section) => section.replaceAll('\u0000', ';'))
}

function wordBeside(section: string): string {
  const texts = [...section.matchAll(literal)].map(([, quoted = '', escaped = '']) => quoted + escaped)
  const currencies = [...section.matchAll(/\[\$([^\]-]*)/g)].map(([, currency = '']) => currency)
  return [texts.join(''), ...currencies].map((word) => word.trim()).find((word) => stating.test(word)) ?? ''
}

/** Day numbers that Excel shows as dates end with the year 9999. */
const dayNumberMax = 2_958_466
const secondsPerDay = 86_400

/**
 * Writes a number of a cell. Days and times are written in the form of ISO 8601. A number with a fraction has at least
 * two decimals and never exactly three, so that its point cannot be taken for a thousands separator.
 */
export function numberText(written: string, format: NumberFormat = plain, is1904 = false): string {
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return written.trim()
  if (format.kind !== 'number' && value >= 0 && value < dayNumberMax) return momentText(value, format, is1904)
  // Excel shows 15 digits. A formula may have further digits that come from binary fractions.
  const shown = Number(value.toPrecision(15))
  const word = shown < 0 ? format.beside.negative : format.beside.positive
  return [decimalText(shown, format), word].filter(Boolean).join(' ')
}

function decimalText(value: number, { hasDecimals, digits }: NumberFormat): string {
  if (Number.isInteger(value)) {
    const whole = Math.abs(value) < 1e15 ? String(value) : BigInt(value).toString()
    return hasDecimals ? `${whole}.00` : whole.padStart(digits, '0')
  }
  const text = Math.abs(value) < 1e-6 ? value.toFixed(15) : String(value)
  const decimals = text.length - text.indexOf('.') - 1
  return decimals === 1 || decimals === 3 ? `${text}0` : text
}

/** Writes Excel's day number, whose fraction is the time of day. */
function momentText(value: number, { kind }: NumberFormat, is1904: boolean): string {
  const seconds = Math.round(value * secondsPerDay)
  // Excel counts 29 February 1900, which did not exist. Its day numbers before 1 March 1900 are therefore one higher.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  const [day = '', time = ''] = new Date(epoch + seconds * 1000).toISOString().slice(0, 19).split('T')
  if (kind === 'time' && value < 1) return time
  return seconds % secondsPerDay === 0 ? day : `${day}T${time}`
}
