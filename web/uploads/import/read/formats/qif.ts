/** Parses QIF. Each line contains a letter and a value, `^` ends a record, and `!` begins a section. */
import type { Reading, Skipped } from '#uploads/import/read/reader.ts'
import type { FileContent } from '#uploads/content.ts'
import type { Row } from '#uploads/table.ts'
import { linesOf } from './lines.ts'

const fields = {
  names: ['Fecha (D)', 'Descripción (P, M)', 'Monto (T)', 'Categoría (L)'],
  roles: { date: 0, description: 1, amount: 2, category: 3 },
}

/** Matches the sections whose records are transactions of an account. The other sections contain lists and prices. */
const statement = /^!Type:\s*(?:Bank|Cash|CCard|Oth\s?[AL])\b/i
/** Matches the section of purchases and sales of securities, which are not expenses. */
const investments = /^!Type:\s*Invst/i

/** Yields a row for each record, with its day, description, signed amount and category. */
export function* readQif({ text }: FileContent): Reading {
  const skipped: Skipped[] = []
  let section: 'statement' | 'investments' | 'list' = 'statement'
  let dayOrder: 'day-first' | 'month-first' | undefined
  let values = new Map<string, string>()
  let begin = 1
  let line = 0
  const recordRows = (): Row[] => {
    const reason = section === 'investments' ? 'section' : unbooked(values)
    if (values.size === 0 || section === 'list') return []
    if (reason === null) return [rowOf(begin, values)]
    skipped.push({ line: begin, reason, text: [...values.values()].join(' · ') })
    return []
  }
  for (const raw of linesOf(text)) {
    line += 1
    const code = raw.slice(0, 1)
    if (code === '!') {
      if (values.has('D')) yield* recordRows()
      const option = /^!Option:\s*(MDY|DMY)/i.exec(raw)?.[1]?.toUpperCase()
      if (option !== undefined) dayOrder = option === 'MDY' ? 'month-first' : 'day-first'
      if (!/^!(?:Option|Clear)/i.test(raw))
        section = statement.test(raw) ? 'statement' : investments.test(raw) ? 'investments' : 'list'
      values = new Map()
      continue
    }
    if (values.size === 0) begin = line
    if (code === '^') {
      yield* recordRows()
      values = new Map()
    } else if (code.trim() !== '' && !values.has(code)) values.set(code, raw.slice(1).trim())
  }
  // The last record may lack its end.
  if (values.has('D')) yield* recordRows()
  return { format: 'QIF', fields, dayOrder, skipped }
}

const opening = /^(?:(?:opening|starting|initial) balance|saldo (?:inicial|de apertura)|anfangssaldo)$/i

/** Returns the reason why a record is not a transaction. Quicken writes both marks into the name of the payee. */
function unbooked(values: ReadonlyMap<string, string>): 'refused' | 'balance' | null {
  const payee = values.get('P') ?? ''
  if (/^(?:\*\*\s?VOID\s?\*\*|VOID$)/i.test(payee)) return 'refused'
  return opening.test(payee) ? 'balance' : null
}

function rowOf(line: number, values: ReadonlyMap<string, string>): Row {
  const description = [values.get('P'), values.get('M')].filter(Boolean).join(' · ')
  // `[Ahorros]` means a transfer to another account that belongs to the same person, and `--Split--` means that the
  // record has several categories. `Casa:Luz` is a subcategory.
  const category = (values.get('L') ?? '').replace(/^(?:\[.*\]|--.*--|\|.*\|)$/, '').split(/[:/]/)[0] ?? ''
  return {
    line,
    fields: [values.get('D') ?? '', description, values.get('T') ?? values.get('U') ?? '', category],
  }
}
