import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { History } from '#data/history.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { useShownRows } from './use-shown-rows.ts'

const words = ['Almuerzo', 'Taxi']
/** For each word, enough rows to fill the screen. */
const descriptions = words.flatMap((word) => Array.from({ length: 12 }, (_, n) => `${word} ${n}`))
const history: History = {
  pages: [descriptions.map((description) => transactionRow({ description }))],
  isComplete: true,
  changes: null,
}

const label = 'Buscar'

/** For each render, the text in the search field, and the text that the displayed rows match. */
let drawn: string[]
/** Simulated duration of drawing the rows. */
let drawingMs: number

beforeEach(() => {
  drawn = []
  drawingMs = 0
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += drawingMs))
  window.history.replaceState(null, '', '/transacciones')
  render(
    <AddressProvider>
      <List />
    </AddressProvider>,
  )
})

test('rows that take little time to draw appear together with the typed letter', () => {
  type('t')

  expect(drawn).toEqual(['t: Taxi'])
})

test('rows that are drawn slowly appear after the typed letter', () => {
  drawingMs = 100
  type('t')
  expect(drawn).toEqual(['t: Taxi'])

  type('')
  expect(drawn).toEqual([': Taxi', ': Almuerzo, Taxi'])

  drawingMs = 0
  type('a')
  type('al')
  expect(drawn).toEqual(['al: Almuerzo'])
})

test('after a list of a few rows was drawn quickly, the page does not assume that many rows are drawn quickly', () => {
  drawingMs = 100
  type('t')
  drawingMs = 0
  type('taxi 11')
  type('')

  expect(drawn).toEqual([': Taxi', ': Almuerzo, Taxi'])
})

test('after the browser’s back button, the list shows the rows of the earlier URL', () => {
  type('t')
  act(() => {
    window.history.pushState(null, '', '/transacciones?buscar=alm')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })

  expect(drawn.at(-1)).toBe('alm: Almuerzo')
})

function List() {
  const { selection, rowsShown, select } = useShownRows(history)
  const shownFor = words.filter((word) => rowsShown().some(({ description }) => description.startsWith(word)))
  drawn.push(`${selection.search}: ${shownFor.join(', ')}`)
  return (
    <input
      aria-label={label}
      value={selection.search}
      onChange={({ target }) => select({ ...selection, search: target.value })}
    />
  )
}

function type(search: string): void {
  drawn = []
  fireEvent.change(screen.getByLabelText(label), { target: { value: search } })
}
