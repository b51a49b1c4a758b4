/**
 * The search and the filters select transactions. The URL contains the selection, and the exported file and the printed
 * page contain the selected transactions. On a phone the first screen shows every control.
 */
import { readFile } from 'node:fs/promises'
import { type Page, expect } from '@playwright/test'
import { recordExpenses, customerTest as test } from './people.ts'

const main = (page: Page) => page.getByRole('main')

const expenses = Array.from({ length: 60 }, (_, number) => ({
  description: number % 2 === 0 ? `Café ${number}` : `=SUMA(A${number})`,
  amount: number + 0.5,
  category: number % 2 === 0 ? 'Comida' : 'Otro',
  date: `2026-01-${String((number % 28) + 1).padStart(2, '0')}T23:30:00-05:00`,
}))

test('the URL preserves a search with its category and order', async ({ page, person }) => {
  await recordExpenses(person, expenses)
  await page.goto('/transacciones')
  await expect(main(page).getByText('60 movimientos')).toBeVisible()
  await main(page).getByLabel('Categoría').selectOption('Comida')
  const order = main(page).getByLabel('Ordenar por')
  await expect(order.getByRole('option')).toHaveText(['Fecha', 'Monto', 'Descripción'])
  await order.selectOption({ label: 'Monto' })
  await main(page).getByRole('searchbox').fill('cafe 5')
  await expect(page).toHaveURL('/transacciones?buscar=cafe+5&categoria=Comida&orden=monto')
  await expect(main(page).getByText('5 movimientos')).toBeVisible()

  await page.reload()
  await expect(main(page).getByRole('searchbox')).toHaveValue('cafe 5')
  await expect(main(page).getByText('5 movimientos')).toBeVisible()
  await expect(main(page).getByRole('listitem').first()).toContainText('Café 58')
  await page.goBack()
  await expect(order).toHaveValue('date')
  await expect(main(page).getByText('30 movimientos')).toBeVisible()
  await page.goBack()
  await expect(main(page).getByText('60 movimientos')).toBeVisible()
  await page.goForward()
  await expect(main(page).getByText('30 movimientos')).toBeVisible()
})

test('the history can be filtered by dates, amounts and several categories at once', async ({
  page,
  person,
}) => {
  await recordExpenses(person, expenses)
  await page.goto('/transacciones')
  const summary = main(page).getByRole('region', { name: 'Resumen' })
  await expect(summary).toContainText('Todo el historial')
  await main(page).getByRole('button', { name: 'Filtros' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filtrar movimientos' })
  await expect(dialog.getByRole('group', { name: 'Mes' }).getByRole('button').first()).toBeFocused()
  await dialog.getByLabel('Desde').fill('2026-01-10')
  await dialog.getByLabel('Hasta').fill('2026-01-09')
  await dialog.getByLabel('Monto máximo').fill('40')
  await dialog.getByLabel('Comida').check()
  await dialog.getByLabel('Otro').check()
  await dialog.getByRole('button', { name: 'Mostrar movimientos' }).click()
  await expect(dialog.getByText('El último día no puede ser anterior al primero.')).toBeVisible()
  await dialog.getByLabel('Hasta').fill('2026-01-10')
  await dialog.getByRole('button', { name: 'Mostrar movimientos' }).click()

  await expect(page).toHaveURL(
    '/transacciones?categoria=Comida&categoria=Otro&desde=2026-01-10&hasta=2026-01-10&maximo=40',
  )
  await expect(main(page).getByText('2 movimientos')).toBeVisible()
  await expect(main(page).getByLabel('Categoría')).toHaveValue('several')
  await expect(summary).toContainText('De lo que ves')
  await main(page).getByRole('button', { name: 'Limpiar filtros' }).click()
  await expect(page).toHaveURL('/transacciones')

  await main(page).getByRole('button', { name: 'Filtros' }).click()
  await dialog.getByRole('button', { name: '12 meses' }).click()
  await expect(page).toHaveURL(/\?desde=\d{4}-\d\d-\d\d$/)
  await expect(summary).toContainText('12 meses')
})

test(
  'one press turns a month in the search text into a filter',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, expenses)
    await page.goto('/transacciones')
    await main(page).getByRole('searchbox').fill('cafe 5 enero 2026')
    await expect(main(page).getByText('No se encontraron transacciones')).toBeVisible()

    await main(page).getByRole('button', { name: '¿Buscar «cafe 5» en enero de 2026?' }).press('Enter')

    await expect(main(page).getByText('5 movimientos')).toBeVisible()
    await expect(page).toHaveURL('/transacciones?buscar=cafe+5&desde=2026-01-01&hasta=2026-01-31')
    await expect(main(page).getByRole('searchbox')).toBeFocused()
  },
)

