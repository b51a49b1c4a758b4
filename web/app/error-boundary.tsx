import { Component, type ReactNode } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { Failure } from './failure.tsx'
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
