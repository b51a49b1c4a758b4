import { Button } from './button.tsx'
import { uiCopy } from './copy.ts'

/** The line where something could not be read: a dash in its place, unless there is more to say, and the way to ask again. */
export function RetryLine({ message = '—', onRetry }: { message?: string; onRetry: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
      <span>{message}</span>
      <Button variant="quiet" size="small" onClick={onRetry}>
        {uiCopy.retry}
      </Button>
    </p>
  )
}
