/**
 * Makes a formatter at its first use, or while the page is idle. One takes a phone some fifteen milliseconds, which
 * would delay the first paint or a sign-in.
 */
export function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  const get = () => (made ??= make())
  // Missing in some browsers and in the tests' DOM.
  globalThis.requestIdleCallback?.(get)
  return get
}
