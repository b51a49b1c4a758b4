/**
 * Writes and reads statements as CSV files for spreadsheets, in the product's CSV format (docs/decisions/0025): UTF-8
 * with a byte order mark, `;` between fields, and decimal commas. The file begins with the heading, followed by an
 * empty line and the rows.
 */
import { amountField, byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { originOf, statementCopy as copy } from './copy.ts'
import {
  categoryLengthMax,
  descriptionLengthMax,
  emailLengthMax,
  settingLengthMax,
  fullNameLengthMax,
  statementNameLengthMax,
} from '@finanzas/contract/limits.ts'
import {
  areParticulars,
  ofAccount,
  ofBank,
  ofHolder,
  particularLines,
  particularsOf,
  withoutParticulars,
} from './particulars.ts'
import {
  type Issued,
  type Statement,
  type StatementRow,
  bookedOf,
  customerSeparator,
  declaredName,
  isLate,
} from './statement.ts'

export function statementCsv(statement: Statement): string {
  const { month, account, currency, issuedAt, lastSeq, rows, signature } = statement
  const heading = [
    [copy.bank, escapeFormula(statement.bankName)],
    ...particularLines(statement.particulars, ofBank),
    [copy.customer, escapeFormula(statement.customer)],
    ...particularLines(statement.particulars, ofHolder),
    [copy.account, account],
    ...particularLines(statement.particulars, ofAccount),
    [copy.period, month],
    [copy.currency, currency],
    [copy.issued, issuedAt],
    [copy.opening, amountField(statement.openingMinor)],
    [copy.booked, amountField(bookedOf(statement))],
    [copy.noted, amountField(statement.notedMinor)],
    [copy.closing, amountField(statement.closingMinor)],
    [copy.entry, String(lastSeq)],
    [copy.hash, statement.hash],
    [copy.note, copy.declared],
    ...(signature === null ? [] : [[copy.signature, signature.kid, signature.value]]),
    [],
    copy.columns,
  ]
  const late = rows.filter((row) => isLate(row, month))
  const lines = [
    ...heading,
    ...rows.slice(0, rows.length - late.length).map(fieldsOf),
    ...(late.length === 0 ? [] : [[copy.late], ...late.map(fieldsOf)]),
  ]
  return byteOrderMark + lines.map((fields) => csvLine(fields, ';')).join('')
}

function fieldsOf(row: StatementRow): string[] {
  return [
    String(row.seq),
    row.recordedAt,
    row.day,
    escapeFormula(row.description),
    escapeFormula(row.declared),
    escapeFormula(row.category),
    copy.kinds[row.kind] ?? row.kind,
    originOf(row),
    amountField(row.amountMinor),
    amountField(row.balanceMinor),
  ]
}

/** Parses a text that `statementCsv` could have written. Returns `null` for any other text. */
export function readStatementCsv(text: string): Statement | null {
  const { lines, values } = withoutParticulars(linesOf(text))
  const labels = lines.slice(0, headingLines).map(([label]) => label)
  const [bank, customer, account, period, currency, issued, opening, , noted, closing, entry, hash] =
    lines.map((fields) => fields[1] ?? '')
  if (labels.join() !== headingLabels || (currency !== 'USD' && currency !== 'COP')) return null
  const [label, kid = '', value = ''] = lines[headingLines] ?? []
  const isSigned = label === copy.signature
  try {
    const rows = lines
      .slice(headingLines + (isSigned ? 3 : 2))
      .filter(([word, ...others]) => word !== copy.late || others.length > 0)
      .map(rowOf)
    if (rows.includes(null)) return null
    const particulars = particularsOf(values, unescapeFormula)
    const statement: Statement = {
      bankName: unescapeFormula(bank ?? ''),
      ...(particulars !== undefined && { particulars }),
      customer: unescapeFormula(customer ?? ''),
      account: account ?? '',
      month: period ?? '',
      currency,
      issuedAt: issued ?? '',
      openingMinor: minor(opening ?? ''),
      closingMinor: minor(closing ?? ''),
      notedMinor: minor(noted ?? ''),
      lastSeq: Number(entry),
      hash: hash ?? '',
      signature: isSigned ? { kid, value } : null,
      rows: rows as StatementRow[],
    }
    // A file that a spreadsheet or a text editor has changed no longer counts as the issued file.
    return isWellFormed(statement) && statementCsv(statement) === text ? statement : null
  } catch {
    return null
  }
}

/** Returns whether every field has an allowed format and length. An overlong field could contain a forged paragraph. */
function isWellFormed(statement: Statement): boolean {
  const { month, rows } = statement
  return (
    isIssued(statement) &&
    /^\d{4}-\d\d$/.test(month) &&
    rows.every(
      ({ recordedAt, day, description, declared, category }) =>
        minuteForm.test(recordedAt) &&
        /^\d{4}-\d\d-\d\d$/.test(day) &&
        isShort(description, descriptionLengthMax) &&
        isShort(declared, descriptionLengthMax + declaredName.length) &&
        isShort(category, categoryLengthMax),
    )
  )
}

/** Returns whether the fields that statements and receipts share are well-formed. */
export function isIssued({
  account,
  bankName,
  particulars,
  customer,
  issuedAt,
  hash,
  signature,
}: Issued & Pick<Statement, 'account' | 'hash' | 'signature'>): boolean {
  return (
    isUuid(account) &&
    minuteForm.test(issuedAt) &&
    /^[\da-f]{64}$/.test(hash) &&
    (signature === null || (/^[\da-f]{32}$/.test(signature.kid) && isSignature(signature.value))) &&
    isShort(bankName, settingLengthMax) &&
    areParticulars(particulars) &&
    isShort(customer, customerLengthMax)
  )
}

/** The lengths of a signature in hexadecimal digits: P-256, and RSA with 3,072 or 4,096 bits. */
const signatureLengths: ReadonlySet<number> = new Set([128, 768, 1024])

function isSignature(value: string): boolean {
  return signatureLengths.has(value.length) && /^[\da-f]+$/.test(value)
}

export const customerLengthMax =
  Math.max(statementNameLengthMax + declaredName.length, fullNameLengthMax) +
  customerSeparator.length +
  emailLengthMax

export const minuteForm = /^\d{4}-\d\d-\d\d \d\d:\d\d$/

/** Returns whether the text is empty, or a plain line of at most `lengthMax` code points. */
export function isShort(text: string, lengthMax: number): boolean {
  // A code point has at most two UTF-16 code units.
  return (
    text === '' || (text.length <= lengthMax * 2 && Array.from(text).length <= lengthMax && isPlainLine(text))
  )
}

const headingLabelsInOrder = [
  copy.bank,
  copy.customer,
  copy.account,
  copy.period,
  copy.currency,
  copy.issued,
  copy.opening,
  copy.booked,
  copy.noted,
  copy.closing,
  copy.entry,
  copy.hash,
  copy.note,
]
const headingLabels = headingLabelsInOrder.join()
const headingLines = headingLabelsInOrder.length

const kindOfWord = new Map(Object.entries(copy.kinds).map(([kind, word]) => [word, kind]))

function rowOf(fields: readonly string[]): StatementRow | null {
  const [
    seq,
    recordedAt = '',
    day = '',
    description = '',
    declared = '',
    category = '',
    kind = '',
    origin,
    amount,
    balance,
  ] = fields
  if (fields.length !== copy.columns.length) return null
  return {
    seq: Number(seq),
    recordedAt,
    day,
    description: unescapeFormula(description),
    declared: unescapeFormula(declared),
    category: unescapeFormula(category),
    kind: kindOfWord.get(kind) ?? kind,
    isNote: origin === copy.origins.note,
    amountMinor: minor(amount ?? ''),
    balanceMinor: minor(balance ?? ''),
  }
}

/** Undoes `escapeFormula`. */
export function unescapeFormula(field: string): string {
  const text = field.slice(1)
  return field.startsWith("'") && escapeFormula(text) === field ? text : field
}

/** Parses an amount field. Throws if the text is not an amount. */
export function minor(field: string): MinorUnits {
  const minorUnits = minorFromDecimal(field.replace(',', '.'))
  if (minorUnits === null) throw new SyntaxError(`${field} is not an amount.`)
  return minorUnits
}

/** Every row of a statement has at least this number of characters, because it has two dates and two amounts. */
const rowLengthMin = 40
/**
 * Upper bound for the number of lines in a receipt or in the heading of a statement. These lines can be shorter than
 * `rowLengthMin`.
 */
const shortLinesMax = 40

/**
 * Returns the unquoted fields of each line. Returns no lines for a text with more lines than an issued file of this
 * length could have, or with a line that has more fields than a row. Millions of empty lines or fields would otherwise
 * keep the reader busy for many seconds.
 */
export function linesOf(text: string): string[][] {
  const linesMax = shortLinesMax + text.length / rowLengthMin
  const rows = text.replace(byteOrderMark, '').split('\r\n', linesMax + 1)
  if (rows.length > linesMax) return []
  const lines: string[][] = []
  for (const line of rows.slice(0, -1)) {
    const fields: string[] = []
    for (const [, quoted, plain = ''] of line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)) {
      if (fields.length === copy.columns.length) return []
      fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    }
    lines.push(fields)
  }
  return lines
}
