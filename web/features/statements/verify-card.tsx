import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { monthInWords, receiptCopy, statementCopy } from '@finanzas/contract/statement/copy.ts'
import { particularsInWords } from '@finanzas/contract/statement/particulars.ts'
import { type Receipt, declaredBy, isReceipt } from '@finanzas/contract/statement/receipt.ts'
import { logQuietly } from '#backend/errors.ts'
import { failureMessage, lazyCode } from '#lazy/lazy.ts'
import { formatDateWithYear, noonInBogota } from '#format/dates.ts'
import { displayedMoney } from '#money/amounts.ts'
import { FileDrop } from '#upload/file-drop.tsx'
import { Link } from '#ui/address/link.tsx'
import { Card } from '#ui/card.tsx'
import { linkClass } from '#ui/page-heading.tsx'
import { useTask } from '#ui/use-task.ts'
import { statementPageCopy as copy } from './copy.ts'
import type { Verdict } from './verify.ts'

/** Maximum size of a file, which is enough for the PDF of a statement with about 40,000 rows. */
const fileBytesMax = 40 * 1024 * 1024

type Result = { holds: boolean; sentences: readonly string[] }

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

const verification = lazyCode(() => import('./verify.ts'), 'verifyFile')

async function resultOf(file: File): Promise<Result> {
  const verifyFile = await verification.load()
  const verdict = await verifyFile(file)
  return verdict === null ? refused(copy.unreadable) : inWords(verdict)
}

function inWords({ document, signature, ledger }: Verdict): Result {
  if (ledger === null || signature === 'false' || signature === 'unknown_key')
    return refused(signature === 'false' ? copy.falseSignature : copy.unknownKey)
  if (!ledger.holds)
    return refused(ledger.fault === 'row' ? copy.faults.row(ledger.seq) : copy.faults[ledger.fault])
  const isOne = isReceipt(document)
  const words = isOne ? copy.receipt : copy
  const partly = ledger.isWhole ? [] : [words.partOfMonth]
  if (signature === 'unsigned')
    return {
      holds: false,
      sentences: [
        words.unsigned,
        ...(ledger.otherWords.length === 0 ? [] : [copy.otherWords(ledger.otherWords)]),
        ...partly,
      ],
    }
  const { bankName, customer, currency } = document
  return {
    holds: true,
    sentences: [
      words.holds,
      copy.signed({
        bankName,
        customer,
        period: isOne
          ? copy.receipt.period(displayedReceipt(document))
          : copy.period(monthInWords(document.month)),
        currency: statementCopy.currencies[currency],
      }),
      ...(isOne && document.transfer !== null ? [receiptCopy.transfer.inWords(document.transfer)] : []),
      ...[particularsInWords(document.particulars)].filter(Boolean),
      declaredBy(document),
      ...partly,
    ],
  }
}

function displayedReceipt({ type, amountMinor, currency, day, state }: Receipt) {
  return {
    kind: statementCopy.kinds[type] ?? '',
    money: displayedMoney(numberFromMinor(amountMinor), currency),
    day: formatDateWithYear(noonInBogota(day)),
    state: receiptCopy.states[state],
  }
}

function refused(sentence: string): Result {
  return { holds: false, sentences: [sentence] }
}
