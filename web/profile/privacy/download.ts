import { backend } from '#api/client.ts'
import { readAll } from '#api/read-all.ts'
import { unwrap } from '#api/unwrap.ts'
import { readImportLines } from '#uploads/import-lines.ts'
import { readJournal } from '#data/read-journal.ts'
import { readHistory } from '#data/read-transactions.ts'
import { saveFile } from '#ui/save-file.ts'
import { privacyCopy } from './copy.ts'
import { type ExportedTable, jsonOf, sheetOf } from './sheets.ts'
import { zipOf } from './zip.ts'

/**
 * Fetches all data about the user page by page, and saves them as an archive that contains a CSV file for each table
 * and one JSON file.
 */
export async function downloadOwnData(userId: string): Promise<void> {
  const tables = await readOwnData(userId)
  const sheets = tables.filter(({ name, rows }) => name !== exportName && rows.length > 0).map(sheetOf)
  saveFile(privacyCopy.zipFile, await zipOf([...sheets, jsonOf(tables)]))
}

/** Name of the table that records when the data were exported. Only the JSON file contains this table. */
const exportName = 'export'

async function readOwnData(userId: string): Promise<ExportedTable[]> {
  const client = await backend()
  const [small, transactions, edits, lines, journal] = await Promise.all([
    client.rpc('export_my_data').then(unwrap),
    readTransactions(userId),
    readEdits(),
    readImportLines(),
    readOwnJournal(),
  ])
  const { exported_at: exportedAt, ...tables } = small as Record<string, unknown>
  return [
    { name: exportName, rows: [{ exported_at: exportedAt }] },
    ...Object.entries(tables).map(([name, rows]) => ({ name, rows: rows as ExportedTable['rows'] })),
    { name: 'public.transactions', rows: transactions },
    { name: 'public.transaction_edits', rows: edits },
    { name: 'public.import_lines', rows: lines },
    { name: 'public.journal_entries', rows: journal },
  ]
}

async function readTransactions(userId: string): Promise<ExportedTable['rows']> {
  const rows: Readonly<Record<string, unknown>>[] = []
  const { signal } = new AbortController()
  for await (const page of readHistory({ userId, signal })) rows.push(...page.rows)
  return rows
}

async function readEdits(): Promise<ExportedTable['rows']> {
  const client = await backend()
  return readAll<{ seq: number | null }>(async (last, { rowsMax }) =>
    unwrap(
      await client
        .from('transaction_edits')
        .select('*')
        .gt('seq', last?.seq ?? 0)
        .order('seq')
        .limit(rowsMax),
    ),
  )
}

async function readOwnJournal(): Promise<ExportedTable['rows']> {
  const rows: Readonly<Record<string, unknown>>[] = []
  const { signal } = new AbortController()
  for await (const page of readJournal(signal)) rows.push(...page)
  return rows
}
