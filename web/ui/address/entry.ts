/** State that the browser keeps with an entry of its history: the entry's number, and the visit that made it. */
export type Entry = { index: number; visit: string }

/** The browser's present entry; `null` if the page did not make it, as after a link to a place on the page. */
export function entryOfBrowser(): Entry | null {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'index' in state && 'visit' in state
    ? (state as Entry)
    : null
}

export function newEntry(index: number): Entry {
  return { index, visit: Math.random().toString(36).slice(2) }
}
