/**
 * The browser's storage for this site. A browser can forbid the storage, so that every access throws, and the storage
 * can be full. Values that cannot be stored are kept in memory, so that the page works for this visit.
 */

/** Values that could not be stored. */
const memory = new Map<string, string>()

export function readStored(key: string): string | null {
  return memory.get(key) ?? attempt(() => window.localStorage.getItem(key)) ?? null
}

/** Stores a value, or removes it if the value is `null`. */
export function writeStored(key: string, value: string | null): void {
  memory.delete(key)
  // The old value must not stay beside a new value that does not fit, and its space may suffice.
  const isStored = attempt(() => {
    window.localStorage.removeItem(key)
    if (value !== null) window.localStorage.setItem(key, value)
    return true
  })
  if (isStored !== true && value !== null) memory.set(key, value)
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
