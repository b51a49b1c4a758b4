// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'
import { chunk } from './chunk.ts'

let answer: () => Promise<() => string>

beforeEach(() => {
  for (const name of ['warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test.each([
  ['offline', false, 'Sin conexión'],
  ['while the server is away', true, 'El banco no responde'],
])('a page that cannot be fetched %s says why, and loads when the user retries', async (_, onLine, title) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
  answer = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  await open()
  await screen.findByRole('heading', { name: title })
  expect(screen.queryByRole('button', { name: 'Volver a cargar' })).toBeNull()

  answer = async () => () => 'La página'
  await act(async () => screen.getByRole('button', { name: 'Reintentar' }).click())

  await screen.findByText('La página')
})

test('a page that fails shows an error and a button to reload it', async () => {
  answer = async () => () => {
    throw new Error('broken')
  }
  await open()

  await screen.findByRole('heading', { name: 'Algo salió mal' })
  expect(screen.getByRole('button', { name: 'Volver a cargar' })).toBeDefined()
})

async function open() {
  const { Chunk } = chunk(() => answer())
  await act(async () => {
    render(
      <ErrorBoundary>
        <Suspense fallback={null}>
          <Chunk />
        </Suspense>
      </ErrorBoundary>,
    )
  })
}
