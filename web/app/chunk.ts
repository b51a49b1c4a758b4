/** Parts of the page, each fetched when it is first needed. */
import { createElement, use, type ComponentType, type ReactNode } from 'react'

const failed = new Set<() => void>()

/**
 * A part of the page that is fetched when it is first needed. A part that is already loaded is drawn at once: React's
 * own `lazy` would first show the spinner and keep it for 300 ms.
 */
export function chunk<Props extends object>(fetchPart: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | undefined
  let fetching: Promise<ComponentType<Props>> | undefined
  let near: Promise<unknown> | undefined
  const load = (): Promise<ComponentType<Props>> => {
    if (fetching !== undefined) return fetching
    fetching = fetchPart()
    fetching.then(
      (fetched) => {
        part = fetched
      },
      () => {
        failed.add(() => {
          fetching = undefined
          near = undefined
        })
      },
    )
    return fetching
  }
  function Chunk(props: Props): ReactNode {
    return createElement(part ?? use(load()), props)
  }
  /** Resolves when the part is loaded, or after `patienceMs`. */
  const loadOrLate = (): Promise<unknown> => (near ??= Promise.race([load(), pause(patienceMs)]))
  return { load, loadOrLate, isLoaded: () => part !== undefined, Chunk }
}

/** Longest time that the previous page stays on screen while the next one is fetched. After that a spinner shows. */
const patienceMs = 250

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Returns whether a part of the page could not be fetched. If so, its code is not at fault. */
export function hasFailedChunks(): boolean {
  return failed.size > 0
}

/**
 * Lets failed chunks be fetched again. An automatic retry would send requests without end while the device is offline.
 */
export function forgetFailedChunks(): void {
  for (const forget of failed) forget()
  failed.clear()
}
