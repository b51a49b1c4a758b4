/**
 * Returns the median, or NaN for an empty list. For an even number of values, the median is the higher of the two
 * middle values.
 */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * Returns a quantile: the smallest value such that at least `share` of all values are less than or equal to it.
 * Returns NaN for an empty list.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/**
 * Computes one ratio per round and returns the median of these ratios. A temporary slowdown of the machine affects both
 * measurements of a round, so it hardly changes their ratio. Throws if the lists have different lengths.
 */
export function ratioOf(values: readonly number[], others: readonly number[]): number {
  if (values.length === 0 || values.length !== others.length)
    throw new Error(`${values.length} rounds against ${others.length} have no ratio.`)
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}
