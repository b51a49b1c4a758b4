import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { logQuietly } from '#backend/errors.ts'
import { batchQuery, batchesQuery, postPiece, type Batch } from './batches.ts'

const firstWaitMs = 1000
const waitMsMax = 15_000

export type Posting = 'stopped' | 'posting' | 'waiting'

/** Posts a batch piece by piece while the page is open. Lines posted before a lost answer are not posted again. */
export function usePosting(batch: Batch, beginsAtOnce: boolean) {
  const client = useQueryClient()
  const [isOn, setIsOn] = useState(beginsAtOnce)
  const [state, setState] = useState<Posting>(beginsAtOnce ? 'posting' : 'stopped')
  const { id } = batch
  const isFinished = batch.finished_at !== null

  useEffect(() => {
    if (!isOn || isFinished) return undefined
    const leaving = new AbortController()
    const work = async () => {
      let waitMs = firstWaitMs
      while (!leaving.signal.aborted) {
        try {
          const after = await postPiece(id)
          client.setQueryData(batchQuery(id).queryKey, after)
          if (after.finished_at !== null) break
          setState('posting')
          waitMs = firstWaitMs
        } catch (error) {
          logQuietly(error, 'a piece of a batch')
          // As if it had been stopped: another try begins anew.
          if (isRefusal(error)) return setIsOn(false)
          setState('waiting')
          await pause(waitMs, leaving.signal)
          waitMs = Math.min(waitMs * 2, waitMsMax)
        }
      }
      await client.invalidateQueries({ queryKey: batchesQuery.queryKey })
    }
    void work()
    return () => leaving.abort()
  }, [client, id, isOn, isFinished])

  return {
    state: isOn ? state : ('stopped' as const),
    start: () => {
      setState('posting')
      setIsOn(true)
    },
    stop: () => setIsOn(false),
  }
}

/** Another try would be answered the same: no right, no such batch. */
function isRefusal(error: unknown): boolean {
  return ['42501', 'PT404'].includes(errorCode(error))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
