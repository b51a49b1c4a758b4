/**
 * Parses MT940, the account statement of SWIFT, in the dialects of German, Dutch, Polish and Spanish banks. The format of
 * `:61:` is `6!n[4!n]2a[1!a]15d1!a3!c16x[//16x][34x]`.
 */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { FileContent } from '#uploads/content.ts'
import type { Reading } from '#uploads/import/read/reader.ts'
import type { Row } from '#uploads/table.ts'
import { linesOf } from './lines.ts'
import { informationText } from './mt940-information.ts'

/** Maximum number of lines of one field. SWIFT allows six. */
const fieldLinesMax = 100

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Débito o crédito', 'Moneda', 'Referencia'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5 },
}

/**
 * Yields a row for each `:61:`, with its entry day, description, unsigned amount, mark, currency and reference. The
 * opening balance and the amounts must add up to the closing balance of each message.
 */
export function* readMt940({ text }: FileContent): Reading {
  const unequal: Row[] = []
  let currency = ''
  let movement: Movement | null = null
  let sum: number | null = null
  for (const { tag, line, lines } of fieldsOf(text)) {
    const value = lines[0] ?? ''
    if (tag === '86' && movement !== null) movement.information = lines
    else if (movement !== null) {
      yield rowOf(movement, currency)
      movement = null
    }
    if (/^60[FM]$/.test(tag)) {
      currency = /^[CD]\d{6}([A-Z]{3})/.exec(value)?.[1] ?? ''
      sum = balanceOf(value)
    }
    if (tag === '61') {
      movement = { line, lines, information: [] }
      const minor = signedMinorOf(lines[0] ?? '')
      sum = sum === null || minor === null ? null : sum + minor
    }
    if (/^62[FM]$/.test(tag)) {
      const closing = balanceOf(value)
      if (sum !== null && closing !== null && sum !== closing)
        unequal.push({ line, fields: [`:${tag}:${value}`] })
      sum = null
    }
  }
  if (movement !== null) yield rowOf(movement, currency)
  return { format: 'MT940', fields, decimal: ',', unequal }
}

/** Returns the signed minor units of a balance such as `C261101USD1500,00`, or `null` if it cannot be read. */
function balanceOf(value: string): number | null {
  const [, mark, amount = ''] = /^([CD])\d{6}[A-Z]{3}(\d*[,.]?\d*)/.exec(value) ?? []
  return mark === undefined ? null : signedMinor(amount, mark)
}

function signedMinorOf(line: string): number | null {
  const [, , , mark, , amount = ''] = statementLine.exec(line.trim()) ?? []
  return mark === undefined ? null : signedMinor(amount, directionOf(mark))
}

function signedMinor(amount: string, letter: string): number | null {
  const [whole = '', decimals = ''] = amount.split(/[,.]/)
  const minor = minorFromDecimal(`${whole.replace(/^0+(?=\d)/, '') || '0'}.${decimals.padEnd(2, '0')}`)
  return minor === null ? null : letter === 'D' ? 0 - minor : minor
}

type Field = { readonly tag: string; readonly line: number; readonly lines: string[] }
type Movement = { readonly line: number; readonly lines: readonly string[]; information: readonly string[] }

/** Yields the fields of all messages of the file. A line that does not begin with a tag continues the field above it. */
function* fieldsOf(text: string): Generator<Field> {
  let field: Field | null = null
  let line = 0
  for (const raw of linesOf(text)) {
    line += 1
    // The blocks `{1:…}{2:…}{4:` may stand before the first tag on its line.
    const [, tag, value = ''] = /^(?:\{[^]{0,200}\{4:)?\s{0,8}:(\d\d[A-Z]?|NS):([^]*)$/.exec(raw) ?? []
    if (tag !== undefined) {
      if (field !== null) yield field
      field = { tag, line, lines: [value] }
    } else if (/^(?:-\}?|\{)/.test(raw) && !/^-\s*\S/.test(raw.replace(/^-\}/, ''))) {
      if (field !== null) yield field
      field = null
    } else if (field !== null && field.lines.length < fieldLinesMax) field.lines.push(raw)
  }
  if (field !== null) yield field
}

/** Value day, entry day, mark, funds code, amount, transaction type, and the references behind it. */
const statementLine =
  /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?(\d{1,15}(?:[,.]\d{0,6})?|[,.]\d{1,6})(?:([A-Z][A-Z\d]{3})([^]*))?$/i

function rowOf({ line, lines, information }: Movement, currency: string): Row {
  const [first = '', ...details] = lines
  const [, valueDay = '', entryDay = '', mark = '', , amount = '', , references = ''] =
    statementLine.exec(first.trim()) ?? []
  const [own = '', bank = ''] = references.split('//')
  const reference =
    [bank, own].map((each) => each.trim()).find((each) => !/^(?:NONREF|0*)$/i.test(each)) ?? ''
  const description = informationText(information) || details.join(' ').trim() || own.trim()
  // A line that cannot be read keeps its text, so that the page can show it.
  const texts =
    mark === '' ? ['', first, '', ''] : [dayOf(valueDay, entryDay), description, amount, directionOf(mark)]
  return { line, fields: [...texts, currency, reference] }
}

/** Returns the entry day, which has no year of its own and may lie in the year before or after the value day. */
function dayOf(valueDay: string, entryDay: string): string {
  const year = 2000 + Number(valueDay.slice(0, 2))
  const [valueMonth, day] = [Number(valueDay.slice(2, 4)), (entryDay || valueDay.slice(2)).slice(2)]
  const month = Number((entryDay || valueDay.slice(2)).slice(0, 2))
  const years = month - valueMonth > 6 ? -1 : valueMonth - month > 6 ? 1 : 0
  return `${year + years}-${String(month).padStart(2, '0')}-${day}`
}

/** Returns `D` or `C`. A reversed credit takes money out, and a reversed debit brings it back. */
function directionOf(mark: string): string {
  const letter = mark.slice(-1).toUpperCase()
  if (!mark.toUpperCase().startsWith('R')) return letter
  return letter === 'C' ? 'D' : 'C'
}
