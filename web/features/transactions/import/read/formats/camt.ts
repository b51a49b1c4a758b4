/** Parses camt.053, the account statement format of ISO 20022. */
import type { FileContent, Reading } from '#features/transactions/import/read/reader.ts'
import { readTags, type Tag } from './tags.ts'

/**
 * Maximum nesting depth of elements within an entry. The standard uses about a dozen levels. More deeply nested
 * elements are skipped.
 */
const depthMax = 50

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Débito o crédito', 'Moneda', 'Referencia', 'Estado'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5, state: 6 },
}

/** Yields a row for each entry, with its day, description, unsigned amount, indicator, currency, reference and status. */
export function* readCamt({ text }: FileContent): Reading {
  let entry: Entry | null = null
  for (const tag of readTags(text)) {
    if (tag.name === 'NTRY') {
      if (tag.isClosing && entry !== null) yield { line: entry.line, fields: fieldsOf(entry.values) }
      entry = tag.isClosing ? null : { line: tag.line, path: [], deeper: 0, values: new Map() }
    } else if (entry !== null) noteTag(entry, tag)
  }
  return { format: 'camt.053', fields, decimal: '.' }
}

type Entry = { line: number; path: string[]; deeper: number; values: Map<string, string> }

function noteTag(entry: Entry, tag: Tag): void {
  if (tag.isClosing) closeTag(entry, tag.name)
  else if (entry.deeper > 0 || entry.path.length === depthMax) entry.deeper += tag.isEmpty ? 0 : 1
  else {
    const within = [...entry.path, tag.name].join('/')
    if (!tag.isEmpty) entry.path.push(tag.name)
    note(entry.values, within, tag.text)
    note(entry.values, `${within}@CCY`, currencyOf(tag.attributes))
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

function note(values: Map<string, string>, place: string, text: string): void {
  if (text !== '' && !values.has(place)) values.set(place, text)
}

function currencyOf(attributes: string): string {
  return /\bCcy\s*=\s*["']([A-Z]{3})["']/i.exec(attributes)?.[1] ?? ''
}

function fieldsOf(values: ReadonlyMap<string, string>): string[] {
  const ending = (...ends: string[]) => {
    for (const end of ends) for (const [path, text] of values) if (path.endsWith(end)) return text
    return ''
  }
  const isDebit = values.get('CDTDBTIND') === 'DBIT'
  const day = ending('BOOKGDT/DT', 'BOOKGDT/DTTM', 'VALDT/DT', 'VALDT/DTTM').slice(0, 10)
  const party = isDebit
    ? ending('RLTDPTIES/CDTR/NM', 'RLTDPTIES/CDTR/PTY/NM')
    : ending('RLTDPTIES/DBTR/NM', 'RLTDPTIES/DBTR/PTY/NM')
  const purpose = ending('RMTINF/USTRD') || values.get('ADDTLNTRYINF') || ''
  const description = [party, purpose].filter(Boolean).join(' · ')
  const reference = values.get('ACCTSVCRREF') ?? ending('REFS/ACCTSVCRREF', 'REFS/ENDTOENDID')
  return [
    day,
    description,
    values.get('AMT') ?? '',
    values.get('CDTDBTIND') ?? '',
    values.get('AMT@CCY') ?? '',
    isGiven(reference) ? reference : '',
    values.get('STS/CD') ?? values.get('STS') ?? '',
  ]
}

/**
 * Returns whether the payer provided a reference. In place of a missing reference, ISO 20022 requires the value
 * `NOTPROVIDED`.
 */
function isGiven(reference: string): boolean {
  return reference.toUpperCase() !== 'NOTPROVIDED'
}
