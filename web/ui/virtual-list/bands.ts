/**
 * Bands are list items that separate groups of rows. Bands cannot be focused and do not count as rows. The parameter
 * `bands` contains their indexes in ascending order.
 */

/** Returns the number of bands above an item. */
export function bandsBefore(bands: readonly number[], index: number): number {
  let [low, high] = [0, bands.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bands[middle] ?? 0) < index) low = middle + 1
    else high = middle
  }
  return low
}

export function isBand(bands: readonly number[], index: number): boolean {
  return bands[bandsBefore(bands, index)] === index
}

/** Returns the next row below an item, or `undefined` at the end of the list. */
export function rowAfter(bands: readonly number[], index: number, count: number): number | undefined {
  let next = index + 1
  while (isBand(bands, next)) next += 1
  return next < count ? next : undefined
}

/** Returns the next row above an item, or `undefined` at the top of the list. */
export function rowBefore(bands: readonly number[], index: number): number | undefined {
  let next = index - 1
  while (isBand(bands, next)) next -= 1
  return next >= 0 ? next : undefined
}
