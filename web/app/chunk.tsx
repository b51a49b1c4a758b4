import { createElement, use, type ComponentType, type ReactNode } from 'react'

const failed = new Set<() => void>()

/**
 * A part of the page that is fetched when it is first needed. One that is there already is drawn at once: React's own
 * `lazy` would show the spinner before it, and keep it for a third of a second.
 */
export function chunk<Props extends object>(fetchPart: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | undefined
  let fetching: Promise<ComponentType<Props>> | undefined
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
        })
      },
    )
    return fetching
  }
  function Chunk(props: Props): ReactNode {
    return createElement(part ?? use(load()), props)
  }
  return { load, Chunk }
}

/** What could not be fetched will be asked for again. Until then it stays failed, or a page without network would ask for ever. */
export function forgetFailedChunks(): void {
  for (const forget of failed) forget()
  failed.clear()
}
