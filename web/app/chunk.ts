/** Parts of the page that are fetched when they are first needed. */
import { createElement, use, type ComponentType, type ReactNode } from 'react'

const failed = new Set<() => void>()

/**
 * A part of the page that is fetched when it is first needed. One that is there already is drawn at once: React's own
 * `lazy` would show the spinner before it, and keep it for a third of a second.
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
  /** Fulfilled when it is there, or when what is on the screen has stayed for it long enough. */
  const loadOrLate = (): Promise<unknown> => (near ??= Promise.race([load(), pause(patienceMs)]))
  return { load, loadOrLate, isLoaded: () => part !== undefined, Chunk }
}

/** Time that the open page stays while the next one is fetched; then a spinner shows. */
const patienceMs = 250

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Whether a part of the page did not come: then nothing in it is broken. */
export function hasFailedChunks(): boolean {
  return failed.size > 0
}

/** Lets failed chunks be fetched again; until then they stay failed, or a page without network would fetch for ever. */
export function forgetFailedChunks(): void {
  for (const forget of failed) forget()
  failed.clear()
}
