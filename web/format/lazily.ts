/**
 * Makes a formatter when it is first used, or while the page has nothing to do: one takes a phone some fifteen
 * milliseconds, which is no time to lose before the first paint, nor while a sign-in is waited for.
 */
export function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  const get = () => (made ??= make())
  // Not in every browser, and not where tests run.
  globalThis.requestIdleCallback?.(get)
  return get
}
