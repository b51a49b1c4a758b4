import { Button } from './button.tsx'

/** The quiet line where something could not be read. */
export function RetryLine({
  message,
  retryLabel,
  onRetry,
}: {
  message: string
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
