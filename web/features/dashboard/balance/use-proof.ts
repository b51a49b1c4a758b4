import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { readJournal } from '#ledger/read-journal.ts'
import { explanationQuery } from './explanation.ts'
import { verifyBalanceApart } from './thread.ts'
import type { Verdict } from './verification.ts'

export type ProofState =
  | { step: 'idle' }
  /** `entries` of `all` have been checked. */
  | { step: 'running'; entries: number; all: number }
  | { step: 'done'; verdict: Verdict }
  | { step: 'failed' }

/** One verification at a time, aborted when the component is unmounted. */
export function useBalanceProof(userId: string): { state: ProofState; start: () => void } {
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
