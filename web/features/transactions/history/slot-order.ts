/** Sorted lists of slots as new arrays: a history of 100,000 rows takes one more without being sorted anew. */

type Compare = (one: number, other: number) => number

/** The list with more slots, each in its place. */
export function withSlots(order: Uint32Array, added: readonly number[], compare: Compare): Uint32Array {
  if (added.length === 0) return order
  const result = new Uint32Array(order.length + added.length)
  let [taken, length] = [0, 0]
  for (const slot of [...added].sort(compare)) {
    const position = positionOf(order, slot, compare, taken)
    result.set(order.subarray(taken, position), length)
    length += position - taken
    taken = position
    result[length] = slot
    length += 1
  }
  result.set(order.subarray(taken), length)
  return result
}

export function withoutSlots(order: Uint32Array, removed: ReadonlySet<number>): Uint32Array {
  return removed.size === 0 ? order : order.filter((slot) => !removed.has(slot))
}

/** Where a slot belongs among those from `from` on. */
function positionOf(order: Uint32Array, slot: number, compare: Compare, from: number): number {
  let [low, high] = [from, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(slot, order[middle] ?? 0) < 0) high = middle
    else low = middle + 1
  }
  return low
}
