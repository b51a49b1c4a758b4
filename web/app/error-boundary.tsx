import { Component, type ReactNode } from 'react'
import { logQuietly } from '#api/errors.ts'
import { LoadError } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { appCopy } from './copy.ts'

type Failed = { reason: LoadError['reason'] | 'broken'; forget: () => void }

type State = { failure: Failed | null }

/** The state after a bug: any error that is not a `LoadError`. */
const broken: Failed = { reason: 'broken', forget: () => {} }

/**
 * Confines a failure to one part of the page. Renders this part again when the user asks for a retry or when the
 * network connection returns. The boundary is a class, because React supports error boundaries only as class
 * components.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof LoadError ? error : broken }
  }

  override componentDidMount(): void {
    window.addEventListener('online', this.retry)
  }

  override componentWillUnmount(): void {
    window.removeEventListener('online', this.retry)
    this.state.failure?.forget()
  }

  override componentDidCatch(error: unknown): void {
    logQuietly(error, 'page')
  }

  readonly retry = (): void => {
    if (this.state.failure === null) return
    this.state.failure.forget()
    this.setState({ failure: null })
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure === null ? this.props.children : <Failure cause={failure.reason} onRetry={this.retry} />
  }
}

type FailureProps = { cause?: Failed['reason']; onRetry?: () => void }

/**
 * The message shown when the page cannot continue. If `onRetry` is given, the user can retry without reloading the
 * page. A reload would fail offline. After a server upgrade, the user must reload the page.
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
      {cause !== 'away' && (
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
