/**
 * The browser's storage for this site. A browser can forbid the storage, so that every access throws, and the storage
 * can be full. Values that cannot be stored are kept in memory, so that the page works for this visit.
 */

/** Values that could not be stored. */
const memory = new Map<string, string>()

export function readStored(key: string): string | null {
  // A value in the storage is newer than the value in memory, because another tab has stored it since.
  return attempt(() => window.localStorage.getItem(key)) ?? memory.get(key) ?? null
}

/** Stores a value, or removes it if the value is `null`. */
export function writeStored(key: string, value: string | null): void {
  memory.delete(key)
  // The new value replaces the old value in one step, so that another tab never finds neither.
  if (value !== null && store(key, value)) return
  attempt(() => window.localStorage.removeItem(key))
  // The space of the old value may suffice.
  if (value !== null && !store(key, value)) memory.set(key, value)
}

/** Returns whether the browser stored the value. */
function store(key: string, value: string): boolean {
  const isStored = attempt(() => {
    window.localStorage.setItem(key, value)
    return true
  })
  return isStored === true
}

export function storedKeys(): readonly string[] {
  return attempt(() => Object.keys(window.localStorage)) ?? []
}

/** The storage that supabase-js uses for the session. */
export const deviceStorage = {
  getItem: readStored,
  setItem: (key: string, value: string) => writeStored(key, value),
  removeItem: (key: string) => writeStored(key, null),
}

/** A session has about this many characters. */
const probeCharacters = 4000
const probeKey = 'finanzas-probe'

/** Returns whether this browser can keep a session after the page is closed. */
export function canKeepSession(): boolean {
  writeStored(probeKey, 'x'.repeat(probeCharacters))
  const isKept = !memory.has(probeKey)
  writeStored(probeKey, null)
  return isKept
}

/** Returns what the access returns, or `undefined` if the browser refuses the access. */
function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}
