/** Parses OFX and QFX files, both version 1 (SGML) and version 2 (XML). */
import type { FileContent } from '#upload/content.ts'
import type { Reading } from '#features/transactions/import/read/reader.ts'
import type { Row } from '#upload/table.ts'
import { readTags, unescaped, type Tag } from '#upload/tags.ts'

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Tipo', 'Moneda', 'Referencia'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5 },
}

type Transaction = {
  readonly line: number
  readonly values: Map<string, string>
  lastName: string
  lastLine: number
}

/** Yields a row for each transaction, with its day, description, amount, type, currency and reference. */
export function* readOfx({ text }: FileContent): Reading {
  let transaction: Transaction | null = null
  /** The currency of the statement that is being parsed. */
  let currency = ''
  for (const tag of readTags(text)) {
    if (tag.name === 'CURDEF' && !tag.isClosing) currency = tag.text
    if (tag.name === 'STMTTRN') {
      if (transaction !== null) yield rowOf(transaction)
      const values = new Map([['CURDEF', currency]])
      transaction = tag.isClosing ? null : { line: tag.line, values, lastName: '', lastLine: 0 }
    } else if (transaction !== null && !tag.isClosing) noteValue(transaction, tag)
    // In a truncated file, the last transaction may still be open when the list ends.
    else if (transaction !== null && tag.name === 'BANKTRANLIST') {
      yield rowOf(transaction)
      transaction = null
    }
  }
  if (transaction !== null) yield rowOf(transaction)
  return { format: 'OFX', fields }
}

/** Matches the names of the elements within a transaction. Banks add names with a point, such as `INTU.BID`. */
const known =
  /^(?:TRNTYPE|DT\w+|TRNAMT|\w*FITID|CORRECTACTION|SRVRTID|CHECKNUM|REFNUM|SIC|PAYEE(?:ID)?|NAME|EXTDNAME|ADDR\d|CITY|STATE|POSTALCODE|COUNTRY|PHONE|BANKACCT\w+|CCACCT\w+|BANKID|BRANCHID|ACCT\w+|MEMO|IMAGEDATA|\w*CURRENCY|CURRATE|CURSYM|INV401KSOURCE|.*\..*)$/

function noteValue(transaction: Transaction, { name, text, line }: Tag): void {
  const { values, lastName, lastLine } = transaction
  const before = values.get(lastName)
  // SGML without escapes: `<NAME>PAGO <CUOTA> LUZ` contains only one element.
  if (!known.test(name) && line === lastLine && /^(?:NAME|MEMO)$/.test(lastName) && before !== undefined) {
    values.set(lastName, `${before} <${name}> ${text}`.trim())
    return
  }
  if (!values.has(name)) values.set(name, twiceEscaped.test(text) ? unescaped(text) : text)
  transaction.lastName = name
  transaction.lastLine = line
}

/** Matches an escape that is left after the text was read. Some banks escape their texts twice. */
const twiceEscaped = /&(?:lt|gt|amp|quot|apos|#\d{1,7});/i

function rowOf({ line, values }: Transaction): Row {
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
