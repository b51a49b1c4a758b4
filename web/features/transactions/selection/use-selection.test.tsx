// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSelection } from './use-selection.ts'

/** Longer than the address waits for the next key. */
const pauseMs = 1000

let arrive: () => void

beforeEach(() => {
  vi.useFakeTimers()
  window.history.replaceState(null, '', '/transacciones')
  const { promise, resolve } = Promise.withResolvers<void>()
  arrive = resolve
  render(
    <BrowserRouter>
      <Link to="/dashboard">{'Inicio'}</Link>
      <Suspense>
        <Routes>
          <Route path="/transacciones" element={<History />} />
          <Route path="/dashboard" element={<Dashboard whenFetched={promise} />} />
        </Routes>
      </Suspense>
    </BrowserRouter>,
  )
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('what is typed is in the address after a pause', async () => {
  type('café')
  expect(window.location.search).toBe('')

  await pass()

  expect(window.location.pathname + window.location.search).toBe('/transacciones?buscar=caf%C3%A9')
})

test('who leaves while it is being typed arrives, however long the other page takes', async () => {
  type('café')
  await act(async () => fireEvent.click(screen.getByText('Inicio')))
  // The other page is not drawn yet: this one is still there, and its pause ends.
  await pass()
  expect(window.location.pathname + window.location.search).toBe('/dashboard')

  await act(async () => arrive())

  expect(screen.queryByText('El panel')).not.toBeNull()
  expect(window.location.pathname + window.location.search).toBe('/dashboard')
})

test('a choice made while it is being typed stays in the address', async () => {
  type('café')
  await act(async () => fireEvent.click(screen.getByText('Por monto')))

  await pass()

  expect(window.location.search).toBe('?buscar=caf%C3%A9&orden=monto')
})

function History() {
  const [selection, select] = useSelection()
  return (
    <>
      <input
        type="search"
        value={selection.search}
        onChange={({ target }) => select({ ...selection, search: target.value })}
      />
      <button type="button" onClick={() => select({ ...selection, order: 'amount' })}>
        {'Por monto'}
      </button>
    </>
  )
}

function Dashboard({ whenFetched }: { whenFetched: Promise<void> }) {
  use(whenFetched)
  return <p>{'El panel'}</p>
}

function type(text: string) {
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } })
}

async function pass(): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(pauseMs))
}
