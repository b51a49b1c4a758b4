/** The middle value; of an even number the upper of the two. NaN of nothing. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The smallest value that at least `share` of all values do not exceed. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The median of each round's own ratio: a disturbance of the machine hits both sides of a round. Throws when the rounds do not pair up. */
export function ratioOf(values: readonly number[], others: readonly number[]): number {
  if (values.length === 0 || values.length !== others.length)
    throw new Error(`${values.length} rounds against ${others.length} have no ratio.`)
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}
