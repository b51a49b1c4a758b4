import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { showToast } from './toast-store.ts'
import { Toaster } from './toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

afterEach(() => wait(60_000))

test('a new toast replaces the current toast', () => {
  show({ title: 'Primero' })
  show({ title: 'Segundo' })

  expect(screen.queryByText('Primero')).toBeNull()
  expect(screen.queryByText('Segundo')).not.toBeNull()
})

test('a toast closes itself five seconds after it appeared', () => {
  show({ title: 'Primero' })
  wait(4000)
  show({ title: 'Segundo' })

  wait(4999)
  expect(screen.queryByText('Segundo')).not.toBeNull()

  wait(1)
  expect(screen.queryByText('Segundo')).toBeNull()
})

test('a toast of infinite duration stays until it is closed', () => {
  show({ title: 'Para siempre', durationMs: Number.POSITIVE_INFINITY })
  wait(3_600_000)
  expect(screen.queryByText('Para siempre')).not.toBeNull()

  fireEvent.click(screen.getByRole('button', { name: 'Cerrar notificación' }))

  expect(screen.queryByText('Para siempre')).toBeNull()
})

test('a toast’s countdown pauses while the pointer is on the toast', () => {
  show({ title: 'Leído' })
  wait(3000)
  fireEvent.mouseOver(screen.getByText('Leído'))
  wait(60_000)
  expect(screen.queryByText('Leído')).not.toBeNull()

  fireEvent.mouseOut(screen.getByText('Leído'))
  wait(2000)

  expect(screen.queryByText('Leído')).toBeNull()
})

test('a drag of fifty pixels dismisses a toast, but a shorter one does not', () => {
  show({ title: 'Deslizado' })

  drag(screen.getByText('Deslizado'), 49)
  expect(screen.queryByText('Deslizado')).not.toBeNull()

  drag(screen.getByText('Deslizado'), 50)
  expect(screen.queryByText('Deslizado')).toBeNull()
})

test('a toast’s action runs only once and closes the toast', () => {
  const onSelect = vi.fn()
  show({ title: 'Borrado', action: { label: 'Deshacer', onSelect } })

  fireEvent.click(screen.getByRole('button', { name: 'Deshacer' }))

  expect(onSelect).toHaveBeenCalledTimes(1)
  expect(screen.queryByText('Borrado')).toBeNull()
})

test('F8 focuses a toast’s button, and the toast stays while the button has the focus', () => {
  show({ title: 'Borrado', action: { label: 'Deshacer', onSelect: vi.fn() } })

  fireEvent.keyDown(document.body, { key: 'F8' })
  wait(60_000)

  expect(document.activeElement?.textContent).toBe('Deshacer')
})

test('after F8 has focused a toast, the focus returns to its earlier place when the toast closes', () => {
  const row = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => row.remove())
  row.focus()
  show({ title: 'Borrado', action: { label: 'Deshacer', onSelect: () => show({ title: 'Restaurado' }) } })
  fireEvent.keyDown(row, { key: 'F8' })
  fireEvent.keyDown(screen.getByRole('button', { name: 'Deshacer' }), { key: 'F8' })

  fireEvent.click(screen.getByRole('button', { name: 'Deshacer' }))

  expect(screen.queryByText('Restaurado')).not.toBeNull()
  expect(document.activeElement).toBe(row)
})

test('a toast’s countdown pauses while the tab is hidden', () => {
  show({ title: 'Sin leer' })
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  fireEvent(document, new Event('visibilitychange'))
  wait(60_000)
  expect(screen.queryByText('Sin leer')).not.toBeNull()

  visibility.mockRestore()
  fireEvent(document, new Event('visibilitychange'))
  wait(5000)

  expect(screen.queryByText('Sin leer')).toBeNull()
})

test('screen readers announce a failure immediately, and any other toast politely', () => {
  show({ title: 'Hecho' })
  expect(screen.getByRole('status').textContent).toContain('Hecho')

  show({ title: 'Error', variant: 'destructive' })
  expect(screen.getByRole('alert').textContent).toContain('Error')
  expect(screen.getByRole('status').textContent).toBe('')
})

function show(message: Parameters<typeof showToast>[0]) {
  act(() => showToast(message))
}

function wait(durationMs: number) {
  act(() => {
    vi.advanceTimersByTime(durationMs)
  })
}

function drag(element: HTMLElement, distancePx: number) {
  fireEvent.pointerDown(element, { button: 0, clientX: 100, pointerId: 1 })
  fireEvent.pointerMove(element, { clientX: 100 + distancePx, pointerId: 1 })
  fireEvent.pointerUp(element, { clientX: 100 + distancePx, pointerId: 1 })
}
