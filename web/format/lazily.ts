/**
 * Makes a formatter when it is first used. One takes a phone some fifteen milliseconds, which is no time to lose before the
 * first paint, and no page uses all of them.
 */
export function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  return () => (made ??= make())
}
