/**
 * A statement as a file for a spreadsheet, in the house format (docs/decisions/0025): UTF-8 with its mark, `;` between
 * fields, a decimal comma. First what it is about, then a blank line and the rows.
 */
import { amountField, byteOrderMark, csvLine, inert } from '@finanzas/contract/csv.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { statementCopy as copy } from './copy.ts'
import type { Statement, StatementRow } from './statement.ts'

export function statementCsv(statement: Statement): string {
  const { month, account, currency, issuedAt, firstSeq, lastSeq } = statement
  const heading = [
    [copy.bank, inert(statement.bankName)],
    [copy.customer, inert(statement.customer)],
    [copy.account, account],
    [copy.period, month],
    [copy.currency, currency],
    [copy.issued, issuedAt],
    [copy.opening, amountField(statement.openingMinor)],
    [copy.closing, amountField(statement.closingMinor)],
    [copy.entries, String(firstSeq), String(lastSeq)],
    [copy.hash, statement.hash],
    [],
    copy.columns,
  ]
  const lines = [...heading, ...statement.rows.map(fieldsOf)]
  return byteOrderMark + lines.map((fields) => csvLine(fields, ';')).join('')
}

function fieldsOf(row: StatementRow): string[] {
  return [
    String(row.seq),
    row.recordedAt,
    row.day,
    inert(row.description),
    inert(row.category),
    copy.kinds[row.kind] ?? row.kind,
    amountField(row.amountMinor),
    amountField(row.balanceMinor),
  ]
}

/** The statement of a file as `statementCsv` writes it, to the letter; `null` for any other text. */
export function readStatementCsv(text: string): Statement | null {
  const lines = linesOf(text)
  const labels = lines.slice(0, 10).map(([label]) => label)
  const [bank, customer, account, period, currency, issued, opening, closing, entries, hash] = lines.map(
    (fields) => fields[1] ?? '',
  )
  if (labels.join() !== headingLabels || (currency !== 'USD' && currency !== 'COP')) return null
  try {
    const rows = lines.slice(12).map(rowOf)
    if (rows.includes(null)) return null
    const statement: Statement = {
      bankName: live(bank ?? ''),
      customer: live(customer ?? ''),
      account: account ?? '',
      month: period ?? '',
      currency,
      issuedAt: issued ?? '',
      openingMinor: minor(opening ?? ''),
      closingMinor: minor(closing ?? ''),
      firstSeq: Number(entries),
      lastSeq: Number(lines[8]?.[2]),
      hash: hash ?? '',
      rows: rows as StatementRow[],
    }
    // What a spreadsheet has written anew, or a hand, is another file.
    return statementCsv(statement) === text ? statement : null
  } catch {
    return null
  }
}

const headingLabels = [
  copy.bank,
  copy.customer,
  copy.account,
  copy.period,
  copy.currency,
  copy.issued,
  copy.opening,
  copy.closing,
  copy.entries,
  copy.hash,
].join()

const kindOfWord = new Map(Object.entries(copy.kinds).map(([kind, word]) => [word, kind]))

function rowOf(fields: readonly string[]): StatementRow | null {
  const [seq, recordedAt = '', day = '', description = '', category = '', kind = '', amount, balance] = fields
  if (fields.length !== copy.columns.length) return null
  return {
    seq: Number(seq),
    recordedAt,
    day,
    description: live(description),
    category: live(category),
    kind: kindOfWord.get(kind) ?? kind,
    amountMinor: minor(amount ?? ''),
    balanceMinor: minor(balance ?? ''),
  }
}

/** The text of an `inert` field. */
function live(field: string): string {
  const text = field.slice(1)
  return field.startsWith("'") && inert(text) === field ? text : field
}

/** Throws where it is no amount. */
function minor(field: string): MinorUnits {
  const minorUnits = minorFromDecimal(field.replace(',', '.'))
  if (minorUnits === null) throw new SyntaxError(`${field} is no amount.`)
  return minorUnits
}

/** Fields of each line, quoted or not. */
function linesOf(text: string): string[][] {
  const lines: string[][] = []
  for (const line of text.replace(byteOrderMark, '').split('\r\n').slice(0, -1)) {
    lines.push(
      Array.from(line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g), ([, quoted, plain = '']) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    )
  }
  return lines
}
