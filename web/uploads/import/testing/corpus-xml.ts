/** Generates OFX and camt files of the corpus. */
import type { Booking, WriteFile } from './corpus-file.ts'
import { nightOf, pickNotation, writeAmount } from './notations.ts'
import type { Random } from './random.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const plain = (minor: number) =>
  `${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`

const accountTypes = {
  out: ['DEBIT', 'POS', 'ATM', 'FEE', 'SRVCHG', 'CHECK', 'PAYMENT', 'CASH', 'DIRECTDEBIT', 'REPEATPMT'],
  in: ['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT'],
} as const
const cardTypes = { out: ['DEBIT', 'POS', 'FEE', 'INT'], in: ['CREDIT', 'DEP'] } as const
/** Types whose direction only the sign shows. */
const signedTypes = { out: ['XFER', 'OTHER', 'INT', 'PAYMENT'], in: ['XFER', 'OTHER'] } as const

export const ofxFile: WriteFile = (random, bookings, currency) => {
  const notation = pickNotation(random)
  const isSigned = random.chance(0.6)
  const isXml = random.chance(0.5)
  const isCard = random.chance(0.3)
  const time = random.pick(['', '120000', '120000.000[-5:EST]', '000000[-5:COT]', 'night'])
  const close = (tag: string) => (isXml ? `</${tag}>` : '\n')
  const types = isCard ? cardTypes : accountTypes
  const write = (minor: number) => `${isSigned && minor < 0 ? '-' : ''}${writeAmount(minor, notation)}`
  const transaction = ({ day, minor, description }: Booking, id: string, more = '') => {
    const side = minor < 0 ? 'out' : 'in'
    const type = random.pick(types[side])
    const compact = day.replaceAll('-', '')
    const fields = [
      ['TRNTYPE', isSigned && random.chance(0.3) ? random.pick(signedTypes[side]) : type],
      ['DTPOSTED', time === 'night' ? `${digitsOf(nightOf(day))}.000[0:GMT]` : `${compact}${time}`],
      ['TRNAMT', write(minor)],
      ['FITID', id],
      ['NAME', escaped(description)],
    ] as const
    return `<STMTTRN>${fields.map(([tag, value]) => `<${tag}>${value}${close(tag)}`).join('')}${more}</STMTTRN>\n`
  }
  const [first] = bookings
  const corrected = (action: string) =>
    first === undefined
      ? ''
      : `${transaction({ ...first, description: 'Corregido' }, `C${action}`)}${
          action === 'DELETE'
            ? transaction({ ...first, description: 'Borrado' }, 'D', correction(close, action))
            : ''
        }`
  const action = random.pick(['', '', 'REPLACE', 'DELETE'])
  const rows = bookings.map((booking, place) =>
    transaction(booking, `F${place}`, place === 0 && action === 'REPLACE' ? correction(close, action) : ''),
  )
  const hasPending = random.chance(0.2)
  const pending = hasPending
    ? `<BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT${close('TRNTYPE')}<DTTRAN>20261101${close('DTTRAN')}<TRNAMT>${write(-990)}${close('TRNAMT')}<NAME>Pendiente${close('NAME')}</STMTTRNP></BANKTRANLISTP>`
    : ''
  const head = isXml ? '<?xml version="1.0"?><?OFX OFXHEADER="200"?>' : 'OFXHEADER:100\nDATA:OFXSGML\n\n'
  const prefix = isCard ? 'CC' : ''
  const list = `<BANKTRANLIST>${action === '' ? '' : corrected(action)}${rows.join('')}</BANKTRANLIST>${pending}`
  return {
    name: `OFX | ${notation.name} | ${isSigned ? 'signed' : 'types'} | ${time} | ${prefix} | ${action}`,
    content: `${head}<OFX><${prefix}STMTRS><CURDEF>${currency}${close('CURDEF')}${list}</${prefix}STMTRS></OFX>`,
    truth: { decimal: notation.decimal || '.' },
  }
}

function digitsOf(moment: Date): string {
  return moment.toISOString().replace(/\D/g, '').slice(0, 14)
}

function correction(close: (tag: string) => string, action: string): string {
  return `<CORRECTFITID>C${action}${close('CORRECTFITID')}<CORRECTACTION>${action}${close('CORRECTACTION')}`
}

