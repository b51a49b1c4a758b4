import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useRowsMax } from './use-rows-max.ts'

const list = { first: 20, max: 50, next: (rowsMax: number) => rowsMax + 20 }

test('a list that is shorter than its length on screen has no more rows', () => {
  const { result } = renderHook(() => useRowsMax(list))

  expect(result.current.rowsMax).toBe(20)
  expect(result.current.moreOf(19)).toBeNull()
  expect(result.current.moreOf(20)).not.toBeNull()
})

test('each press shows more rows, but never more than the maximum', () => {
  const { result } = renderHook(() => useRowsMax(list))

  act(() => result.current.moreOf(20)?.())
  expect(result.current.rowsMax).toBe(40)

  act(() => result.current.moreOf(40)?.())
  expect(result.current.rowsMax).toBe(50)
  expect(result.current.moreOf(50)).toBeNull()
})
