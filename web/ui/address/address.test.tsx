import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { AddressProvider, useAddress, useSearchParameters } from './address.tsx'
import { entryOfBrowser } from './entry.ts'
import { Link } from './link.tsx'

beforeEach(() => {
  window.history.replaceState(null, '', '/transacciones?buscar=100%2525')
  render(
    <AddressProvider>
      <Shown />
    </AddressProvider>,
  )
})

test('following a link adds an entry to the browser’s history', async () => {
  await follow('Inicio')

  expect(shown()).toBe('/dashboard step:false')
  expect(window.location.pathname).toBe('/dashboard')
  expect(entryOfBrowser()?.index).toBe(1)
})

test('a link to the current URL does not add an entry, but counts as a new visit', async () => {
  const before = entryOfBrowser()

  await follow('Aquí')

  expect(entryOfBrowser()?.index).toBe(before?.index)
  expect(entryOfBrowser()?.visit).not.toBe(before?.visit)
})

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'a link that is opened in another tab is left to the browser: %o',
  async (asked) => {
    const isLeft = fireEvent.click(screen.getByText('Inicio'), asked)

    expect(isLeft).toBe(true)
    expect(entryOfBrowser()?.index).toBe(0)
  },
)

test('the previous page stays on screen until the next page can render', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await act(async () => cleanup())
  render(
    <AddressProvider>
      <Suspense fallback={'…'}>
        <Slow whenThere={promise} />
        <Link to="/dashboard">{'Inicio'}</Link>
      </Suspense>
    </AddressProvider>,
  )

  await follow('Inicio')
  expect(screen.getByRole('status').textContent).toBe('/transacciones')
  expect(screen.queryByText('…')).toBeNull()

  await act(async () => resolve())
  expect(screen.getByRole('status').textContent).toBe('/dashboard')
})

test('the page distinguishes the back and forward buttons from a link', async () => {
  await follow('Inicio')

  await stepTo('/transacciones', { index: 0, visit: 'first' })

  expect(shown()).toBe('/transacciones step:true')
})

test('an entry in the browser’s history that the page did not create gets the next number', async () => {
  await follow('Inicio')

  await stepTo('/dashboard#contenido', null)

  expect(entryOfBrowser()?.index).toBe(2)
})

test('a URL parameter is read exactly as it is written, and keeps its position when its value changes', async () => {
  expect(screen.getByText('100%25')).toBeTruthy()

  await act(async () => fireEvent.click(screen.getByText('Otra')))

  expect(window.location.search).toBe('?buscar=100%2525&orden=monto')
  expect(entryOfBrowser()?.index).toBe(0)
})

function Shown() {
  const { pathname, isHistoryStep } = useAddress()
  const [parameters, setParameters] = useSearchParameters()
  const change = (current: URLSearchParams) => new URLSearchParams([...current, ['orden', 'monto']])
  return (
    <>
      <output>{`${pathname} step:${String(isHistoryStep)}`}</output>
      <b>{parameters.get('buscar')}</b>
      <Link to="/dashboard">{'Inicio'}</Link>
      <Link to="/transacciones?buscar=100%2525">{'Aquí'}</Link>
      <button type="button" onClick={() => setParameters(change, { replace: true })}>
        {'Otra'}
      </button>
    </>
  )
}

function Slow({ whenThere }: { whenThere: Promise<void> }) {
  const { pathname } = useAddress()
  if (pathname === '/dashboard') use(whenThere)
  return <output>{pathname}</output>
}

function shown() {
  return screen.getByRole('status').textContent
}

async function follow(name: string) {
  await act(async () => fireEvent.click(screen.getByText(name)))
}

async function stepTo(path: string, state: unknown) {
  window.history.replaceState(state, '', path)
  await act(async () => window.dispatchEvent(new PopStateEvent('popstate', { state })))
}
