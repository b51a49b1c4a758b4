/**
 * Creates a formatter when it is first used or while the page is idle. A formatter takes a phone about 15 ms, which
 * would delay the first paint or a sign-in.
 */
export function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  const get = () => (made ??= make())
  // Missing in some browsers, and in the DOM of the tests.
  globalThis.requestIdleCallback?.(get)
  return get
}
