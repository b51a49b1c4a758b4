import { Button } from '#ui/button.tsx'
import { appCopy } from './copy.ts'

/** Shown when the page cannot continue; with `onRetry` it can try again without a reload. */
export function Failure({ onRetry }: { onRetry?: () => void }) {
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60svh] max-w-sm place-content-center justify-items-center gap-4 px-5 text-center"
    >
      <h1 className="text-xl font-semibold">{appCopy.brokenTitle}</h1>
      <p className="text-muted">{appCopy.brokenText}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{appCopy.tryAgain}</Button>}
      <Button
        variant={onRetry === undefined ? 'primary' : 'outline'}
        onClick={() => window.location.reload()}
      >
        {appCopy.reload}
      </Button>
    </div>
  )
}
