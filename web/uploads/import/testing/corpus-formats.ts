/** Generates QIF, MT940 and Norma 43 files of the corpus. */
import type { OpenQuestion } from '#uploads/import/read/judge/judge.ts'
import type { Booking, CorpusFile, WriteFile } from './corpus-file.ts'
import { camtFile, ofxFile } from './corpus-xml.ts'
import { dayForms, isOrderHidden, pickNotation, writeAmount, type DayForm } from './notations.ts'
import type { Random } from './random.ts'

export function formatFile(random: Random, all: readonly Booking[], currency: 'USD' | 'COP'): CorpusFile {
  const ordered = random.chance(0.5) ? all.toReversed() : all
  const write = random.pick([ofxFile, qifFile, camtFile, mt940File, norma43File])
  const { name, content, bookings, allowed, truth } = write(random, ordered, currency)
  return {
    name,
    content,
    currency,
    bookings: bookings ?? ordered,
    allowed: allowed ?? new Set(),
    truth: truth ?? {},
  }
}

const quickenDay: DayForm = {
  name: "11/20'26",
  order: 'month-first',
  write: (day) => {
    const [year = '', month, date] = day.split('-')
    return `${Number(month)}/${String(Number(date)).padStart(2)}'${year.slice(2)}`
  },
}

const qifFile: WriteFile = (random, bookings) => {
  const notation = pickNotation(random)
  const dayForm = random.pick([quickenDay, ...qifDays])
  const option = dayForm.order !== null && random.chance(0.3) ? dayForm.order : null
  const record = (day: string, lines: readonly string[]) => `D${dayForm.write(day)}\n${lines.join('\n')}\n^\n`
  const rows = bookings.map(({ day, minor, description }) => {
    const amount = `${minor < 0 ? '-' : ''}${writeAmount(minor, notation)}`
    const split = ['L--Split--', 'SComida', `$${amount}`]
    return record(day, [
      ...(random.chance(0.5) ? [`U${amount}`] : []),
      `T${amount}`,
      `P${description}`,
      ...(random.chance(0.2) ? split : random.chance(0.3) ? ['LComida:Mercado'] : []),
    ])
  })
  const [first] = bookings
  const day = first?.day ?? ''
  const opening = random.chance(0.3) ? record(day, ['T1', 'POpening Balance', 'L[Corriente]']) : ''
  const isVoid = random.chance(0.2) ? record(day, ['T-1', 'P**VOID**Cheque']) : ''
  const account = random.chance(0.3) ? '!Account\nNCorriente\nTBank\n^\n' : ''
  const list = random.chance(0.3) ? '!Type:Cat\nNComida\nE\n^\n' : ''
  const head = option === null ? '' : `!Option:${option === 'month-first' ? 'MDY' : 'DMY'}\n`
  const type = random.pick(['Bank', 'Cash', 'CCard', 'Oth L', 'Oth A'])
  const days = bookings.map(({ day: each }) => each)
  const isHidden = option === null && isOrderHidden(days, dayForm)
  return {
    name: `QIF ${type} | ${notation.name} | ${dayForm.name} | ${option ?? ''}`,
    content: `${head}${account}${list}!Type:${type}\n${opening}${rows.join('')}${isVoid}`,
    allowed: new Set<OpenQuestion>(isHidden ? ['dayOrder'] : []),
    truth: { dayOrder: dayForm.order ?? 'day-first', decimal: notation.decimal || '.' },
  }
}

const qifDays = dayForms.filter(({ name }) =>
  ['20/11/2026', '11/20/2026', '20.11.2026', '1/5/2026'].includes(name),
)

const compact = (day: string) => day.slice(2).replaceAll('-', '')

