/**
 * State that the page stores in each entry of the browser's history: the entry's number, and an identifier of the
 * visit.
 */
export type Entry = { index: number; visit: string }

/**
 * Returns the state of the current history entry, or `null` if the page did not create the entry, for example after a
 * link to an anchor.
 */
export function entryOfBrowser(): Entry | null {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'index' in state && 'visit' in state
    ? (state as Entry)
    : null
}

export function newEntry(index: number): Entry {
  return { index, visit: Math.random().toString(36).slice(2) }
}
