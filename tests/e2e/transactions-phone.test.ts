/** The first screen of a phone shows rows of the history, and every control. */
import { type Page, expect } from '@playwright/test'
import { recordExpenses } from './accounts.ts'
import { customerTest as test } from './signed-in.ts'

const main = (page: Page) => page.getByRole('main')
const removeButtons = (page: Page) => main(page).getByRole('button', { name: /^Eliminar / })

/** Touched by a thumb without a miss. */
const targetPx = 44

/** Rows that stand wholly between the bar at the top and the one at the foot. */
async function rowsInView(page: Page): Promise<number> {
  const head = await page.getByRole('banner').boundingBox()
  const foot = await page.getByRole('navigation', { name: 'Secciones' }).boundingBox()
  if (head === null || foot === null) return 0
  const rows = main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()))
  return boxes.filter((box) => box && box.y >= head.y + head.height && box.y + box.height <= foot.y).length
}

test('the first screen has three movements on a small phone and every control', async ({ page, person }) => {
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
  await expect(removeButtons(page).first()).toBeVisible()

  await expect.poll(() => rowsInView(page)).toBeGreaterThanOrEqual(3)
  for (const part of [
    page.getByRole('heading', { level: 1, name: 'Transacciones' }),
    main(page).getByRole('button', { name: 'Ocultar cifras' }),
    main(page).getByRole('region', { name: 'Resumen' }),
    main(page).getByRole('button', { name: 'Descargar CSV' }),
    main(page).getByRole('button', { name: 'Imprimir' }),
  ]) {
    await expect(part).toBeInViewport({ ratio: 1 })
  }
  for (const target of [
    main(page).getByRole('searchbox'),
    main(page).getByLabel('Categoría'),
    main(page).getByLabel('Ordenar por'),
    removeButtons(page).first(),
  ]) {
    await expect(target).toBeInViewport({ ratio: 1 })
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(targetPx)
  }
})
