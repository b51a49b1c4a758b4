/** A history of 10,000 rows stays fast and does not jump. The tests mock the answers to the page's reads. */
import { type Page, expect } from '@playwright/test'
import { expectLive } from './live.ts'
import { recordExpenses, customerTest as test } from './people.ts'
import { historyRow } from './screens.ts'

const rowsCount = 10_000
const pageRows = 1000
/**
 * Longest time that the page may take to respond to a key. It is five times the product's own limit, because the test
 * machine may be busy.
 */
const keyMsMax = 250
const drawnRowsMax = 60

const main = (page: Page) => page.getByRole('main')

/** Answers the list's read requests with generated rows, page by page as the table API does. */
async function serveLongHistory(page: Page, userId: string): Promise<void> {
  const newestMs = Date.parse('2026-01-01T12:00:00Z')
  const rows = Array.from({ length: rowsCount }, (_, number) => ({
    id: `00000000-0000-4000-8000-${String(rowsCount - number).padStart(12, '0')}`,
    user_id: userId,
    type: number % 10 === 0 ? 'deposit' : 'expense',
    description: `${['Falabella', 'Éxito', 'Peaje'][number % 3]} ${number}`,
    amount: ((number * 7919) % 100_000) / 100 + 1,
    date: new Date(newestMs - number * 3_600_000).toISOString().replace('Z', '000+00:00'),
    category: ['Comida', 'Transporte'][number % 2],
    recorded_by: 'customer',
    is_void: false,
    origin: 'own',
    origin_id: null,
  }))
  await page.route(/\/rest\/v1\/transactions\?select=\*(?!.*limit=5$)/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const after = /date\.lt\."([^"]+)"/.exec(decodeURIComponent(route.request().url()))?.[1]
    const from = after === undefined ? 0 : rows.findIndex(({ date }) => date === after) + 1
    return route.fulfill({ json: rows.slice(from, from + pageRows) })
  })
}

async function openLongHistory(page: Page, userId: string): Promise<void> {
  await serveLongHistory(page, userId)
  await page.goto('/transacciones')
  await expect(main(page).getByText('10.000 movimientos', { exact: true })).toBeVisible({ timeout: 20_000 })
}

test(
  'the list draws only the rows in view, and scrolling shows the other rows',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await openLongHistory(page, person.id)

    expect(await main(page).getByRole('listitem').count()).toBeLessThan(drawnRowsMax)
    await page.keyboard.press('End')
    await expect(main(page).getByText('Falabella 9999')).toBeVisible()
    expect(await main(page).getByRole('listitem').count()).toBeLessThan(drawnRowsMax)
    await page.keyboard.press('Home')
    await expect(main(page).getByText('Falabella 0', { exact: true })).toBeVisible()
  },
)

test(
  'if reading further rows fails, the list keeps the loaded rows and hides the sums',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await serveLongHistory(page, person.id)
    let isFailing = true
    await page.route(/\/rest\/v1\/transactions\?.*date\.lt\./, (route) =>
      isFailing
        ? route.fulfill({ status: 400, json: { code: 'XX000', message: 'x', details: null, hint: null } })
        : route.fallback(),
    )
    await page.goto('/transacciones')
    const summary = main(page).getByRole('region', { name: 'Resumen' })
    const retry = main(page).getByRole('button', { name: 'Reintentar' })
    await expect(retry).toBeVisible()
    await expect(main(page).getByText('Falabella 0', { exact: true })).toBeVisible()
    await expect(summary).toHaveText(/Entradas\s*—\s*Salidas\s*—\s*Todo el historial$/)
    await expect(main(page)).not.toContainText('No se pud')

    isFailing = false
    await retry.click()

    await expect(main(page).getByText('10.000 movimientos', { exact: true })).toBeVisible({ timeout: 20_000 })
    await expect(summary).not.toContainText('—')
  },
)

test(
  'the list shows the search results immediately after each key',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await openLongHistory(page, person.id)
    await page.evaluate(() => {
      const state = document.documentElement.dataset
      const press = ({ timeStamp }: Event) => {
        state['pressedAt'] = String(timeStamp)
        delete state['shownMs']
      }
      document.addEventListener('keydown', press, true)
      new MutationObserver(() =>
        requestAnimationFrame(
          () => (state['shownMs'] = String(performance.now() - Number(state['pressedAt']))),
        ),
      ).observe(document.querySelector('main [role=status]') ?? document.body, {
        subtree: true,
        characterData: true,
        childList: true,
      })
    })
    const waits: number[] = []
    await main(page).getByRole('searchbox').focus()
    for (const [key, count] of [
      ['7', '3.439'],
      ['7', '280'],
      ['7', '19'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(main(page).getByText(`${count} movimientos`, { exact: true })).toBeVisible()
      // The page sets `data-shown-ms` in the next animation frame, possibly after the text appears.
      await expect(page.locator('html')).toHaveAttribute('data-shown-ms', /\d/)
      waits.push(Number(await page.locator('html').getAttribute('data-shown-ms')))
    }

    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(waits.toSorted((a, b) => a - b)[1]).toBeLessThan(keyMsMax)
  },
)

test(
  'a new row above does not move the rows in view or the focus',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await openLongHistory(page, person.id)
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 20_000)
    const focused = main(page).getByRole('listitem').locator('.history-name button').nth(12)
    await focused.focus()
    const name = (await focused.textContent()) ?? ''
    const row = historyRow(page, name)
    const before = await row.boundingBox()

    await expectLive(async (round) => {
      await recordExpenses(person, [{ description: 'Llegada', amount: 5, category: 'Otro' }])
      return main(page).getByText(`10.00${round + 1} movimientos`, { exact: true })
    })

    await expect(row).toBeFocused()
    expect((await row.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, 0)
  },
)

test(
  'a focused row keeps the focus when it is scrolled out of view',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await openLongHistory(page, person.id)
    const first = historyRow(page, 'Falabella 0')
    await first.focus()
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 50_000)
    await expect(
      main(page).getByText('Éxito 610', { exact: true }).or(main(page).getByRole('listitem').nth(20)),
    ).toBeVisible()

    await expect(first).toBeFocused()
  },
)
