import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

const listName = 'Lista'
const question = '¿Seguro?'
const reason = 'Motivo'
const label = () => document.activeElement?.getAttribute('aria-label')

test('the focus stays in the list when the focused row disappears', async () => {
  render(<List />)
  await userEvent.click(screen.getByRole('button', { name: 'Quitar a' }))

  expect(label()).toBe('Lista')
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Quitar b')
})

test('the focus stays in the list when a row disappears while its dialog is open', async () => {
  render(<List isAsking />)
  await userEvent.click(screen.getByRole('button', { name: 'Quitar a' }))
  await userEvent.click(screen.getByRole('button', { name: 'Sí' }))

  expect(label()).toBe('Lista')
})

test('the focus stays in the list when a row disappears after a question in its dialog', async () => {
  render(<List isAsking />)
  await userEvent.click(screen.getByRole('button', { name: 'Quitar a' }))
  await userEvent.type(screen.getByLabelText('Motivo'), 'x{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'No, volver' }))
  await userEvent.click(screen.getByRole('button', { name: 'Sí' }))

  expect(label()).toBe('Lista')
})

test('the focus follows a row that moves to another list', async () => {
  render(<Lists />)
  await userEvent.click(screen.getByRole('button', { name: 'Mover a' }))

  expect(document.activeElement?.textContent).toBe('a')
  expect(document.activeElement?.tagName).toBe('A')
})

test('when the focused button of a row disappears, the focus moves to the marked part of the same row', async () => {
  render(<Row />)
  await userEvent.click(screen.getByRole('button', { name: 'Confirmar' }))

  expect(document.activeElement?.textContent).toBe('Zoé')
})

test('the focus does not move if it is outside the list', async () => {
  render(<List />)
  await userEvent.click(screen.getByRole('button', { name: 'Quitar todo' }))

  expect(document.activeElement?.textContent).toBe('Quitar todo')
})

function Lists() {
  const [moved, setMoved] = useState<string | null>(null)
  const area = useKeptFocus<HTMLDivElement>()
  return (
    <div ref={area} tabIndex={-1}>
      {moved !== null && (
        <p data-row={moved}>
          <a href="/a">{moved}</a>
        </p>
      )}
      {moved === null && (
        <p data-row="a">
          <button type="button" onClick={() => setMoved('a')}>
            {'Mover a'}
          </button>
        </p>
      )}
    </div>
  )
}

function Row() {
  const [isConfirmed, setIsConfirmed] = useState(false)
  const area = useKeptFocus<HTMLDivElement>()
  return (
    <div ref={area} tabIndex={-1}>
      <div data-row="z">
        <p data-kept="" tabIndex={-1}>
          {'Zoé'}
        </p>
        {!isConfirmed && (
          <button type="button" onClick={() => setIsConfirmed(true)}>
            {'Confirmar'}
          </button>
        )}
        <button type="button">{'Quitar'}</button>
      </div>
    </div>
  )
}

function List({ isAsking = false }) {
  const [names, setNames] = useState(['a', 'b'])
  const [asked, setAsked] = useState<string | null>(null)
  const area = useKeptFocus<HTMLUListElement>()
  const remove = (gone: string) => setNames(names.filter((name) => name !== gone))
  return (
    <>
      <button type="button" onClick={() => setNames([])}>
        {'Quitar todo'}
      </button>
      <ul ref={area} tabIndex={-1} aria-label={listName}>
        {names.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => (isAsking ? setAsked(name) : remove(name))}>
              {`Quitar ${name}`}
            </button>
          </li>
        ))}
      </ul>
      {asked !== null && (
        <Dialog title={question} onClose={() => setAsked(null)}>
          <input aria-label={reason} />
          <button
            type="button"
            onClick={() => {
              remove(asked)
              setAsked(null)
            }}
          >
            {'Sí'}
          </button>
        </Dialog>
      )}
    </>
  )
}
