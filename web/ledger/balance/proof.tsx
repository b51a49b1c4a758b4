import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { formatDateShort } from '#format/dates.ts'
import { readJournal } from '#ledger/read-journal.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { balanceCopy } from './copy.ts'
import { explanationQuery } from './explanation.ts'
import { verifyBalanceApart } from './thread.ts'
import type { Verdict } from './verification.ts'

export function BalanceProof({ userId }: { userId: string }) {
  const { state, start } = useBalanceProof(userId)
  // Browsers compute hashes only for pages that came over https, or from the same machine.
  if (!window.isSecureContext) return <p className="text-sm text-muted">{balanceCopy.verifyNeedsHttps}</p>
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <p className="text-sm text-muted">{balanceCopy.verifyExplained}</p>
      {/* Not disabled while it runs, which would take the focus away: pressing it again does nothing. */}
      <Button variant="outline" aria-disabled={state.step === 'running'} onClick={start}>
        {state.step === 'running' && <Spinner size="small" />}
        {state.step === 'running' ? balanceCopy.verifying : balanceCopy.verify}
      </Button>
      {state.step === 'running' && <Progress {...state} />}
      <div role="status">{state.step === 'done' && <VerdictLine verdict={state.verdict} />}</div>
      {state.step === 'failed' && <RetryLine message={balanceCopy.verifyFailed} onRetry={start} />}
    </div>
  )
}

function Progress({ entries, all }: Extract<ProofState, { step: 'running' }>) {
  return (
    <div className="grid gap-1.5">
      <div
        role="progressbar"
        aria-label={balanceCopy.verifying}
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
        {balanceCopy.verifiedSoFar(entries, all)}
      </p>
    </div>
  )
}

function VerdictLine({ verdict }: { verdict: Verdict }) {
  const Icon = verdict.holds ? CircleCheck : CircleAlert
  return (
    <p
      className={`flex gap-2.5 rounded-md px-3.5 py-3 text-sm font-medium ${
        verdict.holds ? 'bg-deposito-soft text-deposito' : 'bg-danger-soft text-danger'
      }`}
    >
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      <span>{verdictSentence(verdict)}</span>
    </p>
  )
}

function verdictSentence(verdict: Verdict): string {
  const { verified, verifiedEmpty, broken, brokenEntry, brokenFaults, brokenTotal, journalKinds } =
    balanceCopy
  if (verdict.holds) return verdict.entries === 0 ? verifiedEmpty : verified(verdict.entries)
  if (verdict.fault === 'total') return brokenTotal
  if (verdict.fault === 'missing') return broken(verdict.seq.toLocaleString('es-CO'), brokenFaults.missing)
  const { seq, kind, recorded_at: recordedAt } = verdict.entry
  const entry = brokenEntry(seq, journalKinds[kind] ?? kind, formatDateShort(recordedAt))
  return broken(entry, brokenFaults[verdict.fault])
}

type ProofState =
  | { step: 'idle' }
  | { step: 'running'; entries: number; all: number }
  | { step: 'done'; verdict: Verdict }
  | { step: 'failed' }

/** One verification at a time, aborted when the component is unmounted. */
function useBalanceProof(userId: string): { state: ProofState; start: () => void } {
  const client = useQueryClient()
  const [state, setState] = useState<ProofState>({ step: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    if (running.current !== null) return
    const controller = new AbortController()
    running.current = controller
    const show = (next: ProofState) => {
      if (!controller.signal.aborted) setState(next)
    }
    show({ step: 'running', entries: 0, all: 0 })
    try {
      show({ step: 'done', verdict: await prove({ client, userId, signal: controller.signal, show }) })
    } catch (error) {
      if (!controller.signal.aborted) logQuietly(error, 'balance verification')
      show({ step: 'failed' })
    } finally {
      running.current = null
    }
  }

  return { state, start: () => void start() }
}

type Proof = { client: QueryClient; userId: string; signal: AbortSignal; show: (state: ProofState) => void }

async function prove({ client, userId, signal, show }: Proof): Promise<Verdict> {
  // What is on screen may be of a moment ago; what is verified is what will be on screen.
  const explanation = await client.fetchQuery({ ...explanationQuery(userId), staleTime: 0 })
  const all = explanation.entries
  return verifyBalanceApart(
    {
      explanation,
      pages: readJournal(signal),
      onProgress: (entries) => show({ step: 'running', entries, all }),
    },
    signal,
  )
}
