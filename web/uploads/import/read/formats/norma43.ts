/**
 * Parses Norma 43 (Cuaderno 43 of the Spanish banking association): lines of 80 characters, whose first two digits name
 * the kind of record. Amounts have two decimals without a mark.
 */
import { codeOfNumber } from '#uploads/currencies.ts'
import type { Row } from '#uploads/table.ts'
import type { FileContent } from '#uploads/content.ts'
import type { Reading } from '#uploads/import/read/reader.ts'
import { linesOf } from './lines.ts'

const recordLength = 80
/** Maximum number of records `23` with texts of one movement, according to the norm. */
const textsMax = 5

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Debe o haber', 'Moneda', 'Referencia'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5 },
}

type Movement = { readonly line: number; readonly record: string; readonly texts: string[] }

/** Number and sum of the movements of one side. */
type Side = { count: number; minor: number }

/**
 * Yields a row for each movement, with its operation day, texts, unsigned amount, side, currency and reference. The
 * totals of each account and the number of records must agree with the movements.
 */
export function* readNorma43({ text }: FileContent, last: string): Reading {
  const readDay = isDayFirst(text, last) ? dayFirst : yearFirst
  const unequal: Row[] = []
  let sides: readonly [debit: Side, credit: Side] = noMovements()
  let records = 0
  let currency = ''
  let movement: Movement | null = null
  for (const { line, record } of recordsOf(text)) {
    const kind = record.slice(0, 2)
    if (kind === '88' ? lacksRecords(record, records) : kind === '33' && !agrees(record, sides))
      unequal.push({ line, fields: [record.trim()] })
    records += Number(record.trim() !== '')
    if (kind === '23') {
      if (movement !== null && movement.texts.length < textsMax) movement.texts.push(record.slice(4))
      continue
    }
    if (kind === '24') continue
    if (movement !== null) yield rowOf(movement, currency, readDay)
    if (kind === '11') {
      currency = codeOfNumber(record.slice(47, 50))
      sides = noMovements()
    }
    movement = kind === '22' ? { line, record, texts: [] } : null
    if (kind === '22') addMovement(sides, record)
  }
  if (movement !== null) yield rowOf(movement, currency, readDay)
  return { format: 'Norma 43', fields, decimal: '.', unequal }
}

function noMovements(): [Side, Side] {
  return [
    { count: 0, minor: 0 },
    { count: 0, minor: 0 },
  ]
}

function addMovement([debit, credit]: readonly [Side, Side], record: string): void {
  const side = record[27] === '1' ? debit : credit
  side.count += 1
  side.minor += Number(record.slice(28, 42))
}

/** Returns whether the number and the sum of each side are those that the record states. Some banks leave them empty. */
function agrees(record: string, [debit, credit]: readonly [Side, Side]): boolean {
  const stated = [record.slice(20, 25), record.slice(25, 39), record.slice(39, 44), record.slice(44, 58)]
  const found = [debit.count, debit.minor, credit.count, credit.minor]
  return stated.every((digits, place) => !/^\d+$/.test(digits) || Number(digits) === found[place])
}

/** Returns whether the record names more records than the file has. Some banks count this record too. */
function lacksRecords(record: string, records: number): boolean {
  return Number(/^\d{6}$/.exec(record.slice(20, 26))?.[0] ?? 0) > records + 1
}

/** Yields the records. Some banks write them without line ends, and others leave out the spaces at their ends. */
function* recordsOf(text: string): Generator<{ line: number; record: string }> {
  let line = 0
  for (const written of linesOf(text)) {
    line += 1
    for (let from = 0; from < written.length; from += recordLength)
      yield { line, record: written.slice(from, from + recordLength).padEnd(recordLength) }
  }
}

