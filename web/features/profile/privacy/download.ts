import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { byteOrderMark, csvLine, inert } from '@finanzas/contract/csv.ts'
import { readJournal } from '#ledger/read-journal.ts'
import { readHistory } from '#ledger/read-transactions.ts'
import { saveFile } from '#ui/save-file.ts'

/** Fetches everything that names the user, page by page where it is long, and hands it over as two files. */
export async function downloadOwnData(userId: string): Promise<void> {
  const tables = await readOwnData(userId)
  const json = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
  saveFile(
    profileCopy.jsonFile,
    new Blob([`${JSON.stringify(json, null, 1)}\n`], { type: 'application/json' }),
  )
  saveFile(profileCopy.csvFile, new Blob([csvOf(tables)], { type: 'text/csv' }))
}

async function readOwnData(userId: string): Promise<ExportedTable[]> {
  const client = await backend()
  const [small, transactions, journal] = await Promise.all([
    client.rpc('export_my_data').then(unwrap),
    readTransactions(userId),
    readOwnJournal(),
  ])
  const { exported_at: exportedAt, ...tables } = small as Record<string, unknown>
  return [
    { name: 'export', rows: [{ exported_at: exportedAt }] },
    ...Object.entries(tables).map(([name, rows]) => ({ name, rows: rows as ExportedTable['rows'] })),
    { name: 'public.transactions', rows: transactions },
    { name: 'public.journal_entries', rows: journal },
  ]
}

async function readTransactions(userId: string): Promise<ExportedTable['rows']> {
  const rows: Readonly<Record<string, unknown>>[] = []
  const { signal } = new AbortController()
  for await (const page of readHistory({ userId, signal })) rows.push(...page.rows)
  return rows
}

async function readOwnJournal(): Promise<ExportedTable['rows']> {
  const rows: Readonly<Record<string, unknown>>[] = []
  const { signal } = new AbortController()
  for await (const page of readJournal(signal)) rows.push(...page)
  return rows
}

type ExportedTable = { name: string; rows: readonly Readonly<Record<string, unknown>>[] }

/**
 * All tables as one CSV (RFC 4180, with a byte order mark for Excel): for each its name, its columns and its rows,
 * with an empty line between two tables. A cell that a spreadsheet would take for a formula begins with an
 * apostrophe (security.md IN-08).
 */
export function csvOf(tables: readonly ExportedTable[]): string {
  const sections = tables.filter(({ rows }) => rows.length > 0).map(sectionOf)
  return byteOrderMark + sections.join('\r\n')
}

function sectionOf({ name, rows }: ExportedTable): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [[name], columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((cells) => csvLine(cells.map(fieldOf), ',')).join('')
}

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  // A number is one, also when it begins with a minus.
  if (typeof value === 'number') return String(value)
  return inert(typeof value === 'string' ? value : JSON.stringify(value))
}