const roots = [
  ['camt.052', 'BkToCstmrAcctRpt', 'Rpt'],
  ['camt.053', 'BkToCstmrStmt', 'Stmt'],
  ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
] as const
const dayForms = [
  ['day', (day: string) => `<Dt>${day}</Dt>`],
  ['day with a zone', (day: string) => `<Dt>${day}+01:00</Dt>`],
  ['time', (day: string) => `<DtTm>${day}T10:00:00-05:00</DtTm>`],
  ['night', (day: string) => `<DtTm>${nightOf(day).toISOString()}</DtTm>`],
] as const
const statuses = ['<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>', '<Sts><Prtry>Booked</Prtry></Sts>'] as const
const unbooked = [
  '<Sts>PDNG</Sts>',
  '<Sts><Cd>INFO</Cd></Sts>',
  '<Sts><Cd>FUTR</Cd></Sts>',
  '<Sts><Prtry>PENDIENTE</Prtry></Sts>',
  '<Sts><Prtry>X1</Prtry></Sts>',
] as const

export const camtFile: WriteFile = (random, bookings, currency) => {
  const [format, root, part] = random.pick(roots)
  const [form, writeDay] = random.pick(dayForms)
  const status = random.pick(statuses)
  const dayTag = random.pick(['BookgDt', 'BookgDt', 'ValDt'])
  const side = (minor: number) => `<CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`
  const amount = (minor: number) => `<Amt Ccy="${currency}">${plain(minor)}</Amt>`
  const entry = (minor: number, day: string, state: string, details: string) =>
    `<Ntry>${amount(minor)}${side(minor)}${state}<${dayTag}>${writeDay(day)}</${dayTag}>${details}</Ntry>\n`
  const batches = batchesOf(random, bookings)
  const entries = batches.map((batch) => {
    const [first] = batch
    const sum = batch.reduce((total, { minor }) => total + minor, 0)
    const details = batch.length > 1 || random.chance(0.5) ? detailsOf(random, batch, amount) : null
    const text = details ?? `<AddtlNtryInf>${escaped(first?.description ?? '')}</AddtlNtryInf>`
    return entry(sum, first?.day ?? '', status, text)
  })
  const extra = random.chance(0.3) ? entry(-500, bookings[0]?.day ?? '', random.pick(unbooked), '') : ''
  const total = bookings.reduce((sum, { minor }) => sum + minor, 0)
  const balance = (code: string, minor: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor)}${side(minor)}</Bal>\n`
  const balances = random.chance(0.5) ? balance('OPBD', 123_456) + balance('CLBD', 123_456 + total) : ''
  const prefix = random.chance(0.2) ? 'ns2:' : ''
  const body = `<${root}><${part}>${balances}${extra}${entries.join('')}</${part}></${root}>`
  const document = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}.001.02">${body}</Document>`
  return {
    name: `${format} | ${form} | ${dayTag} | ${status} | ${prefix}`,
    content: `<?xml version="1.0"?>${document.replace(/<(\/?)(?=[A-Z])/g, `<$1${prefix}`)}`,
  }
}

/** Joins some neighbours with the same day and direction, which become the details of one entry. */
function batchesOf(random: Random, bookings: readonly Booking[]): Booking[][] {
  const batches: Booking[][] = []
  for (const booking of bookings) {
    const last = batches.at(-1)?.[0]
    const isLike = last?.day === booking.day && last.minor < 0 === booking.minor < 0
    if (isLike && random.chance(0.7)) batches.at(-1)?.push(booking)
    else batches.push([booking])
  }
  return batches
}

function detailsOf(random: Random, batch: readonly Booking[], amount: (minor: number) => string): string {
  const details = batch.map(({ minor, description }, place) => {
    const words = description.split(' ')
    const lines = random.chance(0.5) ? [description] : words
    const texts = lines.map((line) => `<Ustrd>${escaped(line)}</Ustrd>`).join('')
    return `\n<TxDtls><Refs><EndToEndId>E${place}</EndToEndId></Refs><AmtDtls><TxAmt>${amount(minor)}</TxAmt></AmtDtls><RmtInf>${texts}</RmtInf></TxDtls>`
  })
  return `<NtryDtls>${details.join('')}</NtryDtls>`
}