function rowOf({ line, record, texts }: Movement, currency: string, readDay: (text: string) => string): Row {
  const side = record[27]
  const digits = /^\d{14}$/.exec(record.slice(28, 42))?.[0] ?? ''
  const amount = digits === '' ? '' : `${digits.slice(0, 12).replace(/^0+(?=\d)/, '')}.${digits.slice(12)}`
  const [document, first, second] = [record.slice(42, 52), record.slice(52, 64), record.slice(64)].map(
    (each) => each.replace(/^0+$/, '').trim(),
  )
  const written = texts.join(' ').replace(/\s+/g, ' ').trim()
  const description = written || kindOf(record.slice(22, 24)) || second || ''
  const reference = [document, first]
    .map((each) => (/^0*$/.test(each ?? '') ? '' : each))
    .filter(Boolean)
    .join(' ')
  return {
    line,
    fields: [
      readDay(record.slice(10, 16)),
      description,
      amount,
      side === '1' ? 'D' : side === '2' ? 'H' : '',
      currency,
      reference,
    ],
  }
}

function yearFirst(text: string): string {
  return `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`
}

function dayFirst(text: string): string {
  return `20${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}`
}

/**
 * Returns whether the dates have the form DDMMYY, although the norm requires YYMMDD. In the other form, dates are
 * invalid, the period of a statement seems to last for years, or the last day is in the future or long ago.
 */
function isDayFirst(text: string, last: string): boolean {
  const [norm, other] = [periodsOf(text, yearFirst), periodsOf(text, dayFirst)]
  if (norm === null || other === null) return norm === null && other !== null
  if (norm.duration !== other.duration) return other.duration < norm.duration
  const latest = Date.parse(last)
  const isRecent = ({ end }: Periods) => end <= latest && end > latest - recentMs
  return isRecent(other) && !isRecent(norm)
}

/** A bank accepts expenses of the last ten years. */
const recentMs = 10 * 366 * 86_400_000

/** The sum of the periods of all accounts in milliseconds, and the last day. */
type Periods = { readonly duration: number; readonly end: number }

/** Number of records in which the form of the dates is recognized. */
const sampleRecords = 5000

/** Returns `null` if a date is invalid, or if the last day of a period is before its first. */
function periodsOf(text: string, readDay: (text: string) => string): Periods | null {
  let duration = 0
  let end = -Infinity
  let [first, last] = [Infinity, -Infinity]
  let count = 0
  for (const { record } of recordsOf(text)) {
    count += 1
    if (count > sampleRecords) break
    const isHeader = record.startsWith('11')
    if (!isHeader && !record.startsWith('22')) continue
    if (isHeader) {
      duration += Math.max(0, last - first)
      ;[first, last] = [Infinity, -Infinity]
    }
    const place = isHeader ? 20 : 10
    const days = [record.slice(place, place + 6), ...(isHeader ? [record.slice(26, 32)] : [])].map((day) =>
      Date.parse(readDay(day)),
    )
    if (days.some((day) => Number.isNaN(day)) || (days[0] ?? 0) > (days[1] ?? Infinity)) return null
    first = Math.min(first, ...days)
    last = Math.max(last, ...days)
    end = Math.max(end, last)
  }
  return { duration: duration + Math.max(0, last - first), end }
}

/** The names of the norm's common kinds of movements (`concepto común`). */
const kinds: Readonly<Record<string, string>> = {
  '01': 'Talón o reintegro',
  '02': 'Abonaré o ingreso',
  '03': 'Recibo o letra domiciliada',
  '04': 'Transferencia, traspaso o cheque',
  '05': 'Amortización de préstamo o crédito',
  '06': 'Remesa de efectos',
  '07': 'Suscripción o dividendo pasivo',
  '08': 'Dividendo o cupón',
  '09': 'Operación de bolsa',
  '10': 'Cheque de gasolina',
  '11': 'Cajero automático',
  '12': 'Tarjeta de crédito o débito',
  '13': 'Operación en el extranjero',
  '14': 'Devolución o impagado',
  '15': 'Nómina o seguro social',
  '16': 'Timbre, corretaje o póliza',
  '17': 'Intereses, comisiones o impuestos',
  '98': 'Anulación o corrección',
  '99': 'Varios',
}

function kindOf(code: string): string {
  return kinds[code] ?? ''
}
