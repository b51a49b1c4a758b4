import { Download, FileText } from 'lucide-react'
import type { PaperFormat } from '@finanzas/contract/wire/configuration.ts'
import { configuration } from '#api/configuration.ts'
import { type AskedPaper, issuedPaper } from '#api/papers.ts'
import { showRefusal } from '#api/refusals.ts'
import { Button } from '#ui/button.tsx'
import { failureMessage } from '#ui/lazy/lazy.ts'
import { saveFile } from '#ui/save-file.ts'
import { useTask } from '#ui/use-task.ts'
import { statementPageCopy as copy } from './copy.ts'

type Props = { asked: AskedPaper; fileName: (format: PaperFormat) => string }

/** Buttons that download a paper, which the bank writes and signs, in each format that the bank issues. */
export function FileButtons(props: Props) {
  return (
    <div className="-mr-3 flex flex-wrap">
      {configuration().paperFormats.map((format) => (
        <FileButton key={format} format={format} {...props} />
      ))}
    </div>
  )
}

const icons = { pdf: FileText, csv: Download } as const

function FileButton({ format, asked, fileName }: Props & { format: PaperFormat }) {
  const { isBusy, run } = useTask((error) => {
    const refusals = { otherwise: failureMessage(error, copy.downloadFailedText) }
    const title = 'month' in asked ? copy.downloadFailedTitle : copy.certificate.failedTitle
    showRefusal(error, { name: 'statement file', title, refusals })
  })
  const download = async () => saveFile(fileName(format), await issuedPaper(asked, format))
  const Icon = icons[format]
  return (
    <Button variant="quiet" size="small" className="min-h-11" isBusy={isBusy} onClick={() => run(download)}>
      {!isBusy && <Icon aria-hidden="true" className="size-4.5" strokeWidth={1.75} />}
      <span className="sr-only">{copy.download}</span>
      {copy[format]}
    </Button>
  )
}
