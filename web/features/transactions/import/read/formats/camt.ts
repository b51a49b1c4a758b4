/** Parses camt.052, camt.053 and camt.054, the account reports, statements and notifications of ISO 20022. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Reading } from '#features/transactions/import/read/reader.ts'
import type { FileContent } from '#upload/content.ts'
import type { FileFormat, Row } from '#upload/table.ts'
import { readTags, type Tag } from '#upload/tags.ts'

/**
 * Maximum nesting depth of elements within an entry. The standard uses about a dozen levels. More deeply nested
 * elements are skipped.
 */
const depthMax = 50
/** Maximum number of details of an entry that become rows of their own. */
const detailsMax = 10_000

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Débito o crédito', 'Moneda', 'Referencia', 'Estado'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5, state: 6 },
}

/**
 * Yields the rows of each entry, with their day, description, unsigned amount, indicator, currency, reference and status.
 * An entry that contains a batch has a row for each of its details, if their amounts add up to the entry's amount.
 */
export function* readCamt({ text }: FileContent): Reading {
  let entry: Entry | null = null
  let format: FileFormat = 'camt.053'
  for (const tag of readTags(text)) {
    if (tag.name === 'BKTOCSTMRACCTRPT') format = 'camt.052'
    else if (tag.name === 'BKTOCSTMRDBTCDTNTFCTN') format = 'camt.054'
    else if (tag.name === 'NTRY') {
      if (tag.isClosing && entry !== null) yield* rowsOf(entry)
      entry = tag.isClosing ? null : { line: tag.line, path: [], deeper: 0, values: new Map(), details: [] }
    } else if (entry !== null) noteTag(entry, tag)
  }
  return { format, fields, decimal: '.' }
}

/** The texts by the path of their elements. Texts with the same path are joined. */
type Values = Map<string, string>
type Entry = {
  readonly line: number
  readonly path: string[]
  deeper: number
  readonly values: Values
  readonly details: { readonly line: number; readonly values: Values }[]
}

function noteTag(entry: Entry, tag: Tag): void {
  if (tag.isClosing) closeTag(entry, tag.name)
  else if (entry.deeper > 0 || entry.path.length === depthMax) entry.deeper += tag.isEmpty ? 0 : 1
  else {
    if (tag.name === 'TXDTLS' && entry.details.length < detailsMax)
      entry.details.push({ line: tag.line, values: new Map() })
    const within = [...entry.path, tag.name]
    if (!tag.isEmpty) entry.path.push(tag.name)
    const place = within.indexOf('TXDTLS')
    const detail = place === -1 ? undefined : entry.details.at(-1)?.values
    const path = within.slice(place + 1).join('/')
    note(detail ?? entry.values, path, tag.text)
    note(detail ?? entry.values, `${path}@CCY`, currencyOf(tag.attributes))
  }
}

function closeTag(entry: Entry, name: string): void {
  if (entry.deeper > 0) {
    entry.deeper -= 1
    return
  }
  // A damaged file may lack closing tags.
  const opened = entry.path.lastIndexOf(name)
  if (opened !== -1) entry.path.length = opened
}

/** Maximum length of a description that consists of several elements. */
const joinedLengthMax = 1000

function note(values: Values, path: string, text: string): void {
  const before = values.get(path)
  if (text === '') return
  if (before === undefined) values.set(path, text)
  else if (path.endsWith('RMTINF/USTRD') && before.length < joinedLengthMax)
    values.set(path, `${before} ${text}`)
}

function currencyOf(attributes: string): string {
  return /\bCcy\s*=\s*["']([A-Z]{3})["']/i.exec(attributes)?.[1] ?? ''
}

function rowsOf({ line, values, details }: Entry): Row[] {
  const [detail] = details
  const batch = details.length > 1 ? batchRows(values, details) : null
  if (batch !== null) return batch
  const count = Number(ending(values, 'BTCH/NBOFTXS')) || details.length
  const isBatch = count > 1 || details.length > 1
  const text = isBatch ? '' : descriptionOf(detail?.values ?? values, values)
  const description = text || values.get('ADDTLNTRYINF') || (isBatch ? `Lote de ${count} movimientos` : '')
  const reference = referenceOf(values, isBatch ? undefined : detail?.values)
  return [{ line, fields: fieldsOf(values, { description, reference }) }]
}

/** Returns a row for each detail of a batch, or `null` if the details do not add up to the amount of the entry. */
function batchRows(entry: Values, details: Entry['details']): Row[] | null {
  const rows: Row[] = []
  let sum = 0
  const currency = entry.get('AMT@CCY') ?? ''
  for (const { line, values } of details) {
    const path = ['AMT', 'AMTDTLS/TXAMT/AMT', 'AMTDTLS/INSTDAMT/AMT'].find((each) => values.has(each)) ?? ''
    const amount = values.get(path) ?? ''
    const minor = minorFromDecimal(amount)
    const direction = values.get('CDTDBTIND') ?? entry.get('CDTDBTIND') ?? ''
    if (minor === null || (values.get(`${path}@CCY`) ?? currency) !== currency) return null
    sum += direction === entry.get('CDTDBTIND') ? minor : 0 - minor
    const reference = referenceOf(new Map(), values)
    const description = descriptionOf(values, entry)
    rows.push({ line, fields: fieldsOf(entry, { amount, direction, description, reference }) })
  }
  return sum === minorFromDecimal(entry.get('AMT') ?? '') ? rows : null
}

type Part = { amount?: string; direction?: string; description: string; reference: string }

function fieldsOf(entry: Values, part: Part): string[] {
  return [
    ending(entry, 'BOOKGDT/DT', 'BOOKGDT/DTTM', 'VALDT/DT', 'VALDT/DTTM').slice(0, 10),
    part.description,
    part.amount ?? entry.get('AMT') ?? '',
    part.direction ?? entry.get('CDTDBTIND') ?? '',
    entry.get('AMT@CCY') ?? '',
    part.reference,
    entry.get('STS/CD') ?? entry.get('STS') ?? '',
  ]
}

/** Returns the other party and the purpose. */
function descriptionOf(values: Values, entry: Values): string {
  const isDebit = (values.get('CDTDBTIND') ?? entry.get('CDTDBTIND')) === 'DBIT'
  const party = isDebit
    ? ending(values, 'RLTDPTIES/CDTR/NM', 'RLTDPTIES/CDTR/PTY/NM')
    : ending(values, 'RLTDPTIES/DBTR/NM', 'RLTDPTIES/DBTR/PTY/NM')
  const purpose =
    ending(values, 'RMTINF/USTRD', 'ADDTLTXINF', 'RMTINF/STRD/ADDTLRMTINF', 'CDTRREFINF/REF') ||
    entry.get('ADDTLNTRYINF') ||
    ''
  return [party, purpose].filter(Boolean).join(' · ')
}

function referenceOf(entry: Values, detail: Values = new Map()): string {
  const references = [
    entry.get('ACCTSVCRREF'),
    ending(detail, 'REFS/ACCTSVCRREF'),
    ending(detail, 'REFS/ENDTOENDID'),
  ]
  // ISO 20022 requires the value `NOTPROVIDED` in place of a missing reference.
  return references.find((each) => each !== undefined && !/^(?:NOTPROVIDED)?$/i.test(each)) ?? ''
}

/** Returns the first text whose path has one of the ends. Earlier ends take precedence. */
function ending(values: Values, ...ends: string[]): string {
  for (const end of ends) for (const [path, text] of values) if (path.endsWith(end)) return text
  return ''
}
