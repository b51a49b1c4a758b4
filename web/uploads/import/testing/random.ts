/** Random choices that are the same for the same seed. */
export type Random = {
  readonly chance: (probability: number) => boolean
  /** Returns an integer from `min` to `max`, both included. */
  readonly between: (min: number, max: number) => number
  readonly pick: <const Values extends readonly [unknown, ...unknown[]]>(values: Values) => Values[number]
}

/** Uses the generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    chance: (probability) => next() < probability,
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
  }
}
