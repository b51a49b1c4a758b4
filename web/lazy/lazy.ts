/** Code that is fetched when it is first needed. Every `import()` of the page is inside one of these calls. */
import { createElement, use, type ComponentType, type ReactNode } from 'react'
import { lazyCopy } from './copy.ts'

/** Both fields are absent before the first attempt and during each attempt. */
type State<Code> = { readonly code?: Code; readonly failure?: LoadError }

export type LazyCode<Code> = {
  /** Number of this declaration, from 1. */
  id: number
  /** Rejects with a `LoadError`. The next call tries again. */
  load: () => Promise<Code>
  /** Prefetches the code. It resolves after a failure too. If the failure persists, the next `load` reports it. */
  preload: () => Promise<unknown>
  state: () => State<Code>
}

let lastId = 0

/** Declares an export of a module. An action awaits `load`; a component renders it with `useLazyCode`. */
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

/** Longest time that the previous page stays on screen while the next one is fetched. Afterwards a spinner shows. */
const patienceMs = 250

/**
 * Declares a component that suspends until its code has loaded, and throws the `LoadError` to the boundary. Loaded code
 * is rendered at once: React's own `lazy` would first show the spinner and keep it for 300 ms.
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
    // The failure stays until the boundary forgets it. Otherwise each rendering would send another request.
    if (failure !== undefined) throw failure
    return createElement(code ?? use(lazy.load()), props)
  }
  return { ...lazy, settled, Component }
}

/**
 * The code could not be loaded: the connection failed, or an upgrade removed the file from the server. It is a
 * `TypeError` like the browser's own error.
 */
export class LoadError extends TypeError {
  override readonly name = 'LoadError'
  readonly reason = navigator.onLine ? 'unreachable' : 'away'
  /** Lets a component request its code again. */
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super(lazyCopy.failed, { cause })
    this.forget = forget
  }
}

/** Returns the sentence of a `LoadError`, and `fallback` for any other error. */
export function failureMessage(error: unknown, fallback: string): string {
  return error instanceof LoadError ? error.message : fallback
}
