import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { logQuietly } from '#api/errors.ts'
import { failureMessage, lazyCode } from '#ui/lazy/lazy.ts'
import { FileDrop } from '#uploads/file-drop.tsx'
import { Link } from '#ui/address/link.tsx'
import { Card } from '#ui/card.tsx'
import { linkClass } from '#ui/page-heading.tsx'
import { useTask } from '#ui/use-task.ts'
import { statementPageCopy as copy } from './copy.ts'
import { refused, type Result } from './verification-result.ts'

const verification = lazyCode(() => import('./verified-file.ts'), 'resultOf')

/** Maximum size of a file, which is enough for the PDF of a statement with about 40,000 rows. */
const fileBytesMax = 40 * 1024 * 1024

/** Verifies a statement or receipt file that the user chooses, and shows whether it matches the journal. */
export function VerifyCard() {
  const [result, setResult] = useState<Result | null>(null)
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'statement verification')
    // Browsers verify signatures only on pages served over HTTPS or from localhost.
    setResult(refused(failureMessage(error, isSecureContext ? copy.verifyFailed : copy.insecure)))
  })
  const verify = (file: File) =>
    run(async () => {
      setResult(null)
      if (file.size > fileBytesMax) return setResult(refused(copy.tooLarge))
      const resultOf = await verification.load()
      setResult(await resultOf(file))
    })
  return (
    <Card title={copy.verifyTitle}>
      <div className="grid gap-4 p-4 sm:p-6">
        <p className="max-w-prose text-sm text-muted">{copy.verifyText}</p>
        <FileDrop
          formats={copy.formats}
          accept=".pdf,.csv,application/pdf,text/csv"
          isBusy={isBusy}
          onFile={verify}
        />
        <div role="status">{result !== null && <ResultLine {...result} />}</div>
        <div className="max-w-prose text-sm text-muted">
          <Link to="/perfil" className={linkClass}>
            {copy.wholeLedger}
          </Link>
          <p>{copy.wholeLedgerText}</p>
        </div>
      </div>
    </Card>
  )
}

function ResultLine({ holds, sentences }: Result) {
  const Icon = holds ? CircleCheck : CircleAlert
  return (
    <div
      className={`flex gap-2.5 rounded-md px-3.5 py-3 text-sm font-medium ${
        holds ? 'bg-deposito-soft text-deposito' : 'bg-danger-soft text-danger'
      }`}
    >
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      <div className="grid gap-1">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  )
}
