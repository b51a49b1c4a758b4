/**
 * Creates a formatter when it is first used or while the page is idle. A formatter takes a phone about 15 ms, which
 * would delay the first paint or a sign-in.
 */
export function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  const get = () => (made ??= make())
  // Some browsers and the DOM of the tests do not have this function.
  globalThis.requestIdleCallback?.(get)
  return get
}
