/**
 * A row of the history shows its six parts at every width (docs/specification.md §2). The test measures the elements'
 * boxes, because the text content does not reveal whether an element is visible.
 */
import { type Locator, type Page, expect } from '@playwright/test'
import { recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { historyRow, toast } from './screens.ts'

const main = (page: Page) => page.getByRole('main')
const rows = (page: Page) =>
  main(page)
    .getByRole('list', { name: 'Transacciones' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })

const widths = [360, 390, 768, 1280]

/**
 * Two expenses on the same day and two on other days. The second expense has a description that is too long for any
 * row.
 */
const history = [
  { description: 'Mercado', amount: 41.57, category: 'Comida', date: '2026-01-04T12:00:00-05:00' },
  {
    description: 'Concierto con una descripción bastante larga para cualquier pantalla de un celular',
    amount: 1_234_567.89,
    category: 'Entretenimiento',
    date: '2026-01-04T10:00:00-05:00',
  },
  { description: 'Farmacia', amount: 5, category: null, date: '2026-01-03T12:00:00-05:00' },
  { description: 'Bus', amount: 1, category: 'Transporte', date: '2025-12-31T12:00:00-05:00' },
]

test('every row shows its six parts at any width, even without hover or focus', async ({
  page,
  person,
  administrator,
}) => {
  await recordExpenses(person, history)
  await recordByBank(administrator, person, {
    type: 'deposit',
    description: 'Nómina',
    amount: 999_999.99,
    category: 'Deposito',
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/transacciones')
  await expect(rows(page)).toHaveCount(5)

  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => hiddenParts(rows(page)), `${width} px`).toEqual([])
  }
})

test('the list is a single tab stop, and keys select or open or edit or delete a row', async ({
  page,
  person,
}) => {
  await recordExpenses(person, history)
  await page.goto('/transacciones')
  const focused = (description: string) => expect(historyRow(page, description)).toBeFocused()
  await expect(historyRow(page, 'Mercado')).toBeVisible()
  await main(page).getByLabel('Ordenar por').focus()
  await page.keyboard.press('Tab')
  await focused('Mercado')
  await page.keyboard.press('ArrowUp')
  await focused('Mercado')
  // The keys skip the headings of months.
  await page.keyboard.press('End')
  await focused('Bus')
  await page.keyboard.press('ArrowUp')
  await focused('Farmacia')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await focused(history[1]?.description ?? '')

  await page.keyboard.press('Shift+Tab')
  await expect(main(page).getByLabel('Ordenar por')).toBeFocused()
  await page.keyboard.press('Tab')
  await focused(history[1]?.description ?? '')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Farmacia' })).toBeVisible()
  await page.keyboard.press('Escape')
  await focused('Farmacia')
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Editar movimiento' })).toBeVisible()
  await page.keyboard.press('Escape')
  await focused('Farmacia')
  await page.keyboard.press('c')
  await expect(
    page.getByRole('dialog', { name: 'Farmacia' }).getByRole('button', { pressed: true }),
  ).toBeFocused()
  await page.keyboard.press('Escape')
  await focused('Farmacia')
  await page.keyboard.press('Delete')
  await expect(toast(page)).toContainText('Farmacia')
  await focused('Bus')
})

test(
  'rows and their buttons have distinguishable names, and headings of months do not count as rows',
  { tag: '@nightly' },
  async ({ page, person }) => {
    const twins = [
      { description: 'Carulla', amount: 84.76, category: 'Comida', date: '2025-11-19T12:00:00-05:00' },
      { description: 'Carulla', amount: 1, category: 'Comida', date: '2025-10-02T12:00:00-05:00' },
    ]
    await recordExpenses(person, twins)
    await page.goto('/transacciones')

    for (const [name, position] of [
      ['Carulla, Comida, 19 de noviembre de 2025, menos 84 dólares 76', '1'],
      ['Carulla, Comida, 2 de octubre de 2025, menos 1 dólar', '2'],
    ] as const) {
      const row = rows(page).filter({ has: page.getByRole('button', { name, exact: true }) })
      await expect(row).toHaveAttribute('aria-posinset', position)
      await expect(row).toHaveAttribute('aria-setsize', '2')
      const removal = `Eliminar ${name.replace(' Comida,', '')}`
      await expect(row.getByRole('button', { name: removal, exact: true })).toBeVisible()
      const categorizing = `Comida: clasificar ${name.replace(' Comida,', '')}`
      await expect(row.getByRole('button', { name: categorizing, exact: true })).toBeVisible()
    }
    await main(page).getByRole('button', { name: 'Ocultar cifras' }).click()
    await expect(main(page).getByRole('button', { name: /dólar/ })).toHaveCount(0)
  },
)

/**
 * Returns the parts of rows that a reader cannot see: parts that are missing, transparent, cut off, without a size, or
 * outside their row.
 */
function hiddenParts(locator: Locator): Promise<string[]> {
  return locator.evaluateAll((elements) => {
    const faults: string[] = []
    for (const row of elements) {
      const texts = [...row.querySelectorAll('*')].filter(({ children }) => children.length === 0)
      const parts = {
        icon: row.querySelector('svg'),
        description: row.querySelector('.history-name button'),
        category: texts.find(({ textContent }) =>
          /^(Comida|Entretenimiento|Gasto|Transporte|Deposito)$/.test(textContent),
        ),
        date: row.querySelector('time'),
        amount: row.querySelector('[data-money]'),
        'delete button': row.querySelector('button[aria-label^="Eliminar "]'),
      }
      for (const [name, part] of Object.entries(parts)) {
        const fault = faultOf(part ?? null, row)
        if (fault !== null) faults.push(`${name} ${fault}: ${row.textContent}`)
      }
    }
    return faults

    function faultOf(part: Element | null, row: Element): string | null {
      if (part === null) return 'missing'
      const box = part.getBoundingClientRect()
      if (box.width < 8 || box.height < 8) return 'without a size'
      const isCut = part.textContent !== '' && part.scrollWidth > part.clientWidth + 1
      // A long description may be cut off with an ellipsis, so that the other parts fit.
      if (isCut && !part.matches('[aria-haspopup]')) return 'cut off'
      for (let around: Element | null = part; around !== null; around = around.parentElement) {
        const { opacity, visibility, clipPath, overflowX } = getComputedStyle(around)
        if (opacity !== '1' || visibility !== 'visible') return 'transparent'
        if (clipPath !== 'none') return 'clipped'
        if (around !== row && overflowX === 'visible') continue
        const frame = around.getBoundingClientRect()
        const isInside =
          box.left >= frame.left - 1 &&
          box.right <= frame.right + 1 &&
          box.top >= frame.top - 1 &&
          box.bottom <= frame.bottom + 1
        if (!isInside) return 'out of its row'
        if (around === row) return null
      }
      return null
    }
  })
}
