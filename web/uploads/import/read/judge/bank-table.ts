/** Finds the table of transactions in the rows of a file. */
import { fold } from '#ui/format/text.ts'
import { isFigure } from '#uploads/columns.ts'
import type { Row } from '#uploads/table.ts'
import { parseDay } from '#uploads/import/read/days.ts'
import type { FileRows } from '#uploads/import/read/reader.ts'
import { fitOf, headings, type BankTable } from './headings.ts'
import { summaryOf } from './states.ts'

/** Number of rows that are searched for the first heading. */
const headingRowsMax = 40

export function tableOf({ rows, ...stated }: FileRows): BankTable {
  if (stated.fields !== null) {
    const { names } = stated.fields
    const none = { above: [], elsewhere: [], fieldsMax: Infinity }
    return { format: stated.format, columns: names, rows, stated, width: names.length, ...none }
  }
  const texts = rows.map(withoutTextCells)
  const { rows: clean, beside } = withoutTableBeside(texts, firstHeading(texts))
  const { rows: unrepeated, repeated } = withoutPages(clean, firstHeading(clean))
  const { heading, body, above, elsewhere } = largestTable(unrepeated, firstHeading(unrepeated))
  const skipped = repeated.map(({ line, fields }) => ({
    line,
    reason: 'empty' as const,
    text: fields.join(' '),
  }))
  const width = heading === undefined ? commonWidth(body) : heading.length
  const most = body.slice(0, 200).reduce((widest, { fields }) => Math.max(widest, fields.length), width)
  const columns = Array.from({ length: most }, (_, place) => heading?.[place] || `Columna ${place + 1}`)
  return {
    format: stated.format,
    columns,
    rows: body,
    stated: { ...stated, skipped },
    above,
    width,
    // Some banks write a mark behind the last field of every row, but not of the heading.
    fieldsMax: stated.separator === undefined ? Infinity : shortestLength(body, width),
    elsewhere: [...elsewhere, ...beside],
  }
}

/** Returns the number of fields that every transaction has, and at least the number of the heading. */
function shortestLength(rows: readonly Row[], width: number): number {
  let least = Infinity
  for (const row of rows) {
    if (row.fields.length >= least || !isTransaction(row)) continue
    least = row.fields.length
    if (least <= width) return width
  }
  return least === Infinity ? width : least
}

/** Removes the form `="…"`, with which files keep Excel from converting a cell. */
function withoutTextCells(row: Row): Row {
  if (!row.fields.some((field) => field.startsWith('='))) return row
  return {
    ...row,
    fields: row.fields.map(
      (field) => /^=\s*"([^]*)"$/.exec(field)?.[1]?.replaceAll('""', '"').trim() ?? field,
    ),
  }
}

function firstHeading(rows: readonly Row[]): number {
  const first = rows.slice(0, headingRowsMax)
  // A title such as `Cargos` beside `Abonos` may stand above the heading.
  const dated = first.findIndex((row) => isHeading(row) && namedRoles(row.fields).includes('date'))
  const named = dated === -1 ? first.findIndex(isHeading) : dated
  return named === -1 ? first.findIndex((row, place) => isUnknownHeading(row, rows[place + 1])) : named
}

/** Removes headings that are repeated at the top of a page, with the rows between the pages. */
function withoutPages(
  rows: readonly Row[],
  first: number,
): { rows: readonly Row[]; repeated: readonly Row[] } {
  const above = rows.slice(0, Math.max(0, first))
  const repeated = new Set<Row>()
  let latest = -1
  let searched = first
  for (const [index, row] of rows.entries()) {
    if (index <= first || first === -1 || !isOtherHeading(row) || !isSameHeading(row, rows[first])) continue
    for (let place = index - 1; place > searched; place -= 1)
      if (latest < place && isTransaction(rows[place] ?? row)) latest = place
    searched = index
    if (latest === -1) continue
    const between = rows.slice(latest + 1, index)
    if (!between.every((each) => isOfPage(each, above))) continue
    for (const each of [...between, row]) if (summaryOf(each.fields) === null) repeated.add(each)
  }
  return repeated.size === 0
    ? { rows, repeated: [] }
    : { rows: rows.filter((row) => !repeated.has(row)), repeated: [...repeated] }
}

/**
 * Returns the table with the most transactions. Each heading below transactions begins another table, whose columns and
 * account may differ.
 */
function largestTable(rows: readonly Row[], first: number) {
  const starts = [first]
  let hasTransactions = false
  for (const [index, row] of rows.entries()) {
    if (index <= first) continue
    const isStart: boolean = hasTransactions && isOtherHeading(row)
    if (isStart) starts.push(index)
    hasTransactions = !isStart && (hasTransactions || isTransaction(row))
  }
  const tables = starts.map((start, place) => rows.slice(start + 1, starts[place + 1]))
  const above = rows.slice(0, Math.max(0, first))
  if (tables.length === 1)
    return { heading: rows[first]?.fields, above, body: tables[0] ?? [], elsewhere: [] }
  const counts = tables.map((table) => table.filter(isTransaction).length)
  const chosen = counts.indexOf(Math.max(...counts))
  const isOfTable = (row: Row) => isTransaction(row) || summaryOf(row.fields) !== null
  const ends = tables.map((table) => table.findLastIndex(isOfTable) + 1)
  // The rows below the last transaction belong to the next table.
  const title = chosen === 0 ? [] : (tables[chosen - 1] ?? []).slice(ends[chosen - 1])
  return {
    heading: rows[starts[chosen] ?? first]?.fields,
    body: (tables[chosen] ?? []).slice(0, ends[chosen]),
    above: [...above, ...title],
    elsewhere: tables.flatMap((table, place) => (place === chosen ? [] : table.filter(isTransaction))),
  }
}

