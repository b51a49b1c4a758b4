import { Button } from './button.tsx'

/** The line where something could not be read: a dash in its place, unless there is more to say, and the way to ask again. */
export function RetryLine({
  message = '—',
  retryLabel,
  onRetry,
}: {
  message?: string
  retryLabel: string
  onRetry: () => void
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
      <span>{message}</span>
      <Button variant="quiet" size="small" onClick={onRetry}>
        {retryLabel}
      </Button>
    </p>
  )
}
