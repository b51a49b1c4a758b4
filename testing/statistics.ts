/** Returns the median. For an even number of values, that is the upper of the two middle values. NaN for no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Returns the smallest value that at least `share` of all values do not exceed. NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/**
 * Computes the ratio of each round and returns the median, because a disturbance of the machine affects both sides of
 * a round. Throws when the numbers of rounds differ.
 */
export function ratioOf(values: readonly number[], others: readonly number[]): number {
  if (values.length === 0 || values.length !== others.length)
    throw new Error(`${values.length} rounds against ${others.length} have no ratio.`)
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}
