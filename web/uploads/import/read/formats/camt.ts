/** Parses camt.052, camt.053 and camt.054, the account reports, statements and notifications of ISO 20022. */
import type { Reading } from '#uploads/import/read/reader.ts'
import type { FileContent } from '#uploads/content.ts'
import { readRowsMax } from '#uploads/read-rows.ts'
import { tooManyRows } from '#uploads/refused-file.ts'
import type { FileFormat, Row } from '#uploads/table.ts'
import { readTags } from '#uploads/tags.ts'
import { noBalances, noteBalance, unequalOf, withEntry } from './camt-balances.ts'
import { ending, minorOf, noteTag, openedAt, statusOf, type Entry, type Values } from './camt-element.ts'

const fields = {
  names: ['Fecha', 'Descripción', 'Monto', 'Débito o crédito', 'Moneda', 'Referencia', 'Estado'],
  roles: { date: 0, description: 1, amount: 2, direction: 3, currency: 4, reference: 5, state: 6 },
}

/**
 * Yields the rows of each entry, with their day, description, unsigned amount, indicator, currency, reference and status.
 * An entry that contains a batch has a row for each of its details, if their amounts add up to the entry's amount. The
 * opening balance and the booked entries of a statement must add up to its closing balance.
 */
export function* readCamt({ text }: FileContent): Reading {
  let entry: Entry | null = null
  let balance: Entry | null = null
  let format: FileFormat = 'camt.053'
  const unequal: Row[] = []
  let statement = noBalances()
  let count = 0
  for (const tag of readTags(text)) {
    if (tag.name === 'BKTOCSTMRACCTRPT') format = 'camt.052'
    else if (tag.name === 'BKTOCSTMRDBTCDTNTFCTN') format = 'camt.054'
    else if (tag.name === 'STMT') {
      if (tag.isClosing) unequal.push(...unequalOf(statement))
      statement = noBalances()
    } else if (tag.name === 'NTRY') {
      if (tag.isClosing && entry !== null) {
        statement.sum = statement.sum === null ? null : withEntry(statement.sum, entry)
        const rows = rowsOf(entry)
        yield* rows
        count += rows.length
        if (count > readRowsMax) throw tooManyRows(text, { begin: /<(?:[\w.-]+:)?Ntry[\s>]/g, read: count })
      }
      entry = tag.isClosing ? null : openedAt(tag)
    } else if (entry !== null) noteTag(entry, tag)
    else if (tag.name === 'BAL') {
      if (tag.isClosing && balance !== null) noteBalance(statement, balance)
      balance = tag.isClosing ? null : openedAt(tag)
    } else if (balance !== null) noteTag(balance, tag)
  }
  return { format, fields, decimal: '.', unequal }
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
    const minor = minorOf(amount)
    const direction = values.get('CDTDBTIND') ?? entry.get('CDTDBTIND') ?? ''
    if (minor === null || (values.get(`${path}@CCY`) ?? currency) !== currency) return null
    sum += direction === entry.get('CDTDBTIND') ? minor : 0 - minor
    const reference = referenceOf(new Map(), values)
    const description = descriptionOf(values, entry)
    rows.push({ line, fields: fieldsOf(entry, { amount, direction, description, reference }) })
  }
  return sum === minorOf(entry.get('AMT') ?? '') ? rows : null
}

type Part = { amount?: string; direction?: string; description: string; reference: string }

function fieldsOf(entry: Values, part: Part): string[] {
  return [
    // A day may have a time zone, such as `2026-11-20-05:00`, but the zone of a day without a time changes nothing.
    ending(entry, 'BOOKGDT/DT').slice(0, 10) ||
      entry.get('BOOKGDT/DTTM') ||
      ending(entry, 'VALDT/DT').slice(0, 10) ||
      (entry.get('VALDT/DTTM') ?? ''),
    part.description,
    part.amount ?? entry.get('AMT') ?? '',
    part.direction ?? entry.get('CDTDBTIND') ?? '',
    entry.get('AMT@CCY') ?? '',
    part.reference,
    statusOf(entry),
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
