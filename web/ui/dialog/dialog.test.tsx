import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { watchBackButton } from './back-button.ts'
import type { Question } from './question.tsx'

const discard = '¿Quieres descartar lo que escribiste?'
const sent = 'Ya se está enviando y puede quedar hecho. ¿Quieres cerrar sin esperar la respuesta?'

let root: Root

beforeAll(watchBackButton)

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

test('a dialog focuses its first field when it opens and makes the page behind it inert', async () => {
  await open()

  expect(document.activeElement).toBe(screen.getByLabelText('Nombre'))
  expect(document.getElementById('root')?.inert).toBe(true)
  expect(screen.getByRole('dialog', { name: 'Datos' })).not.toBeNull()
})

test('Escape closes a dialog and returns the focus to the button that opened it', async () => {
  await open()

  await userEvent.keyboard('{Escape}')

  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.getElementById('root')?.inert).toBe(false)
  expect(document.activeElement?.textContent).toBe('Abrir')
})

const ways = [
  { way: 'Escape', leave: () => userEvent.keyboard('{Escape}') },
  { way: 'the close button', leave: () => userEvent.click(screen.getByRole('button', { name: 'Cerrar' })) },
  { way: 'a press beside it', leave: () => userEvent.click(backdrop()) },
  { way: 'the back button', leave: goBack },
]

test.each(ways)('$way asks before it discards typed text', async ({ leave }) => {
  await open()
  await userEvent.type(screen.getByLabelText('Nombre'), 'Julia')

  await leave()
  await answer(discard, 'No, volver')
  expect(screen.getByLabelText<HTMLInputElement>('Nombre').value).toBe('Julia')
  await leave()
  await answer(discard, 'Descartar')

  expect(screen.queryByRole('dialog')).toBeNull()
})

test('closing a dialog with a changed choice requires the same confirmation as typed text', async () => {
  await open()
  await userEvent.click(screen.getByLabelText('Siempre'))

  await userEvent.keyboard('{Escape}')

  await answer(discard, 'No, volver')
  expect(screen.queryByRole('dialog')).not.toBeNull()
})

const declining = [
  { way: 'Escape', decline: () => userEvent.keyboard('{Escape}') },
  { way: 'the back button', decline: goBack },
  { way: 'a press beside it', decline: () => userEvent.click(backdrop('alertdialog')) },
  { way: 'Enter', decline: () => userEvent.keyboard('{Enter}') },
]

test.each(declining)('$way declines a question, and the focus returns to the text', async ({ decline }) => {
  await open()
  await userEvent.type(screen.getByLabelText('Nombre'), 'Julia')
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'No, volver' }))
  expect(screen.getByRole('dialog', { name: 'Datos' }).inert).toBe(true)

  await decline()

  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Nombre'))
})

test.each(ways)('$way warns that a form that is being sent may still take effect', async ({ leave }) => {
  await open({ isSending: true })
  expect(leaveSite().defaultPrevented).toBe(true)

  await leave()
  await answer(sent, 'No, volver')
  expect(screen.queryByRole('dialog')).not.toBeNull()
  await leave()
  await answer(sent, 'Cerrar')

  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  { reason: 'typed text would be lost', after: {}, question: discard, confirm: 'Descartar' },
  {
    reason: 'the outcome is unknown',
    after: { unsaved: { text: '¿Cerrar sin saber?', confirm: 'Salir' } },
    question: '¿Cerrar sin saber?',
    confirm: 'Salir',
  },
])('a confirmed question about sending is followed by another if $reason', async (next) => {
  await open()
  await userEvent.type(screen.getByLabelText('Nombre'), 'Julia')
  show({ isSending: true })
  await userEvent.keyboard('{Escape}')

  show(next.after)
  await answer(sent, 'Cerrar')

  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'No, volver' }))
  await answer(next.question, next.confirm)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a confirmed question whose reason is gone closes the dialog', async () => {
  await open({ isSending: true })
  await userEvent.keyboard('{Escape}')

  show({})
  await answer(sent, 'Cerrar')

  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a declined question focuses the first field of the part that replaced the text', async () => {
  await open()
  await userEvent.type(screen.getByLabelText('Nombre'), 'Julia')
  await userEvent.keyboard('{Escape}')

  show({ part: 'code' })
  await answer(discard, 'No, volver')

  expect(document.activeElement).toBe(screen.getByLabelText('Código'))
})

