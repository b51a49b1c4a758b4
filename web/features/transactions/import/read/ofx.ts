/** Parses OFX and QFX files, both version 1 (SGML) and version 2 (XML). */
import type { Row } from '#upload/table.ts'
import { readTags } from './tags.ts'

/** Returns a row for each transaction, with its day, description, signed amount, currency and reference. */
export function readOfx(text: string, rowsMax: number): Row[] {
  const rows: Row[] = []
  let values: Map<string, string> | null = null
  let line = 1
  /** The currency of the statement that is being parsed. */
  let currency = ''
  for (const tag of readTags(text)) {
    if (tag.name === 'CURDEF' && !tag.isClosing) currency = tag.text
    if (tag.name === 'STMTTRN') {
      if (values !== null) rows.push({ line, fields: fieldsOf(values) })
      if (rows.length >= rowsMax) return rows
      values = tag.isClosing ? null : new Map([['CURDEF', currency]])
      line = tag.line
    } else if (values !== null && !tag.isClosing && !values.has(tag.name)) values.set(tag.name, tag.text)
    // In a truncated file, the last transaction may still be open when the list ends.
    else if (values !== null && tag.isClosing && tag.name === 'BANKTRANLIST') {
      rows.push({ line, fields: fieldsOf(values) })
      values = null
    }
  }
  if (values !== null) rows.push({ line, fields: fieldsOf(values) })
  return rows
}

function fieldsOf(values: ReadonlyMap<string, string>): string[] {
  const name = values.get('NAME') ?? ''
  const memo = values.get('MEMO') ?? ''
  const description =
    memo === '' || memo.startsWith(name) ? memo || name : [name, memo].filter(Boolean).join(' · ')
  const amount = (values.get('TRNAMT') ?? '').replace(',', '.')
  // CURRENCY contains the currency of the transaction's amount. ORIGCURRENCY contains the currency before a conversion
  // and is ignored.
  const own = values.has('CURRENCY') ? values.get('CURSYM') : undefined
  const day = (values.get('DTPOSTED') ?? '').slice(0, 8)
  return [day, description, amount, '', own ?? values.get('CURDEF') ?? '', values.get('FITID') ?? '']
}
