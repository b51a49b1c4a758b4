/** Reads QIF: each line has a letter and its value, and `^` ends a record. */
import type { Row } from '#upload/table.ts'

/** Returns one row for each record: day, description, signed amount and category. */
export function readQif(text: string, rowsMax: number): Row[] {
  const rows: Row[] = []
  let values = new Map<string, string>()
  let begin = 1
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const code = raw.slice(0, 1)
    if (code === '!') continue
    if (values.size === 0) begin = index + 1
    if (code === '^') {
      if (values.size > 0) rows.push({ line: begin, fields: fieldsOf(values) })
      if (rows.length >= rowsMax) return rows
      values = new Map()
    } else if (code.trim() !== '' && !values.has(code)) values.set(code, raw.slice(1).trim())
  }
  if (values.has('D')) rows.push({ line: begin, fields: fieldsOf(values) })
  return rows
}

function fieldsOf(values: ReadonlyMap<string, string>): string[] {
  const description = [values.get('P'), values.get('M')].filter(Boolean).join(' · ')
  // `[Ahorros]` means a transfer to another account of the same person. `Casa:Luz` is a subcategory.
  const category = (values.get('L') ?? '').replace(/^\[.*\]$/, '').split(/[:/]/)[0] ?? ''
  return [values.get('D') ?? '', description, values.get('T') ?? values.get('U') ?? '', category]
}
