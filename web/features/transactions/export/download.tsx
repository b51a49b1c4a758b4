import { Download, FileText, Printer } from 'lucide-react'
import { Link } from 'react-router'
import { decimalFromMinor, minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { logQuietly } from '#backend/errors.ts'
import { transactionsCopy } from '#features/transactions/copy.ts'
import { byteOrderMark, csvLine, inert } from '@finanzas/contract/csv.ts'
import { bogotaDay, dayInBogota, isoDay } from '#format/dates.ts'
import { shownCategory } from '#ledger/category-badge.tsx'
import { ledgerCopy } from '#ledger/copy.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { saveFile } from '#ui/save-file.ts'
import { useTask } from '#ui/use-task.ts'

/** Takes what is shown along: as a file for a spreadsheet, or on paper. */
export function HistoryActions({ rowsShown }: { rowsShown: () => readonly Transaction[] }) {
  const { isBusy, run } = useTask((error) => logQuietly(error, 'file of transactions'))
  const download = async () => {
    const file = await csvFile(rowsShown())
    saveFile(transactionsCopy.csvName(dayInBogota()), file)
  }
  return (
    <>
      <Button
        variant="quiet"

        isBusy={isBusy}
        onClick={() => run(download)}
      >
        {!isBusy && <Download aria-hidden="true" className="size-4.5" strokeWidth={1.75} />}
        <span className="sr-only lg:not-sr-only">{transactionsCopy.download}</span>
      </Button>
      <Button variant="quiet" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only lg:not-sr-only">{transactionsCopy.print}</span>
      </Button>
      <Link to="/extractos" className={buttonClass({ variant: 'quiet' })}>
        <FileText aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only lg:not-sr-only">{transactionsCopy.statements}</span>
      </Link>
    </>
  )
}

/** Rows that are written before the page may do something else. */
const rowsAtOnce = 5000

/**
 * Rows as a file that a Colombian spreadsheet opens without asking: UTF-8 with its mark, `;` between
 * fields, a decimal comma (docs/decisions/0025). Text that a spreadsheet would take for a formula is
 * written behind an apostrophe (security.md IN-08).
 */
async function csvFile(rows: readonly Transaction[]): Promise<Blob> {
  const parts = [byteOrderMark, csvLine(transactionsCopy.csvColumns, ';')]
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    parts.push(
      rows
        .slice(from, from + rowsAtOnce)
        .map(csvRow)
        .join(''),
    )
    await new Promise((resolve) => window.setTimeout(resolve))
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

export function csvRow(row: Transaction): string {
  const { types } = ledgerCopy
  const fields = [
    isoDate(row.date),
    inert(row.description),
    inert(shownCategory(row)),
    row.type === 'deposit' ? types.deposit : types.expense,
    signedDecimal(row),
    transactionsCopy.recorders[row.recorded_by],
  ]
  return csvLine(fields, ';')
}

function isoDate(date: string): string {
  const day = bogotaDay(date)
  return Number.isNaN(day) ? '' : isoDay(day)
}

function signedDecimal({ type, amount }: Transaction): string {
  const minor: number | null = minorFromDecimal(amount)
  if (minor === null) return ''
  const signed = (type === 'deposit' ? minor : -minor) as MinorUnits
  return decimalFromMinor(signed).replace('.', ',')
}
