/** Loads code when it is first needed. Every `import()` in the page's code is passed to a function of this file. */
import { createElement, use, type ComponentType, type ReactNode } from 'react'
import { lazyCopy } from './copy.ts'

/** Both fields are absent until the first request for the code has ended. They are also absent during a retry. */
type State<Code> = { readonly code?: Code; readonly failure?: LoadError }

export type LazyCode<Code> = {
  /** Sequence number of this declaration, starting at 1. */
  id: number
  /** Rejects with a `LoadError`. The next call of `load` requests the code again. */
  load: () => Promise<Code>
  /**
   * Prefetches the code. The promise resolves even if the request fails. The next `load` repeats the request and
   * reports a failure.
   */
  preload: () => Promise<unknown>
  state: () => State<Code>
}

let lastId = 0

/** Declares an export of a module that is loaded on demand. An action awaits `load`; a component uses `useLazyCode`. */
export function lazyCode<Module, Name extends keyof Module>(
  importModule: () => Promise<Module>,
  name: Name,
): LazyCode<Module[Name]> {
  let state: State<Module[Name]> = {}
  let loading: Promise<Module[Name]> | undefined
  const forget = () => {
    if (state.failure !== undefined) state = {}
  }
  const load = () => {
    forget()
    loading ??= importModule().then(
      ({ [name]: code }) => {
        state = { code }
        return code
      },
      (cause: unknown) => {
        loading = undefined
        state = { failure: new LoadError(cause, forget) }
        throw state.failure
      },
    )
    return loading
  }
  lastId += 1
  return { id: lastId, load, preload: () => load().catch(forget), state: () => state }
}

/**
 * Maximum time for which the previous page stays on screen while the next page is fetched. After this time, the page
 * shows a spinner.
 */
const patienceMs = 250

/**
 * Declares a component that suspends until its code has loaded, and throws a `LoadError` to the error boundary if
 * loading fails. If the code is already loaded, the component renders immediately. React's own `lazy` would first show
 * the spinner for at least 300 ms.
 */
export function lazyComponent<Props extends object, Name extends string>(
  importModule: () => Promise<{ readonly [key in Name]: ComponentType<Props> }>,
  name: Name,
) {
  const lazy = lazyCode(importModule, name)
  let settling: Promise<unknown> | undefined
  /** Resolves when the code has loaded or failed, or after `patienceMs`. */
  const settled = () =>
    (settling ??= Promise.race([lazy.preload(), new Promise((late) => setTimeout(late, patienceMs))]))
  function Component(props: Props): ReactNode {
    const { code, failure } = lazy.state()
    // The failure stays stored until the error boundary calls `forget`. Without the stored failure, every render would
    // send another request.
    if (failure !== undefined) throw failure
    return createElement(code ?? use(lazy.load()), props)
  }
  return { ...lazy, settled, Component }
}

/**
 * Thrown when code could not be loaded. Either the connection failed, or an upgrade removed the file from the server.
 * The browser throws a `TypeError` in this case, and this class therefore extends `TypeError`.
 */
export class LoadError extends TypeError {
  override readonly name = 'LoadError'
  readonly reason = navigator.onLine ? 'unreachable' : 'away'
  /** Clears the failure, so that a component can request its code again. */
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super(lazyCopy.failed, { cause })
    this.forget = forget
  }
}

/** Returns the message of a `LoadError`, or `fallback` for any other error. */
export function failureMessage(error: unknown, fallback: string): string {
  return error instanceof LoadError ? error.message : fallback
}