const mt940File: WriteFile = (random, bookings, currency) => {
  const information = random.pick(['plain', 'German', 'Dutch', 'lines'])
  const hasEntryDay = random.chance(0.7)
  const hasBlocks = random.chance(0.5)
  const amount = (minor: number) => {
    const [whole, hundredths] = writeAmount(minor, { name: '', group: '', decimal: ',' }).split(',')
    return `${whole},${hundredths === '00' && random.chance(0.5) ? '' : hundredths}`
  }
  const mark = (minor: number) =>
    random.chance(0.1) ? (minor < 0 ? 'RC' : 'RD') : `${minor < 0 ? 'D' : 'C'}${random.pick(['', 'R'])}`
  const named = bookings.map((each) =>
    information === 'German' || information === 'Dutch'
      ? { ...each, description: `ACME · ${each.description}` }
      : each,
  )
  const texts: Readonly<Record<string, (text: string) => string>> = {
    German: (text) => `166?00PAGO?20EREF+1?21SVWZ+${text}?32ACME`,
    Dutch: (text) => `/TRTP/SEPA/NAME/ACME/REMI/${text}/EREF/1`,
    lines: (text) => text.replace(' ', '\n'),
  }
  const rows = bookings.map(({ day, minor, description }) => {
    const days = compact(day) + (hasEntryDay ? compact(day).slice(2) : '')
    const text = texts[information]?.(description) ?? description
    return `:61:${days}${mark(minor)}${amount(minor)}NTRFNONREF//R1\n:86:${text}\n`
  })
  const total = bookings.reduce((sum, { minor }) => sum + minor, 0)
  const balance = (minor: number) =>
    `${minor < 0 ? 'D' : 'C'}261101${currency}${writeAmount(minor, { name: '', group: '', decimal: ',' })}`
  const split = random.chance(0.3) ? random.between(1, bookings.length - 1) : bookings.length
  const before = bookings.slice(0, split).reduce((sum, { minor }) => sum + minor, 0)
  const message = (lines: readonly string[], opening: string, closing: string) =>
    `${hasBlocks ? '{1:F01BANKCOBBXXXX}{2:O9401200261101}{4:\n' : ''}:20:START\n:25:1/2\n:28C:1/1\n:60${opening}\n${lines.join('')}:62${closing}\n${hasBlocks ? '-}' : '-'}\n`
  const isSplit = split < bookings.length
  const middle = balance(777 + before)
  const content =
    message(rows.slice(0, split), `F:${balance(777)}`, `${isSplit ? 'M' : 'F'}:${middle}`) +
    (isSplit ? message(rows.slice(split), `M:${middle}`, `F:${balance(777 + total)}`) : '')
  return {
    name: `MT940 | ${information} | ${hasEntryDay ? 'entry day' : ''} | ${isSplit ? 'two messages' : ''}`,
    content: random.chance(0.5) ? content.replaceAll('\n', '\r\n') : content,
    bookings: named,
  }
}

const norma43File: WriteFile = (random, bookings, currency) => {
  // One day alone does not show that a file breaks the norm.
  const isDayFirst = new Set(bookings.map(({ day }) => day)).size > 1 && random.chance(0.2)
  const date = (day: string) =>
    isDayFirst ? (compact(day).match(/../g) ?? []).toReversed().join('') : compact(day)
  const record = (...parts: readonly string[]) => parts.join('').padEnd(80)
  const digits = (minor: number) => String(Math.abs(minor)).padStart(14, '0')
  const days = bookings.map(({ day }) => day).toSorted()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const number = currency === 'USD' ? '840' : '170'
  const rows = bookings.flatMap(({ day, minor, description }) => [
    record('22', '    ', '1000', date(day), date(day), '12', '000', minor < 0 ? '1' : '2', digits(minor)),
    ...(random.chance(0.5)
      ? [record('2301', description)]
      : [
          record('2301', description.split(' ')[0] ?? ''),
          record('2302', description.slice(description.indexOf(' ') + 1)),
        ]),
  ])
  const side = (isOut: boolean) => {
    const amounts = bookings.filter(({ minor }) => minor < 0 === isOut)
    return `${String(amounts.length).padStart(5, '0')}${digits(amounts.reduce((sum, { minor }) => sum + Math.abs(minor), 0))}`
  }
  const account = '008100010123456789'
  const lines = [
    record('11', account, date(first), date(last), '2', digits(100), number, '3', 'EMPRESA'),
    ...rows,
    record('33', account, side(true), side(false), '2', digits(100), number),
  ]
  const hasEnd = random.chance(0.8)
  const end = hasEnd ? [record('88', '9'.repeat(18), String(lines.length).padStart(6, '0'))] : []
  const join = random.pick(['\n', '\r\n', ''])
  return {
    name: `Norma 43 | ${isDayFirst ? 'day first' : ''} | ${JSON.stringify(join)}`,
    content: [...lines, ...end].join(join),
  }
}
