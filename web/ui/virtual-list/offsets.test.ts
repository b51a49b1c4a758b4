import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOffsets } from './offsets.ts'

test('every point of a list belongs to the item at that position, even after heights have changed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1500 }), fc.nat(300), fc.nat(), (count, step, point) => {
      const heights = Array.from({ length: count }, (_, index) => 1 + ((index * step) % 300))
      const offsets = createOffsets(count, (index) => heights[index] ?? 0)
      for (let index = 0; index < count; index += 1 + step) {
        heights[index] = 7
        offsets.setHeight(index, 7)
      }
      const total = heights.reduce((sum, px) => sum + px, 0)
      const at = point % total

      const index = offsets.indexAt(at)

      expect(offsets.totalPx()).toBe(total)
      expect(offsets.indexAt(offsets.offsetOf(index))).toBe(index)
      expect(offsets.offsetOf(index)).toBeLessThanOrEqual(at)
      expect(offsets.offsetOf(index) + offsets.heightOf(index)).toBeGreaterThan(at)
    }),
  )
})

test('a point above a list belongs to the list’s first item, and a point below the list to the last item', () => {
  const offsets = createOffsets(3, () => 10)

  expect([offsets.indexAt(-5), offsets.indexAt(30), offsets.indexAt(999)]).toEqual([0, 2, 2])
  expect(createOffsets(0, () => 10).indexAt(0)).toBe(-1)
})
