import { CircleAlert, CircleCheck, FileCheck } from 'lucide-react'
import { useId, useState, type DragEvent } from 'react'
import type { StatementVerdict } from '@finanzas/contract/statement/check.ts'
import { logQuietly } from '#backend/errors.ts'
import { Card } from '#ui/card.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useTask } from '#ui/use-task.ts'
import { statementPageCopy as copy } from './copy.ts'

/** Some 40,000 rows on paper. */
const fileBytesMax = 40 * 1024 * 1024

type Result = { holds: boolean; sentences: readonly string[] }

/** Takes a statement that was handed out and says whether the journal says the same. */
export function VerifyCard() {
  const [result, setResult] = useState<Result | null>(null)
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'statement verification')
    setResult({ holds: false, sentences: [copy.verifyFailed] })
  })
  const verify = (file: File | undefined) => {
    if (file === undefined) return
    run(async () => {
      setResult(null)
      setResult(file.size > fileBytesMax ? refused(copy.tooLarge) : await resultOf(file))
    })
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    verify(event.dataTransfer.files[0])
  }
  const textId = useId()
  return (
    <Card title={copy.verifyTitle}>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={handleDrop}
        className="grid justify-items-start gap-4 p-4 sm:p-6"
      >
        <p id={textId} className="max-w-prose text-sm text-muted">
          {copy.verifyText}
        </p>
        <label className={`${buttonClass({ variant: 'outline' })} statement-file`}>
          {isBusy ? (
            <Spinner size="small" />
          ) : (
            <FileCheck aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          )}
          {isBusy ? copy.verifying : copy.choose}
          <input
            type="file"
            accept=".pdf,.csv,application/pdf,text/csv"
            aria-describedby={textId}
            className="sr-only"
            onChange={({ target }) => {
              verify(target.files?.[0])
              // The same file can be chosen again.
              target.value = ''
            }}
          />
        </label>
        <div role="status" className="w-full">
          {result !== null && <ResultLine {...result} />}
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

async function resultOf(file: File): Promise<Result> {
  const { verifyFile } = await import('./verify.ts')
  const verdict = await verifyFile(file)
  return verdict === null ? refused(copy.unreadable) : inWords(verdict)
}

function inWords(verdict: StatementVerdict): Result {
  if (!verdict.holds)
    return refused(verdict.fault === 'row' ? copy.faults.row(verdict.seq) : copy.faults[verdict.fault])
  return {
    holds: true,
    sentences: [
      copy.holds,
      ...(verdict.isWhole ? [] : [copy.partOfMonth]),
      ...(verdict.withoutWords === 0 ? [] : [copy.withoutWords(verdict.withoutWords)]),
    ],
  }
}

function refused(sentence: string): Result {
  return { holds: false, sentences: [sentence] }
}
