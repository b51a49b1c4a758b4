import { FileText } from 'lucide-react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { configuration } from '#api/configuration.ts'
import { issuedPaper } from '#api/papers.ts'
import { showRefusal } from '#api/refusals.ts'
import { failureMessage } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { saveFile, shareFile } from '#ui/save-file.ts'
import { useTask } from '#ui/use-task.ts'
import { transactionCopy } from './copy.ts'

const copy = transactionCopy.receipt

/** Button that downloads a receipt, which the bank issues and signs. */
export function ReceiptButton({
  transaction: { id },
  isShared = false,
}: {
  transaction: Pick<Transaction, 'id'>
  /** Whether the button shares the receipt, if the browser can share files. */
  isShared?: boolean
}) {
  const { isBusy, run } = useTask((error) => {
    const refusals = { otherwise: failureMessage(error, copy.failedText) }
    showRefusal(error, { name: 'receipt file', title: copy.failedTitle, refusals })
  })
  const download = async () => {
    const format = configuration().paperFormats[0] ?? 'csv'
    const [name, paper] = [copy.fileName(id, format), await issuedPaper({ transaction_id: id }, format)]
    if (isShared) await shareFile(name, paper)
    else saveFile(name, paper)
  }
  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => run(download)}>
      {!isBusy && <FileText aria-hidden="true" className="size-4.5" strokeWidth={1.75} />}
      {isShared ? copy.share : copy.download}
    </Button>
  )
}
