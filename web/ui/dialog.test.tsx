// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Dialog } from './dialog.tsx'

let root: Root

beforeEach(() => {
  const container = document.createElement('div')
  container.id = 'root'
  document.body.append(container)
  root = createRoot(container)
})

afterEach(() => {
  act(() => root.unmount())
  document.getElementById('root')?.remove()
})

test('an open dialog has the focus on its first field and the page behind it is out of reach', async () => {
  await open()

  expect(document.activeElement).toBe(screen.getByLabelText('Nombre'))
  expect(document.getElementById('root')?.inert).toBe(true)
  expect(screen.getByRole('dialog', { name: 'Datos' })).not.toBeNull()
})

test('Escape closes a dialog and the focus returns to what opened it', async () => {
  await open()

  await userEvent.keyboard('{Escape}')

  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.getElementById('root')?.inert).toBe(false)
  expect(document.activeElement?.textContent).toBe('Abrir')
})

test('the close button closes it too', async () => {
  await open()

  await userEvent.click(screen.getByRole('button', { name: 'Cerrar' }))

  expect(screen.queryByRole('dialog')).toBeNull()
})

async function open() {
  act(() => root.render(<Page />))
  await userEvent.click(screen.getByText('Abrir'))
}

function Page() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {'Abrir'}
      </button>
      {isOpen && (
        <Dialog title={'Datos'} closeLabel="Cerrar" onClose={() => setIsOpen(false)}>
          <input aria-label={'Nombre'} />
        </Dialog>
      )}
    </>
  )
}
