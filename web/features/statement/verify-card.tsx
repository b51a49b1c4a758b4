import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { StatementVerdict } from '@finanzas/contract/statement/check.ts'
import { logQuietly } from '#backend/errors.ts'
import { FileDrop } from '#ledger/table-file/file-drop.tsx'
import { Card } from '#ui/card.tsx'
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
  const verify = (file: File) =>
    run(async () => {
      setResult(null)
      setResult(file.size > fileBytesMax ? refused(copy.tooLarge) : await resultOf(file))
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
