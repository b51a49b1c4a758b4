import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { logQuietly } from '#api/errors.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { countOf } from '#ui/format/count.ts'
import { balanceCopy, type BalanceCopy } from './copy.ts'
import type { BalanceExplanation } from './explanation.ts'
import { verifyBalanceApart } from './thread.ts'
import type { Verdict, Verification } from './verification.ts'

type Props = {
  /** Fetches the explanation again before a verification, so that the page shows the figures that are verified. */
  explain: () => Promise<BalanceExplanation>
  readPages: (signal: AbortSignal) => Verification['pages']
  copy?: BalanceCopy
}

export function BalanceProof({ explain, readPages, copy = balanceCopy }: Props) {
  const { state, start } = useBalanceProof({ explain, readPages })
  // Browsers provide `crypto.subtle` only to pages that are served over HTTPS or from localhost.
  if (!window.isSecureContext) return <p className="text-sm text-muted">{copy.verifyNeedsHttps}</p>
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <p className="text-sm text-muted">{copy.verifyExplained}</p>
      <Button variant="outline" isBusy={state.step === 'running'} onClick={start}>
        {state.step === 'running' ? copy.verifying : copy.verify}
      </Button>
      {state.step === 'running' && <Progress {...state} copy={copy} />}
      <div role="status">{state.step === 'done' && <VerdictLine verdict={state.verdict} copy={copy} />}</div>
      {state.step === 'failed' && <RetryLine message={copy.verifyFailed} onRetry={start} />}
    </div>
  )
}

type Worded = { copy: BalanceCopy }

function Progress({ entries, all, copy }: Extract<ProofState, { step: 'running' }> & Worded) {
  return (
    <div className="grid gap-1.5">
      <div
        role="progressbar"
        aria-label={copy.verifying}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={entries}
        className="bar h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full origin-left rounded-full bg-primary"
          style={{ width: `${all === 0 ? 0 : (entries / all) * 100}%` }}
        />
      </div>
      <p aria-hidden="true" className="figures text-sm text-muted">
        {copy.verifiedSoFar(entries, all)}
      </p>
    </div>
  )
}

function VerdictLine({ verdict, copy }: { verdict: Verdict } & Worded) {
  const Icon = verdict.holds ? CircleCheck : CircleAlert
  return (
    <p
      className={`flex gap-2.5 rounded-md px-3.5 py-3 text-sm font-medium ${
        verdict.holds ? 'bg-deposito-soft text-deposito' : 'bg-danger-soft text-danger'
      }`}
    >
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      <span>{verdictSentence(verdict, copy)}</span>
    </p>
  )
}

function verdictSentence(verdict: Verdict, copy: BalanceCopy): string {
  const { verified, verifiedEmpty, broken, brokenEntry, brokenFaults, brokenTotal, journalKinds } = copy
  if (verdict.holds) return verdict.entries === 0 ? verifiedEmpty : verified(verdict.entries)
  if (verdict.fault === 'total') return brokenTotal
  if (verdict.fault === 'missing') return broken(countOf(verdict.seq), brokenFaults.missing)
  const { seq, kind, recorded_at: recordedAt } = verdict.entry
  const entry = brokenEntry(seq, journalKinds[kind] ?? kind, formatDateShort(recordedAt))
  return broken(entry, brokenFaults[verdict.fault])
}

type ProofState =
  | { step: 'idle' }
  | { step: 'running'; entries: number; all: number }
  | { step: 'done'; verdict: Verdict }
  | { step: 'failed' }

/** Runs one verification at a time. Aborts a running verification when the component unmounts. */
function useBalanceProof({ explain, readPages }: Pick<Props, 'explain' | 'readPages'>): {
  state: ProofState
  start: () => void
} {
  const [state, setState] = useState<ProofState>({ step: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const prove = async (signal: AbortSignal, show: (state: ProofState) => void) => {
    const explanation = await explain()
    const all = explanation.entries
    const onProgress = (entries: number) => show({ step: 'running', entries, all })
    return verifyBalanceApart({ explanation, pages: readPages(signal), onProgress }, signal)
  }
  const start = async () => {
    if (running.current !== null) return
    const controller = new AbortController()
    running.current = controller
    const show = (next: ProofState) => {
      if (!controller.signal.aborted) setState(next)
    }
    show({ step: 'running', entries: 0, all: 0 })
    try {
      show({ step: 'done', verdict: await prove(controller.signal, show) })
    } catch (error) {
      if (!controller.signal.aborted) logQuietly(error, 'balance verification')
      show({ step: 'failed' })
    } finally {
      running.current = null
    }
  }

  return { state, start: () => void start() }
}
