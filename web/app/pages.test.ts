// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { pagePathOf, pagePaths } from './pages.ts'

afterEach(clearPage)

const transferPaths = ['/transferencias', '/admin/solicitudes'] as const

test('the pages of a disabled feature are unknown paths', async () => {
  await serve(() => undefined)

  for (const path of transferPaths) {
    expect(pagePathOf(path)).toBeNull()
    expect(pagePaths()).not.toContain(path)
  }
  expect(pagePathOf('/transacciones')).toBe('/transacciones')
})

test('the pages of an enabled feature exist', async () => {
  await serve(() => undefined, { features: ['transferencias'] })

  for (const path of transferPaths) {
    expect(pagePathOf(`${path}/`)).toBe(path)
    expect(pagePaths()).toContain(path)
  }
})
