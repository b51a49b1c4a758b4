/** Splits the rows of a file into the heading and the rows below it, and names the words of headings. */
import { fold } from '#format/text.ts'
import { isFigure } from '#upload/columns.ts'
import type { Row, Table } from '#upload/table.ts'
import { parseDay } from '#features/transactions/import/read/days.ts'
import type { FileRows, Stated } from '#features/transactions/import/read/reader.ts'
import type { ColumnRole } from '#features/transactions/import/read/roles.ts'

/** A file whose heading is known. */
export type BankTable = Table & {
  readonly stated: Stated
  /** The rows above the heading, such as the account holder and the period. */
  readonly above: readonly Row[]
  /** The number of fields that a row may have. A longer row was split at a mark that is part of a value. */
  readonly width: number
}

/**
 * Beginnings of words in lower case and without accents. Earlier words take precedence. A word with at most three letters
 * must be a whole word.
 */
export const headings: Readonly<Record<Exclude<ColumnRole, 'reference'>, readonly string[]>> = {
  date: ['fecha', 'date', 'booking date', 'buchungstag', 'dia', 'datum', 'data', 'day', 'created on', 'fec'],
  description: [
    'descripcion',
    'description',
    'concepto',
    'detalle',
    'comercio',
    'establecimiento',
    'partner name',
    'payee',
    'beneficiario',
    'transaction details',
    'verwendungszweck',
    'merchant',
    'movimiento',
    'transaccion',
    'glosa',
    'nombre',
    'name',
    'memo',
    'details',
    'narrative',
    'particulars',
    'counterparty',
    'beneficiary',
    'buchungstext',
    'zweck',
    'observacion',
    'motivo',
    'empf',
    'referencia',
    'reference',
  ],
  amount: [
    'monto',
    'valor',
    'importe',
    'amount',
    'cantidad',
    'betrag',
    'montant',
    'bedrag',
    'umsatz',
    'value',
    'belopp',
    'kwota',
    'neto',
    'net',
    'gross',
    'bruto',
    'total',
  ],
  debit: [
    'debito',
    'debit',
    'cargo',
    'retiro',
    'egreso',
    'salida',
    'gasto',
    'withdrawal',
    'money out',
    'paid out',
    'debe',
    'soll',
    'lastschrift',
    'spent',
    'out',
  ],
  credit: [
    'credito',
    'credit',
    'abono',
    'deposito',
    'ingreso',
    'entrada',
    'deposit',
    'money in',
    'paid in',
    'haber',
    'consignacion',
    'haben',
    'gutschrift',
    'received',
    'in',
  ],
  direction: [
    'd/c',
    'c/d',
    'd/k',
    'd/h',
    's/h',
    'dr/cr',
    'cr/dr',
    'debit/credit',
    'credit/debit',
    'debito/credito',
    'credito/debito',
    'cargo/abono',
    'debe/haber',
    'soll/haben',
    'af bij',
    'in/out',
    '+/-',
    'signo',
    'sign',
    'direction',
    'sentido',
    'naturaleza',
    'tipo',
    'type',
    'indicador',
    'indicator',
    'movimiento',
    'operacion',
    'transaction type',
  ],
  currency: ['moneda', 'currency', 'divisa', 'wahrung', 'mon', 'ccy', 'moeda'],
  fee: ['fee', 'comision', 'commission', 'gebuhr', 'tarifa', 'gmf', '4x1000', '4 x 1000'],
  balance: ['saldo', 'balance', 'kontostand', 'running', 'solde', 'disponible', 'available'],
  state: ['estado', 'state', 'status', 'situacion'],
  category: ['categoria', 'category', 'rubro', 'kategorie'],
}

const roles = Object.keys(headings) as (keyof typeof headings)[]

/** Returns how well a heading names a role: 0 not at all; a higher number is better. */
export function fitOf(heading: string, words: readonly string[]): number {
  const name = fold(heading).trim()
  let best = 0
  for (const [rank, word] of words.entries()) {
    const length = name === word ? 3 : !startsWithWord(name, word) ? 0 : name.startsWith(word) ? 2 : 1
    if (length > 0) best = Math.max(best, length + (words.length - rank) * 10)
  }
  return best
}

function startsWithWord(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at !== -1; at = name.indexOf(word, at + 1)) {
    const isWhole = word.length > 3 || !/\p{L}/u.test(name.charAt(at + word.length))
    if (isWhole && !/\p{L}/u.test(name.charAt(at - 1))) return true
  }
  return false
}

/** Number of rows that are searched for the heading. */
const headingRowsMax = 40

export function tableOf({ rows, ...stated }: FileRows): BankTable {
  if (stated.fields !== null) {
    const { names } = stated.fields
    return { format: stated.format, columns: names, rows, stated, above: [], width: names.length }
  }
  const clean = rows.map(withoutTextCells)
  const first = clean.slice(0, headingRowsMax)
  const named = first.findIndex(isHeading)
  const index =
    named === -1 ? first.findIndex((row, place) => isUnknownHeading(row, clean[place + 1])) : named
  const heading = clean[index]?.fields
  const body = clean.slice(index + 1)
  const width = heading === undefined ? commonWidth(body) : heading.length
  const most = body.slice(0, 200).reduce((widest, { fields }) => Math.max(widest, fields.length), width)
  const columns = Array.from({ length: most }, (_, place) => heading?.[place] || `Columna ${place + 1}`)
  return {
    format: stated.format,
    columns,
    rows: body,
    stated,
    above: clean.slice(0, Math.max(0, index)),
    width,
  }
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

function isHeading({ fields }: Row): boolean {
  const isNamed = (role: keyof typeof headings) =>
    fields.some((field) => field.length < 60 && fitOf(field, headings[role]) > 0)
  const named = roles.filter(isNamed)
  return (
    fields.filter((field) => field !== '').length >= 2 &&
    named.length >= 2 &&
    named.some((role) => role === 'date' || role === 'amount' || role === 'debit') &&
    !fields.some((field) => isWholeDay(field) || (isFigure(field) && field !== ''))
  )
}

/** Returns whether a row without days and figures stands above a row of the same width that has both. */
function isUnknownHeading({ fields }: Row, next: Row | undefined): boolean {
  const isTransaction =
    next?.fields.some(isWholeDay) === true &&
    next.fields.some((field) => isFigure(field) && !isWholeDay(field))
  return (
    isTransaction &&
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
