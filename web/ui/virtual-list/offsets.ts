/**
 * Number of items per block. Each block stores the sum of its items' heights. A search walks the blocks first, and then
 * the items of one block.
 */
const blockSize = 512

export type Offsets = ReturnType<typeof createOffsets>

/**
 * Computes the positions of items in a long list from their heights. Finding or changing an item takes about the same
 * time at any index.
 */
export function createOffsets(count: number, heightPxOf: (index: number) => number) {
  const heights = new Float32Array(count)
  const blocks = new Float64Array(Math.ceil(count / blockSize))
  for (let block = 0; block < blocks.length; block += 1) {
    const end = Math.min(count, (block + 1) * blockSize)
    let px = 0
    for (let index = block * blockSize; index < end; index += 1) {
      heights[index] = heightPxOf(index)
      px += heights[index] ?? 0
    }
    blocks[block] = px
  }

  /**
   * Returns the index of the item at a distance from the top of the list. Returns the first or last index for a
   * distance that is out of range, and -1 for an empty list.
   */
  const indexAt = (offsetPx: number) => {
    let [block, startPx] = [0, 0]
    while (block < blocks.length - 1 && startPx + (blocks[block] ?? 0) <= offsetPx) {
      startPx += blocks[block] ?? 0
      block += 1
    }
    let index = block * blockSize
    const end = Math.min(count, index + blockSize) - 1
    while (index < end && startPx + (heights[index] ?? 0) <= offsetPx) {
      startPx += heights[index] ?? 0
      index += 1
    }
    return Math.min(index, count - 1)
  }

  return {
    count,
    totalPx: () => blocks.reduce((sum, px) => sum + px, 0),
    heightOf: (index: number) => heights[index] ?? 0,
    offsetOf: (index: number) => {
      const block = Math.floor(index / blockSize)
      let px = 0
      for (let before = 0; before < block; before += 1) px += blocks[before] ?? 0
      for (let before = block * blockSize; before < index; before += 1) px += heights[before] ?? 0
      return px
    },
    indexAt,
    setHeight: (index: number, heightPx: number) => {
      const earlier = heights[index] ?? 0
      heights[index] = heightPx
      const block = Math.floor(index / blockSize)
      blocks[block] = (blocks[block] ?? 0) + (heights[index] ?? 0) - earlier
    },
  }
}
