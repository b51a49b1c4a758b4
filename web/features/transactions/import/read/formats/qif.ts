/** Parses QIF. Each line contains a letter and a value, and `^` ends a record. */
import type { FileContent, Reading } from '#features/transactions/import/read/reader.ts'
import type { Row } from '#upload/table.ts'

const fields = {
  names: ['Fecha (D)', 'Descripción (P, M)', 'Monto (T)', 'Categoría (L)'],
  roles: { date: 0, description: 1, amount: 2, category: 3 },
}

/** Yields a row for each record, with its day, description, signed amount and category. */
export function* readQif({ text }: FileContent): Reading {
  let values = new Map<string, string>()
  let begin = 1
  let line = 0
  for (const raw of linesOf(text)) {
    line += 1
    const code = raw.slice(0, 1)
    if (code === '!') continue
    if (values.size === 0) begin = line
    if (code === '^') {
      if (values.size > 0) yield rowOf(begin, values)
      values = new Map()
    } else if (code.trim() !== '' && !values.has(code)) values.set(code, raw.slice(1).trim())
  }
  if (values.has('D')) yield rowOf(begin, values)
  return { format: 'QIF', fields }
}

function* linesOf(text: string): Generator<string> {
  const end = /\r\n|\r|\n/g
  let from = 0
  for (let match = end.exec(text); match !== null; match = end.exec(text)) {
    yield text.slice(from, match.index)
    from = end.lastIndex
  }
  yield text.slice(from)
}

function rowOf(line: number, values: ReadonlyMap<string, string>): Row {
  const description = [values.get('P'), values.get('M')].filter(Boolean).join(' · ')
  // `[Ahorros]` means a transfer to another account that belongs to the same person. `Casa:Luz` is a subcategory.
  const category = (values.get('L') ?? '').replace(/^\[.*\]$/, '').split(/[:/]/)[0] ?? ''
  return {
    line,
    fields: [values.get('D') ?? '', description, values.get('T') ?? values.get('U') ?? '', category],
  }
}
