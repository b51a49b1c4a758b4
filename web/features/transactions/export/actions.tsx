import { Download, Printer } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { transactionsCopy } from '#features/transactions/copy.ts'
import { bogotaDay, isoDay } from '#format/dates.ts'
import { Button } from '#ui/button.tsx'
import { saveFile } from '#ui/save-file.ts'
import { csvFile } from './csv.ts'

/** Takes what is shown along: as a file for a spreadsheet, or on paper. */
export function HistoryActions({ rowsShown }: { rowsShown: () => readonly Transaction[] }) {
  const [isWriting, setIsWriting] = useState(false)
  const isUnderWay = useRef(false)
  const download = async () => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsWriting(true)
    const file = await csvFile(rowsShown())
    saveFile(transactionsCopy.csvName(isoDay(bogotaDay(new Date()))), file)
    isUnderWay.current = false
    setIsWriting(false)
  }
  return (
    <>
      <Button variant="quiet" size="small" isBusy={isWriting} onClick={() => void download()}>
        {!isWriting && <Download aria-hidden="true" className="size-4.5" strokeWidth={1.75} />}
        <span className="sr-only sm:not-sr-only">{transactionsCopy.download}</span>
      </Button>
      <Button variant="quiet" size="small" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only sm:not-sr-only">{transactionsCopy.print}</span>
      </Button>
    </>
  )
}
