/** State that the browser stores with an entry of its history: the entry's number, and the visit that created it. */
export type Entry = { index: number; visit: string }

/**
 * Returns the browser's present entry, or `null` if the page did not create it, for example after a link to an anchor.
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
