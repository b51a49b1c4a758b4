import { Download, FileText, Printer } from 'lucide-react'
import { Link } from '#ui/address/link.tsx'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { logQuietly } from '#api/errors.ts'
import { transactionsCopy } from '#money/history/copy.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { saveFile } from '#ui/save-file.ts'
import { useTask } from '#ui/use-task.ts'

const file = lazyCode(() => import('./csv-file.ts'), 'csvFile')

/** Buttons that save the transactions on screen as a file or print them. */
export function HistoryActions({ rowsShown }: { rowsShown: () => readonly Transaction[] }) {
  const { isBusy, run } = useTask((error) => logQuietly(error, 'file of transactions'))
  const download = async () => {
    const csvFile = await file.load()
    saveFile(transactionsCopy.csvName(dayInBogota()), await csvFile(rowsShown()))
  }
  return (
    <>
      <Button variant="quiet" isBusy={isBusy} onClick={() => run(download)}>
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
