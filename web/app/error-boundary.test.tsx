import { act, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { lazyComponent } from '#ui/lazy/lazy.ts'
import { ErrorBoundary } from './error-boundary.tsx'

let answer: () => Promise<() => string>

beforeEach(() => {
  for (const name of ['warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
})

test.each([
  ['offline', false, 'Sin conexión', 0],
  ['while the server is away or has another build', true, 'El banco no responde', 1],
])(
  'a page that cannot be fetched %s says why, and loads when the user retries',
  async (_, onLine, title, reloads) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
    let requests = 0
    answer = async () => {
      requests += 1
      // Lets the spinner render before the import fails.
      await new Promise((resolve) => setTimeout(resolve))
      throw new TypeError('Failed to fetch dynamically imported module')
    }
    await open()
    await screen.findByRole('heading', { name: title })
    expect(requests).toBe(1)
    expect(screen.queryAllByRole('button', { name: 'Volver a cargar' })).toHaveLength(reloads)

    answer = async () => () => 'La página'
    await act(async () => screen.getByRole('button', { name: 'Reintentar' }).click())

    await screen.findByText('La página')
  },
)

test('a page that fails to render shows an error and a reload button', async () => {
  answer = async () => () => {
    throw new Error('broken')
  }
  await open()

  await screen.findByRole('heading', { name: 'Algo salió mal' })
  expect(screen.getByRole('button', { name: 'Volver a cargar' })).toBeDefined()
})

async function open() {
  const { Component } = lazyComponent(async () => ({ Page: await answer() }), 'Page')
  await act(async () => {
    render(
      <ErrorBoundary>
        <Suspense fallback={null}>
          <Component />
        </Suspense>
      </ErrorBoundary>,
    )
  })
}