/** Splits rows that contain two tables side by side. Returns the table with more transactions, and those of the other. */
function withoutTableBeside(
  rows: readonly Row[],
  first: number,
): { rows: readonly Row[]; beside: readonly Row[] } {
  const heading = rows[first]
  const split = heading === undefined ? null : secondTableIn(heading)
  if (split === null) return { rows, beside: [] }
  const partOf = ({ line, fields }: Row, from: number, to?: number) => ({
    line,
    fields: fields.slice(from, to),
  })
  const left = rows.map((row, index) => (index < first ? row : partOf(row, 0, split)))
  const right = rows.map((row, index) => (index < first ? row : partOf(row, split)))
  const [own, other] = [left, right].map((part) => part.slice(first + 1).filter(isTransaction))
  const isLeft = (own?.length ?? 0) >= (other?.length ?? 0)
  const isUsed = ({ fields }: Row) => fields.some((field) => field !== '')
  return { rows: (isLeft ? left : right).filter(isUsed), beside: (isLeft ? other : own) ?? [] }
}

/** Returns the column at which a second table begins: behind an empty column, or where the first heading stands again. */
function secondTableIn({ fields }: Row): number | null {
  const names = fields.map(fold)
  const before = sumsOf(fields)
  const from = sumsOf(fields.toReversed()).toReversed()
  const place = names.findIndex((name, index) => {
    const [left, right] = [before[index], from[index]]
    if (name === '' || left === undefined || right === undefined) return false
    const isAgain = name === names[0]
    const isApart = names[index - 1] === '' && right.roles.has('description')
    return (isAgain || isApart) && isSumOfHeading(left) && isSumOfHeading(right)
  })
  return place === -1 ? null : place
}

type Sum = { readonly filled: number; readonly hasValue: boolean; readonly roles: ReadonlySet<Role> }

/**
 * Returns for each column what the fields before it contain. A damaged file may have thousands of columns in one row.
 * Each field is therefore judged only once, and not once for each column.
 */
function sumsOf(fields: readonly string[]): Sum[] {
  const sums: Sum[] = [{ filled: 0, hasValue: false, roles: new Set() }]
  for (const field of fields) {
    const { filled, hasValue, roles: known } = sums.at(-1) as Sum
    const named = namedRoles([field])
    sums.push({
      filled: field === '' ? filled : filled + 1,
      hasValue: hasValue || isValue(field),
      roles: named.length === 0 ? known : new Set([...known, ...named]),
    })
  }
  return sums
}

/** Returns whether the fields are the heading of another table, as `isOtherHeading` does for a whole row. */
function isSumOfHeading({ filled, hasValue, roles: named }: Sum): boolean {
  return filled >= 3 && !hasValue && isOfMoney([...named])
}

type Role = keyof typeof headings
const roles = Object.keys(headings) as Role[]

function namedRoles(fields: readonly string[]): Role[] {
  const names = fields.filter((field) => field !== '' && field.length < 60)
  return roles.filter((role) => names.some((name) => fitOf(name, headings[role]) > 0))
}

const isValue = (field: string) => isWholeDay(field) || (isFigure(field) && field !== '')

function isHeading(row: Row): boolean {
  const { fields } = row
  if (fields.filter((field) => field !== '').length < 2) return false
  if (fields.some(isValue)) return false
  const named = namedRoles(fields)
  return named.length >= 2 && named.some((role) => role === 'date' || role === 'amount' || role === 'debit')
}

/** Returns whether a row below transactions is the heading of another table. */
function isOtherHeading(row: Row): boolean {
  return (
    row.fields.filter((field) => field !== '').length >= 3 &&
    isHeading(row) &&
    isOfMoney(namedRoles(row.fields))
  )
}

function isOfMoney(named: readonly Role[]): boolean {
  return named.includes('date') && named.some((role) => /^(?:amount|debit|credit)$/.test(role))
}

function isSameHeading({ fields }: Row, first: Row | undefined): boolean {
  const wordsOf = (texts: readonly string[]) => texts.filter(Boolean).map(fold).join('\n')
  return wordsOf(fields) === wordsOf(first?.fields ?? [])
}

const pageWords = /^(?:p[aá]g(?:ina)?|page|seite|hoja|folha)\b|contin[uú]/i

/** Returns whether a row between two pages repeats the rows above the table, or is a total or the number of a page. */
function isOfPage({ fields }: Row, above: readonly Row[]): boolean {
  const texts = fields.filter((field) => field !== '')
  return (
    summaryOf(fields) !== null ||
    texts.every((text) => pageWords.test(text) || above.some((row) => row.fields.includes(text)))
  )
}

function isTransaction({ fields }: Row): boolean {
  return (
    fields.some((field) => parseDay(field) !== null) &&
    fields.some((field) => field !== '' && isFigure(field) && !isWholeDay(field))
  )
}

/** Returns whether a row without days and figures stands above a row of the same width that has both. */
function isUnknownHeading({ fields }: Row, next: Row | undefined): boolean {
  const isFirst =
    next?.fields.some(isWholeDay) === true &&
    next.fields.some((field) => isFigure(field) && !isWholeDay(field))
  return (
    isFirst &&
    next.fields.length === fields.length &&
    fields.filter((field) => field !== '').length >= 2 &&
    !fields.some((field) => /\d/.test(field) && (isWholeDay(field) || isFigure(field)))
  )
}

function isWholeDay(field: string): boolean {
  const day = parseDay(field)
  return day !== null && day.year !== ''
}

function commonWidth(rows: readonly Row[]): number {
  const counts = new Map<number, number>()
  for (const { fields } of rows) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1)
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0]
}
