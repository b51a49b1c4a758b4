/** Generates files of the corpus in formats with named fields. */
import type { OpenQuestion } from '#features/transactions/import/read/judge/judge.ts'
import type { Booking, CorpusFile } from './corpus-file.ts'
import { dayForms, isOrderHidden, pickNotation, writeAmount, type DayForm } from './notations.ts'
import type { Random } from './random.ts'

type Formatted = {
  readonly name: string
  readonly text: string
  readonly allowed?: ReadonlySet<OpenQuestion>
  readonly dayOrder?: 'day-first' | 'month-first'
  readonly decimal?: ',' | '.'
}

export function formatFile(
  random: Random,
  bookings: readonly Booking[],
  currency: 'USD' | 'COP',
): CorpusFile {
  const isReversed = random.chance(0.5)
  const ordered = isReversed ? bookings.toReversed() : bookings
  const format = random.pick([ofxFile, qifFile, camtFile])
  const { name, text, allowed, dayOrder, decimal } = format(random, ordered, currency)
  return {
    name,
    text,
    currency,
    bookings: ordered,
    allowed: allowed ?? new Set(),
    truth: { expenseSign: 'negative', dayOrder: dayOrder ?? 'day-first', decimal: decimal ?? '.' },
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function ofxFile(random: Random, bookings: readonly Booking[], currency: string): Formatted {
  const notation = pickNotation(random)
  const isSigned = random.chance(0.7)
  const isXml = random.chance(0.5)
  const time = random.pick(['', '120000', '120000.000[-5:EST]', '000000[-5:COT]'])
  const close = (tag: string) => (isXml ? `</${tag}>` : '\n')
  const rows = bookings.map(({ day, minor, description }, place) => {
    const sign = isSigned && minor < 0 ? '-' : ''
    const fields = [
      ['TRNTYPE', minor < 0 ? random.pick(['DEBIT', 'POS']) : 'CREDIT'],
      ['DTPOSTED', `${day.replaceAll('-', '')}${time}`],
      ['TRNAMT', `${sign}${writeAmount(minor, notation)}`],
      ['FITID', `F${place}`],
      ['NAME', escaped(description)],
    ] as const
    return `<STMTTRN>${fields.map(([tag, value]) => `<${tag}>${value}${close(tag)}`).join('')}</STMTTRN>\n`
  })
  const head = isXml ? '<?xml version="1.0"?><?OFX OFXHEADER="200"?>' : 'OFXHEADER:100\nDATA:OFXSGML\n\n'
  return {
    name: `OFX | ${notation.name} | ${isSigned ? 'signed' : 'types'} | ${time}`,
    text: `${head}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}${close('CURDEF')}<BANKTRANLIST>${rows.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    decimal: notation.decimal || '.',
  }
}

function qifFile(random: Random, bookings: readonly Booking[]): Formatted {
  const notation = pickNotation(random)
  const dayForm: DayForm = dayForms[random.pick([1, 2, 3, 5])] ?? dayForms[0]
  const rows = bookings.map(
    ({ day, minor, description }) =>
      `D${dayForm.write(day)}\nT${minor < 0 ? '-' : ''}${writeAmount(minor, notation)}\nP${description}\n^\n`,
  )
  const days = bookings.map(({ day }) => day)
  return {
    name: `QIF | ${notation.name} | ${dayForm.name}`,
    text: `!Type:Bank\n${rows.join('')}`,
    allowed: new Set<OpenQuestion>(isOrderHidden(days, dayForm) ? ['dayOrder'] : []),
    dayOrder: dayForm.order ?? 'day-first',
    decimal: notation.decimal || '.',
  }
}

function camtFile(random: Random, bookings: readonly Booking[], currency: string): Formatted {
  const hasTimes = random.chance(0.3)
  const entries = bookings.map(({ day, minor, description }, place) => {
    const amount = `${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`
    const date = hasTimes ? `<DtTm>${day}T10:00:00-05:00</DtTm>` : `<Dt>${day}</Dt>`
    return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts><BookgDt>${date}</BookgDt><AcctSvcrRef>R${place}</AcctSvcrRef><AddtlNtryInf>${escaped(description)}</AddtlNtryInf></Ntry>\n`
  })
  return {
    name: `camt.053 | ${hasTimes ? 'times' : 'days'}`,
    text: `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
  }
}
