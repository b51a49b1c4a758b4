// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { canKeepSession, readStored, storedKeys, writeStored } from './device-storage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  window.localStorage.clear()
})

/** Makes every access to the storage throw, as a browser does that forbids the site's data. */
function forbid(): void {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  })
}

/** Replaces the storage by one that refuses values of more than `charactersMax` characters. */
function fill(charactersMax: number): Map<string, string> {
  const values = new Map<string, string>()
  vi.spyOn(window, 'localStorage', 'get').mockReturnValue({
    getItem: (key: string) => values.get(key) ?? null,
    removeItem: (key: string) => values.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > charactersMax) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  } as unknown as Storage)
  return values
}

test('a stored value is kept in the browser until it is removed', () => {
  writeStored('theme', 'dark')
  expect(window.localStorage.getItem('theme')).toBe('dark')
  expect(readStored('theme')).toBe('dark')
  expect(storedKeys()).toEqual(['theme'])
  expect(canKeepSession()).toBe(true)

  writeStored('theme', null)
  expect(readStored('theme')).toBeNull()
  expect(window.localStorage).toHaveLength(0)
})

test('a value is kept for this visit if the browser forbids its storage', () => {
  forbid()

  writeStored('theme', 'dark')

  expect(readStored('theme')).toBe('dark')
  expect(readStored('other')).toBeNull()
  expect(storedKeys()).toEqual([])
  expect(canKeepSession()).toBe(false)
  writeStored('theme', null)
  expect(readStored('theme')).toBeNull()
})

test('a value that does not fit replaces the stored value for this visit', () => {
  const values = fill(10)
  writeStored('session', 'old')

  writeStored('session', 'a value that is too long')

  expect(readStored('session')).toBe('a value that is too long')
  expect([...values]).toEqual([])
  expect(canKeepSession()).toBe(false)
  writeStored('session', 'short')
  expect([...values]).toEqual([['session', 'short']])
  expect(readStored('session')).toBe('short')
})

test('another tab never finds the storage without the value while this tab replaces it', () => {
  const values = fill(10)
  const removals: string[] = []
  writeStored('session', 'old')
  const storage = window.localStorage
  storage.removeItem = (key) => {
    removals.push(key)
    values.delete(key)
  }

  writeStored('session', 'new')

  expect(removals).toEqual([])
  expect(readStored('session')).toBe('new')
})

test('a value that another tab stored later is read instead of the value of this visit', () => {
  const values = fill(10)
  writeStored('session', 'a value that is too long')

  values.set('session', 'newer')

  expect(readStored('session')).toBe('newer')
})
