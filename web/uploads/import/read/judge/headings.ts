/** Names the words of headings. */
import { fold } from '#ui/format/text.ts'
import type { Row, Table } from '#uploads/table.ts'
import type { Stated } from '#uploads/import/read/reader.ts'
import type { ColumnRole } from '#uploads/import/read/roles.ts'

/** A file whose heading is known. */
export type BankTable = Table & {
  readonly stated: Stated
  /** The rows above the heading, such as the account holder and the period. */
  readonly above: readonly Row[]
  /** The transactions of other tables in the file. */
  readonly elsewhere: readonly Row[]
  /** The number of fields that a row may have. A longer row was split at a mark that is part of a value. */
  readonly width: number
  /** The number of fields of the longest row that no mark has split, with the empty fields at its end. */
  readonly fieldsMax: number
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
