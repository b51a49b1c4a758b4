import { Component, type ReactNode } from 'react'
import { logQuietly } from '#backend/log-quietly.ts'
import { Failure } from './failure.tsx'

type State = { hasFailed: boolean }

/** Keeps a broken part from taking the page with it. React has no other way than a class. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown): void {
    logQuietly(error, 'page')
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Failure /> : this.props.children
  }
}
