import { act, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { Suspense, use } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { AddressProvider, useAddress } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { everything } from './selection.ts'
import { readSelection, useSelection, writeSelection } from './use-selection.ts'

/** A time that is longer than the delay before typed text is written to the URL. */
const pauseMs = 1000

let arrive: () => void

beforeEach(() => {
  vi.useFakeTimers()
  window.history.replaceState(null, '', '/transacciones')
  const { promise, resolve } = Promise.withResolvers<void>()
  arrive = resolve
  render(
    <AddressProvider>
      <Link to="/dashboard">{'Inicio'}</Link>
      <Suspense>
        <Page whenFetched={promise} />
      </Suspense>
    </AddressProvider>,
  )
})

test('the typed text is written to the URL after a pause', async () => {
  type('café')
  expect(window.location.search).toBe('')

  await pass()

  expect(window.location.pathname + window.location.search).toBe('/transacciones?buscar=caf%C3%A9')
})

test('a link that is clicked before the typed text is in the URL opens its page', async () => {
  type('café')
  await act(async () => fireEvent.click(screen.getByText('Inicio')))
  // The delay ends while this page is still on screen, because the next page has not rendered yet.
  await pass()
  expect(window.location.pathname + window.location.search).toBe('/dashboard')

  await act(async () => arrive())

  expect(screen.queryByText('El panel')).not.toBeNull()
  expect(window.location.pathname + window.location.search).toBe('/dashboard')
})

test('a filter that is chosen while typing stays in the URL', async () => {
  type('café')
  await act(async () => fireEvent.click(screen.getByText('Por monto')))

  await pass()

  expect(window.location.search).toBe('?buscar=caf%C3%A9&orden=monto')
})

test('a selection can be restored from its URL', () => {
  const day = fc
    .integer({ min: 0, max: 40_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  const amount = fc.option(fc.integer({ min: 0, max: 99_999_999_999_999 }))
  const selections = fc.record({
    search: fc.string({ maxLength: 200 }).map((text) => text.trim()),
    categories: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
    withDeposits: fc.boolean(),
    from: fc.oneof(fc.constant(''), day),
    to: fc.oneof(fc.constant(''), day),
    minMinor: amount,
    maxMinor: amount,
    order: fc.constantFrom('date' as const, 'amount' as const, 'description' as const),
  })
  fc.assert(
    fc.property(selections, (selection) => {
      const address = writeSelection(new URLSearchParams(), selection).toString()

      expect(readSelection(new URLSearchParams(address))).toEqual(selection)
    }),
  )
})

test('the URL is in Spanish and contains only values that differ from the defaults', () => {
  const selection = {
    ...everything,
    search: 'renta',
    categories: ['Salud', 'Viajes'],
    withDeposits: true,
    from: '2026-11-01',
    to: '2026-11-30',
    minMinor: 1000,
    maxMinor: 9950,
    order: 'amount',
  } as const

  expect(writeSelection(new URLSearchParams(), selection).toString()).toBe(
    'buscar=renta&categoria=Salud&categoria=Viajes&tipo=deposito&desde=2026-11-01&hasta=2026-11-30&minimo=10&maximo=99.50&orden=monto',
  )
  expect(writeSelection(new URLSearchParams('buscar=x&orden=monto'), everything).toString()).toBe('')
})

test('an invalid URL selects all rows', () => {
  expect(
    readSelection(
      new URLSearchParams('orden=otro&categoria=&tipo=nada&desde=2026-02-31&hasta=ayer&minimo=-1&maximo=1e9'),
    ),
  ).toEqual(everything)
})

function Page({ whenFetched }: { whenFetched: Promise<void> }) {
  return useAddress().pathname === '/dashboard' ? <Dashboard whenFetched={whenFetched} /> : <History />
}

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