test('a declined question about a form that was sent in the meantime focuses a field of the form', async () => {
  await open()
  show({ isSending: true })
  act(() => (document.activeElement as HTMLElement).blur())
  await userEvent.keyboard('{Escape}')

  show({})
  await answer(sent, 'No, volver')

  expect(document.activeElement).toBe(screen.getByLabelText('Nombre'))
})

test.each(ways)('$way closes an untouched dialog without a question', async ({ leave }) => {
  await open()

  await leave()

  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test.each(ways.filter(({ way }) => way !== 'the close button'))(
  '$way does not close a dialog whose content is shown only once',
  async ({ leave }) => {
    await open({ isHeld: true })
    expect(screen.queryByRole('button', { name: 'Cerrar' })).toBeNull()

    await leave()

    expect(screen.queryByRole('dialog')).not.toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(leaveSite().defaultPrevented).toBe(true)
  },
)

test('the back button does not leave the page, and the router does not receive the event', async () => {
  await open({ isHeld: true })
  const heard = vi.fn()
  window.addEventListener('popstate', heard)

  await goBack()

  window.removeEventListener('popstate', heard)
  expect(heard).not.toHaveBeenCalled()
  expect(window.history.state).toEqual({ index: 3, visit: 'a' })
})

test('the browser asks for confirmation before the user leaves the site with unsaved text', async () => {
  await open()
  expect(leaveSite().defaultPrevented).toBe(false)

  await userEvent.type(screen.getByLabelText('Nombre'), 'Julia')

  expect(leaveSite().defaultPrevented).toBe(true)
})

test.each(ways.filter(({ way }) => way === 'Escape' || way === 'the back button'))(
  '$way closes only the upper of two dialogs',
  async ({ leave }) => {
    await open({ isTwofold: true })
    expect(screen.getByRole('dialog', { name: 'Datos' }).inert).toBe(true)

    await leave()

    expect(screen.queryByRole('dialog', { name: 'Clave' })).toBeNull()
    expect(screen.getByRole('dialog', { name: 'Datos' }).inert).toBe(false)
    expect(document.getElementById('root')?.inert).toBe(true)
    await leave()
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

async function answer(question: string, label: string): Promise<void> {
  const asked = screen.getByRole('alertdialog', { name: question })
  await userEvent.click(within(asked).getByRole('button', { name: label }))
}

function backdrop(role = 'dialog'): Element {
  const parent = screen.getByRole(role).parentElement
  if (parent === null) throw new Error('the dialog has no backdrop')
  return parent
}

/**
 * Simulates a step back in the browser's history. If the page reverts this step, also simulates the step forward. The
 * test DOM does not implement the browser's history.
 */
async function goBack(): Promise<void> {
  const arrive = (index: number) => {
    const state = { index, visit: 'a' }
    window.history.replaceState(state, '')
    window.dispatchEvent(new PopStateEvent('popstate', { state }))
  }
  vi.spyOn(window.history, 'go').mockImplementationOnce((steps = 0) => arrive(2 + steps))
  await act(async () => arrive(2))
}

function leaveSite(): Event {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event
}

async function open(page: PageProps = {}) {
  window.history.replaceState({ index: 3, visit: 'a' }, '')
  show(page)
  await userEvent.click(screen.getByText('Abrir'))
}

/** Draws the page, or draws it again with other props. */
function show(page: PageProps): void {
  act(() => root.render(<Page {...page} />))
}

type PageProps = {
  isHeld?: boolean
  isSending?: boolean
  isTwofold?: boolean
  part?: string
  unsaved?: boolean | Question
}

function Page({
  isHeld = false,
  isSending = false,
  isTwofold = false,
  part = '',
  unsaved = false,
}: PageProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isUpperOpen, setIsUpperOpen] = useState(isTwofold)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {'Abrir'}
      </button>
      {isOpen && (
        <Dialog
          title={'Datos'}
          isHeld={isHeld}
          part={part}
          unsaved={unsaved}
          onClose={() => setIsOpen(false)}
        >
          {part === '' ? (
            <form>
              <fieldset disabled={isSending}>
                <input aria-label={'Nombre'} />
                <input type="checkbox" aria-label={'Siempre'} />
              </fieldset>
            </form>
          ) : (
            <input aria-label={'Código'} />
          )}
        </Dialog>
      )}
      {isOpen && isUpperOpen && (
        <Dialog title={'Clave'} onClose={() => setIsUpperOpen(false)}>
          <input aria-label={'Contraseña'} />
        </Dialog>
      )}
    </>
  )
}
