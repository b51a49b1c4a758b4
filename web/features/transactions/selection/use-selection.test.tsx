// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { Suspense, use } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everything, type CategoryFilter } from './selection.ts'
import { readSelection, useSelection, writeSelection } from './use-selection.ts'

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

test('what was selected is read back from its address', () => {
  const filter = fc.oneof(
    fc.constant<CategoryFilter>({ kind: 'all' }),
    fc.constant<CategoryFilter>({ kind: 'deposits' }),
    fc.string({ minLength: 1 }).map((name): CategoryFilter => ({ kind: 'category', name })),
  )
  const order = fc.constantFrom('date' as const, 'amount' as const, 'description' as const)
  const search = fc.string({ maxLength: 200 }).map((text) => text.trim())
  fc.assert(
    fc.property(search, filter, order, (...[words, chosen, sorted]) => {
      const selection = { search: words, filter: chosen, order: sorted }
      const address = writeSelection(new URLSearchParams(), selection).toString()

      expect(readSelection(new URLSearchParams(address))).toEqual(selection)
    }),
  )
})

test('the address is in Spanish and says only what was chosen', () => {
  const selection = { search: 'renta', filter: { kind: 'deposits' }, order: 'amount' } as const

  expect(writeSelection(new URLSearchParams(), selection).toString()).toBe(
    'buscar=renta&tipo=deposito&orden=monto',
  )
  expect(writeSelection(new URLSearchParams('buscar=x&orden=monto'), everything).toString()).toBe('')
})

test('an address that makes no sense selects everything', () => {
  expect(readSelection(new URLSearchParams('orden=otro&categoria=&tipo=nada'))).toEqual(everything)
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
