/** camt.053: statements of ISO 20022. */
import type { Row } from '#ledger/table-file/table.ts'
import { readTags } from './tags.ts'

/** Records of day, description and amount with its sign: one for each entry, as it was booked. */
export function readCamt(text: string, rowsMax: number): Row[] {
  const rows: Row[] = []
  const path: string[] = []
  let values = new Map<string, string>()
  let line = 1
  for (const tag of readTags(text)) {
    if (tag.isClosing) {
      // In a damaged file a tag may have none that closes it.
      const opened = path.lastIndexOf(tag.name)
      if (opened !== -1) path.length = opened
      if (tag.name === 'NTRY') rows.push({ line, fields: fieldsOf(values) })
      if (rows.length >= rowsMax) return rows
      continue
    }
    if (tag.name === 'NTRY') {
      values = new Map()
      line = tag.line
    }
    if (!tag.isEmpty) path.push(tag.name)
    const within = path.slice(path.lastIndexOf('NTRY') + 1).join('/')
    if (tag.text !== '' && !values.has(within)) values.set(within, tag.text)
  }
  return rows
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
  return [day, description, `${isDebit ? '-' : ''}${values.get('AMT') ?? ''}`, '']
}
