import { Download, FileText, Printer } from 'lucide-react'
import { Link } from '#ui/address/link.tsx'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { logQuietly } from '#backend/errors.ts'
import { transactionsCopy } from '#features/transactions/copy.ts'
import { byteOrderMark } from '@finanzas/contract/csv.ts'
import { dayInBogota } from '#format/dates.ts'
import { headingLine, transactionLine } from '#transactions/files/transaction-lines.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { saveFile } from '#ui/save-file.ts'
import { useTask } from '#ui/use-task.ts'

/** Buttons that save the transactions on screen as a file or print them. */
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
      <Button variant="quiet" className="max-sm:hidden" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only lg:not-sr-only">{transactionsCopy.print}</span>
      </Button>
      <Link to="/extractos" className={`max-sm:hidden ${buttonClass({ variant: 'quiet' })}`}>
        <FileText aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only lg:not-sr-only">{transactionsCopy.statements}</span>
      </Link>
    </>
  )
}

/** Number of rows that are written before the page yields to other work. */
const rowsAtOnce = 5000

async function csvFile(rows: readonly Transaction[]): Promise<Blob> {
  const parts = [byteOrderMark, headingLine]
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    parts.push(
      rows
        .slice(from, from + rowsAtOnce)
        .map(transactionLine)
        .join(''),
    )
    await new Promise((resolve) => window.setTimeout(resolve))
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}
