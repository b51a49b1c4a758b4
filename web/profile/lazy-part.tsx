import type { ComponentType } from 'react'
import type { LazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'

/** A part of a card. The page waits neither for the part's code nor for its rows. */
export function LazyPart({ code, loading }: { code: LazyCode<ComponentType>; loading: string }) {
  const { data: Part, error, refetch } = useLazyCode(code)
  if (Part !== undefined) return <Part />
  return (
    <div className="grid min-h-24 place-content-center px-4 sm:px-6">
      {error ? (
        <RetryLine message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={loading} />
      )}
    </div>
  )
}
