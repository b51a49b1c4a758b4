import { Component, type ReactNode } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { appCopy } from './copy.ts'
import { forgetFailedChunks } from './pages.ts'

type State = { hasFailed: boolean }

/**
 * Keeps a broken part from taking the page with it, and tries again when asked or when the network is back.
 * React has no other way than a class.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override componentDidMount(): void {
    window.addEventListener('online', this.retry)
  }

  override componentWillUnmount(): void {
    window.removeEventListener('online', this.retry)
  }

  override componentDidCatch(error: unknown): void {
    logQuietly(error, 'page')
  }

  readonly retry = (): void => {
    if (!this.state.hasFailed) return
    forgetFailedChunks()
    this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Failure onRetry={this.retry} /> : this.props.children
  }
}

/** Shown when the page cannot continue; with `onRetry` it can try again without a reload. */
export function Failure({ onRetry }: { onRetry?: () => void }) {
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60svh] max-w-sm place-content-center justify-items-center gap-4 px-5 text-center"
    >
      <h1 className="text-xl font-semibold">{appCopy.brokenTitle}</h1>
      <p className="text-muted">{appCopy.brokenText}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{uiCopy.retry}</Button>}
      <Button
        variant={onRetry === undefined ? 'primary' : 'outline'}
        onClick={() => window.location.reload()}
      >
        {appCopy.reload}
      </Button>
    </div>
  )
}
