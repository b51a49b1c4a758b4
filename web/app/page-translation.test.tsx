import { render, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { tolerateTranslation } from './page-translation.ts'

beforeAll(tolerateTranslation)
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

const main = () => screen.getByRole('main')

/** Renders the texts, translates them, and returns a function that renders other texts. */
async function translated(first: Texts): Promise<(next: Texts) => void> {
  const { rerender } = render(<Part {...first} />)
  await translate()
  return (next) => rerender(<Part {...next} />)
}

/** Moves each text into two FONT elements, as Chromium does. The translated letters are capitals. */
async function translate(): Promise<void> {
  const texts: Node[] = []
  const walk = document.createTreeWalker(main(), NodeFilter.SHOW_TEXT)
  while (walk.nextNode() !== null) texts.push(walk.currentNode)
  for (const text of texts.filter(({ parentNode }) => parentNode?.nodeName !== 'FONT')) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = (text.nodeValue ?? '').toUpperCase()
    outer.append(inner)
    text.parentNode?.replaceChild(outer, text)
  }
  // The page notices the change before anything else happens.
  await Promise.resolve()
}

const shows = (text: string) => waitFor(() => expect(main().textContent).toBe(text))

type Texts = { count: number; note?: string; isOpen?: boolean }

function Part({ count, note, isOpen = true }: Texts) {
  return (
    <main>
      {isOpen && (
        <>
          {'Hay '}
          {count}
          {' movimientos'}
          {note !== undefined && ` de ${note}`}
          <b>{'hoy'}</b>
          {isOpen && ' y ayer'}
        </>
      )}
    </main>
  )
}

test('a translated text is replaced when the page changes it', async () => {
  const show = await translated({ count: 1, note: 'Ana' })
  await shows('HAY 1 MOVIMIENTOS DE ANAHOY Y AYER')

  show({ count: 1, note: 'Luis' })

  await shows('Hay 1 movimientos de LuisHOY Y AYER')
})

test('a translated text disappears when the page removes it', async () => {
  const show = await translated({ count: 1, note: 'Ana' })

  show({ count: 2 })

  await shows('Hay 2 movimientosHOY Y AYER')
})

test('a text appears once in a translated page when the page adds it', async () => {
  const show = await translated({ count: 1 })

  show({ count: 1, note: 'Ana' })

  await shows('HAY 1 MOVIMIENTOS de AnaHOY Y AYER')
})

test('a translated part leaves nothing behind when the page removes it', async () => {
  const show = await translated({ count: 1, note: 'Ana' })

  show({ count: 1, isOpen: false })
  await shows('')
  show({ count: 3 })

  await shows('Hay 3 movimientoshoy y ayer')
})

test('a text that is translated after each change always shows the last value', async () => {
  const show = await translated({ count: 0, note: 'Ana' })

  for (const count of [1, 2, 3]) {
    show({ count, note: `Ana ${count}` })
    await shows(`Hay ${count} movimientos de Ana ${count}HOY Y AYER`)
    await translate()
    await shows(`HAY ${count} MOVIMIENTOS DE ANA ${count}HOY Y AYER`)
  }
})

test('a translator that exchanges texts for other texts is tolerated too', async () => {
  const { rerender } = render(<Part count={1} note="Ana" />)
  exchangeTexts(main())
  await shows('HAY 1 MOVIMIENTOS DE ANAhoy Y AYER')

  rerender(<Part count={2} />)

  await shows('Hay 2 movimientoshoy Y AYER')
})

test('the removal of a node that is somewhere else is still an error', () => {
  const [one, other, child] = ['div', 'div', 'p'].map((name) => document.createElement(name))

  other?.append(child ?? '')

  expect(() => one?.removeChild(child as Node)).toThrow()
})

/** Replaces all texts of an element by one new text for each run of texts, as Safari does. */
function exchangeTexts(element: Element): void {
  const runs: ChildNode[][] = [[]]
  for (const node of element.childNodes)
    if (node instanceof Text) runs.at(-1)?.push(node)
    else runs.push([])
  for (const run of runs) {
    const text = run.map(({ nodeValue }) => nodeValue?.toUpperCase()).join('')
    const next = run.at(-1)?.nextSibling ?? null
    for (const node of run) node.remove()
    element.insertBefore(document.createTextNode(text), next)
  }
}
