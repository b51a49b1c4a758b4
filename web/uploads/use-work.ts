import { useEffect, useMemo, useState } from 'react'
import { finish, finishInPieces, type Work } from './pieces.ts'

/** The result of the latest finished work, or `null`. `isCurrent` is false while newer work is being done. */
export type Worked<Result> = { readonly result: Result | null; readonly isCurrent: boolean }

type Done<Result> = { readonly begin: unknown; readonly result: Result }

/**
 * Does work whenever `begin` changes. Short work is done while the component renders. Long work is done in pieces, and
 * the former result stays until it is finished.
 */
export function useWork<Result>(begin: () => Work<Result>, isShort: boolean): Worked<Result> {
  const short = useMemo(() => (isShort ? { begin, result: finish(begin()) } : null), [begin, isShort])
  const [long, setLong] = useState<Done<Result> | null>(null)
  useEffect(() => {
    if (isShort) return undefined
    const left = new AbortController()
    finishInPieces(begin(), { signal: left.signal }).then(
      (result) => setLong({ begin, result }),
      (error: unknown) => {
        if (left.signal.aborted) return
        setLong(() => {
          throw error
        })
      },
    )
    return () => left.abort()
  }, [begin, isShort])
  const done = short ?? long
  return { result: done?.result ?? null, isCurrent: done?.begin === begin }
}
