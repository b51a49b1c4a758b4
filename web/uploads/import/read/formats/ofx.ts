/** Parses OFX and QFX files, both version 1 (SGML) and version 2 (XML). */
import type { FileContent } from '#uploads/content.ts'
import type { Reading } from '#uploads/import/read/reader.ts'
import { readRowsMax } from '#uploads/read-rows.ts'
import { tooManyRows } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'
import { readTags, unescaped, type Tag } from '#uploads/tags.ts'

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Tipo', 'Moneda', 'Referencia', 'Estado'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5, state: 6 },
}

type Transaction = {
  readonly line: number
  readonly isOfCard: boolean
  readonly isPending: boolean
  /** The place of the statement in the file. Each statement has transaction ids of its own. */
  readonly statement: number
  readonly values: Map<string, string>
  lastName: string
  lastLine: number
}

/** Yields a row for each transaction, with its day, description, amount, type, currency, reference and state. */
export function* readOfx({ text }: FileContent): Reading {
  const corrections = correctionsOf(text)
  let transaction: Transaction | null = null
  /** The currency of the statement that is being parsed. */
  let currency = ''
  let isOfCard = false
  let statement = 0
  let count = 0
  for (const tag of readTags(text)) {
    if (tag.name === 'CURDEF' && !tag.isClosing) currency = tag.text
    if (statements.test(tag.name) && !tag.isClosing) {
      isOfCard = tag.name === 'CCSTMTRS'
      statement += 1
    }
    if (tag.name === 'STMTTRN' || tag.name === 'STMTTRNP') {
      if (transaction !== null) {
        yield rowOf(transaction, corrections)
        count += 1
      }
      if (count > readRowsMax) throw tooManyRows(text, { begin: /<STMTTRNP?>/gi, read: count })
      const values = new Map([['CURDEF', currency]])
      const isPending = tag.name === 'STMTTRNP'
      transaction = tag.isClosing
        ? null
        : { line: tag.line, isOfCard, isPending, statement, values, lastName: '', lastLine: 0 }
    } else if (transaction !== null && !tag.isClosing) noteValue(transaction, tag)
    // In a truncated file, the last transaction may still be open when the list ends.
    else if (transaction !== null && /^BANKTRANLISTP?$/.test(tag.name)) {
      yield rowOf(transaction, corrections)
      transaction = null
    }
  }
  if (transaction !== null) yield rowOf(transaction, corrections)
  return { format: 'OFX', fields }
}

const statements = /^(?:CC|INV)?STMTRS$/

/** Returns what happened to the transactions that a later one corrects, by their statement and their id. */
function correctionsOf(text: string): ReadonlyMap<string, string> {
  const corrections = new Map<string, string>()
  if (!text.includes('CORRECTFITID')) return corrections
  let statement = 0
  let values = new Map<string, string>()
  for (const { name, isClosing, text: value } of readTags(text)) {
    if (statements.test(name) && !isClosing) statement += 1
    if (name === 'STMTTRN') values = new Map()
    else if (!isClosing && /^(?:FITID|CORRECT\w+)$/.test(name)) values.set(name, value)
    const [corrected, action] = [values.get('CORRECTFITID'), values.get('CORRECTACTION')]
    // A bank that keeps the id for the corrected transaction leaves the former one out.
    if (corrected === undefined || corrected === values.get('FITID')) continue
    corrections.set(`${statement} ${corrected}`, isDeletion(action) ? 'REVERSED' : 'REPLACED')
  }
  return corrections
}

function isDeletion(action: string | undefined): boolean {
  return /^DELETE$/i.test(action ?? '')
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

function rowOf(transaction: Transaction, corrections: ReadonlyMap<string, string>): Row {
  const { line, values, isPending, statement } = transaction
  const valueOf = (name: string) => values.get(name) ?? ''
  const [name, memo] = [valueOf('NAME'), valueOf('MEMO')]
  const description =
    memo === '' || memo.startsWith(name) ? memo || name : [name, memo].filter(Boolean).join(' · ')
  // CURRENCY contains the currency of the transaction's amount. ORIGCURRENCY contains the currency before a conversion
  // and is ignored.
  const currency = (values.has('CURRENCY') && valueOf('CURSYM')) || valueOf('CURDEF')
  const isHeld = isPending || /^HOLD$/i.test(valueOf('TRNTYPE'))
  const corrected = corrections.get(`${statement} ${valueOf('FITID')}`) ?? ''
  return {
    line,
    fields: [
      valueOf('DTPOSTED') || valueOf('DTTRAN'),
      description,
      valueOf('TRNAMT'),
      directionOf(transaction),
      currency,
      valueOf('FITID'),
      isHeld ? 'PENDING' : isDeletion(values.get('CORRECTACTION')) ? 'REVERSED' : corrected,
    ],
  }
}

/** The direction that the types of OFX have in an account. `null` if only the sign of the amount shows it. */
const accountTypes: Readonly<Record<string, 'DEBIT' | 'CREDIT' | null>> = {
  CREDIT: 'CREDIT',
  DEP: 'CREDIT',
  DIRECTDEP: 'CREDIT',
  DIV: 'CREDIT',
  INT: 'CREDIT',
  DEBIT: 'DEBIT',
  ATM: 'DEBIT',
  CASH: 'DEBIT',
  CHECK: 'DEBIT',
  DIRECTDEBIT: 'DEBIT',
  FEE: 'DEBIT',
  PAYMENT: 'DEBIT',
  POS: 'DEBIT',
  REPEATPMT: 'DEBIT',
  SRVCHG: 'DEBIT',
  OTHER: null,
  XFER: null,
}
/** A card's interest is charged, and a payment may be made with the card or to the card. */
const cardTypes: typeof accountTypes = { ...accountTypes, INT: 'DEBIT', PAYMENT: null, REPEATPMT: null }

/** Returns `DEBIT` or `CREDIT`, an empty string if the type has no direction, or a type that OFX does not define. */
function directionOf({ isOfCard, values }: Transaction): string {
  const type = values.get('TRNTYPE') ?? ''
  const direction = (isOfCard ? cardTypes : accountTypes)[type.toUpperCase()]
  return direction === undefined ? type : (direction ?? '')
}
