import { expect, test } from 'vitest'
import { restRowsMax } from '@finanzas/contract/limits.ts'
import { readAll } from './read-all.ts'

const first = Array.from({ length: restRowsMax }, (_, index) => index)

test('all rows are read, each page after the last row of the previous page', async () => {
  const asked: unknown[] = []
  const rows = await readAll<number>(async (last) => {
    asked.push(last)
    return last === undefined ? first : [restRowsMax]
  })

  expect(rows).toEqual([...first, restRowsMax])
  expect(asked).toEqual([undefined, restRowsMax - 1])
})

test('no page is read after the maximum number of rows', async () => {
  let pages = 0
  const rows = await readAll<number>(
    async () => {
      pages += 1
      return first
    },
    { max: restRowsMax },
  )

  expect(rows).toHaveLength(restRowsMax)
  expect(pages).toBe(1)
})
