/** Parses OFX and QFX files, both version 1 (SGML) and version 2 (XML). */
import type { FileContent, Reading } from '#features/transactions/import/read/reader.ts'
import type { Row } from '#upload/table.ts'
import { readTags } from './tags.ts'

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Tipo', 'Moneda', 'Referencia'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5 },
}

/** Yields a row for each transaction, with its day, description, amount, type, currency and reference. */
export function* readOfx({ text }: FileContent): Reading {
  let values: Map<string, string> | null = null
  let line = 1
  /** The currency of the statement that is being parsed. */
  let currency = ''
  for (const tag of readTags(text)) {
    if (tag.name === 'CURDEF' && !tag.isClosing) currency = tag.text
    if (tag.name === 'STMTTRN') {
      if (values !== null) yield rowOf(line, values)
      values = tag.isClosing ? null : new Map([['CURDEF', currency]])
      line = tag.line
    } else if (values !== null && !tag.isClosing && !values.has(tag.name)) values.set(tag.name, tag.text)
    // In a truncated file, the last transaction may still be open when the list ends.
    else if (values !== null && tag.isClosing && tag.name === 'BANKTRANLIST') {
      yield rowOf(line, values)
      values = null
    }
  }
  if (values !== null) yield rowOf(line, values)
  return { format: 'OFX', fields }
}

function rowOf(line: number, values: ReadonlyMap<string, string>): Row {
  const valueOf = (name: string) => values.get(name) ?? ''
  const [name, memo] = [valueOf('NAME'), valueOf('MEMO')]
  const description =
    memo === '' || memo.startsWith(name) ? memo || name : [name, memo].filter(Boolean).join(' · ')
  // CURRENCY contains the currency of the transaction's amount. ORIGCURRENCY contains the currency before a conversion
  // and is ignored.
  const currency = (values.has('CURRENCY') && valueOf('CURSYM')) || valueOf('CURDEF')
  return {
    line,
    fields: [
      valueOf('DTPOSTED'),
      description,
      valueOf('TRNAMT'),
      valueOf('TRNTYPE'),
      currency,
      valueOf('FITID'),
    ],
  }
}
