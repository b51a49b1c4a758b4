import { Component, type ReactNode } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { appCopy } from './copy.ts'
import { forgetFailedChunks, hasFailedChunks } from './chunk.ts'

type State = { failure: Cause | null }

/** The device is offline, the server did not answer, or the page itself is at fault. */
type Cause = 'away' | 'unreachable' | 'broken'

/**
 * Confines a failure to one part of the page. Retries when the user asks or when the network is back. It is a class
 * because React requires one for an error boundary.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(): State {
    return { failure: hasFailedChunks() ? (navigator.onLine ? 'unreachable' : 'away') : 'broken' }
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
    if (this.state.failure === null) return
    forgetFailedChunks()
    this.setState({ failure: null })
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure === null ? this.props.children : <Failure cause={failure} onRetry={this.retry} />
  }
}

type FailureProps = { cause?: Cause; onRetry?: () => void }

/**
 * Shown when the page cannot continue. With `onRetry` the user can retry without a reload, which would fail offline.
 */
export function Failure({ cause = 'broken', onRetry }: FailureProps) {
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60svh] max-w-sm place-content-center justify-items-center gap-4 px-5 text-center"
    >
      <h1 className="text-xl font-semibold">{appCopy[`${cause}Title`]}</h1>
      <p className="text-muted">{appCopy[`${cause}Text`]}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{uiCopy.retry}</Button>}
      {cause === 'broken' && (
        <Button
          variant={onRetry === undefined ? 'primary' : 'outline'}
          onClick={() => window.location.reload()}
        >
          {appCopy.reload}
        </Button>
      )}
    </div>
  )
}
