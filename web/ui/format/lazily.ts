/**
 * Creates a formatter on its first use, or earlier while the page is idle. Creating a formatter takes about 15 ms on a
 * phone, which would delay the first paint or a sign-in.
 */
export function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  const get = () => (made ??= make())
  // Some browsers, and the DOM used in tests, do not provide `requestIdleCallback`.
  globalThis.requestIdleCallback?.(get)
  return get
}