test('the exported file contains the displayed rows in the same order', async ({ page, person }) => {
  await recordExpenses(person, expenses)
  await page.goto('/transacciones?categoria=Otro&orden=monto')
  await expect(main(page).getByText('30 movimientos')).toBeVisible()

  const downloading = page.waitForEvent('download')
  await main(page).getByRole('button', { name: 'Descargar CSV' }).click()
  const download = await downloading

  expect(download.suggestedFilename()).toMatch(/^transacciones-\d{4}-\d{2}-\d{2}\.csv$/)
  const bytes = await readFile(await download.path())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = bytes.subarray(3).toString('utf8').split('\r\n')
  expect(lines[0]).toContain('Fecha;Descripción')
  expect(lines[1]).toContain("2026-01-04;'=SUMA(A59);Otro;Gasto;-59,50;Cliente")
  expect(lines).toHaveLength(1 + 30 + 1)
  expect(lines.at(-1)).toBe('')
})

test(
  'the printed page shows the selected transactions and their owner’s name',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, expenses)
    await page.goto('/transacciones?categoria=Comida')
    await expect(main(page).getByText('30 movimientos')).toBeVisible()
    const printed = main(page).getByRole('table')
    await expect(printed).toHaveCount(0)

    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))

    await expect(printed.getByRole('row')).toHaveCount(1 + 30)
    await expect(printed.getByRole('row').nth(1)).toContainText('-$')
    await expect(main(page)).toContainText('Banco Finanzas')
    await expect(main(page)).toContainText(`Ana Pérez · ${person.email}`)
    await expect(main(page)).toContainText('Categoría Comida, ordenadas por fecha')
    for (const screenOnly of [page.getByRole('navigation'), main(page).getByRole('button')]) {
      expect(await screenOnly.filter({ visible: true }).count()).toBe(0)
    }
    const paper = await page.pdf({ format: 'A4' })
    expect(paper.byteLength).toBeGreaterThan(10_000)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(printed).toHaveCount(0)
  },
)

const rowButtons = (page: Page) => main(page).getByRole('listitem').getByRole('button')

/** The minimum size of a target that a thumb can hit reliably. */
const targetPx = 44

/**
 * Counts the rows that are fully visible below the top bar and above the bottom bar, or above the screen's lower edge
 * if the page has no bottom bar.
 */
async function rowsInView(page: Page): Promise<number> {
  const head = await page.getByRole('banner').boundingBox()
  const tabs = page.getByRole('navigation', { name: 'Secciones' })
  const bar = (await tabs.isVisible()) ? await tabs.boundingBox() : null
  const foot = bar ?? { y: page.viewportSize()?.height ?? 0 }
  if (head === null) return 0
  const rows = main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()))
  return boxes.filter((box) => box && box.y >= head.y + head.height && box.y + box.height <= foot.y).length
}

test(
  'the first screen of a small phone shows three transactions and every control',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(
      person,
      ['Café', 'Almuerzo', 'Mercado', 'Bus', 'Cine'].map((description) => ({
        description,
        amount: 12_345.67,
        category: 'Entretenimiento',
      })),
    )
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto('/transacciones')
    await expect(rowButtons(page).first()).toBeVisible()

    await expect.poll(() => rowsInView(page)).toBeGreaterThanOrEqual(3)
    for (const part of [
      page.getByRole('heading', { level: 1, name: 'Transacciones' }),
      main(page).getByRole('button', { name: 'Ocultar cifras' }),
      main(page).getByRole('region', { name: 'Resumen' }),
      main(page).getByRole('button', { name: 'Descargar CSV' }),
      main(page).getByRole('link', { name: 'Importar' }),
    ]) {
      await expect(part).toBeInViewport({ ratio: 1 })
    }
    for (const target of [
      main(page).getByRole('searchbox'),
      main(page).getByLabel('Categoría'),
      main(page).getByLabel('Ordenar por'),
      main(page).getByRole('button', { name: 'Filtros' }),
      main(page)
        .getByRole('listitem')
        .filter({ has: page.getByRole('button') })
        .first(),
    ]) {
      await expect(target).toBeInViewport({ ratio: 1 })
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(targetPx)
    }
  },
)

test(
  'the first screen shows eleven transactions on a desktop and seven on a phone',
  { tag: '@nightly' },
  async ({ page, person }) => {
    // Some days have several transactions, as in most histories.
    await recordExpenses(
      person,
      expenses.map((expense, number) => ({
        ...expense,
        date: new Date(
          Date.UTC(2026, 0, 31, 17) - (number - (number % 4 === 1 ? 1 : 0)) * 86_400_000,
        ).toISOString(),
      })),
    )
    for (const [size, rowsMin] of [
      [{ width: 1280, height: 800 }, 11],
      [{ width: 390, height: 844 }, 7],
      [{ width: 844, height: 390 }, 3],
    ] as const) {
      await page.setViewportSize(size)
      await page.goto('/transacciones')
      await expect(rowButtons(page).first()).toBeVisible()
      await expect.poll(() => rowsInView(page), `${size.width} px`).toBeGreaterThanOrEqual(rowsMin)
    }
  },
)
