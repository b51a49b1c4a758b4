/**
 * Charts of money over time, on the dashboard and on a separate page. The specification does not mention these charts.
 */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { watchJoins } from './live.ts'
import { recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { card, pageHeading } from './screens.ts'

const today = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10)
const firstDay = () => `${today().slice(0, 8)}01`
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const expense = { type: 'expense', category: 'Gasto' } as const

test('the dashboard shows live charts of the current month and of six months', async ({
  page,
  person,
  administrator,
}) => {
  await recordExpenses(person, [{ description: 'Mercado', amount: 30, category: 'Comida' }])
  await recordByBank(administrator, person, { ...expense, description: 'Arriendo', amount: 500 })
  await person.client.from('budgets').update({ monthly_limit: 600 }).eq('user_id', person.id)
  const untilJoined = watchJoins(page)
  await page.goto('/dashboard')
  const money = card(page, 'Tu dinero')
  const months = money.getByRole('table', { name: /^Entradas, salidas/ }).getByRole('row')
  await expect(money).toContainText('Te quedan $70.00 de tu presupuesto y ')
  await expect(months).toHaveCount(2)
  await expect(months.last()).toContainText('$0.00-$530.00-$530.00')
  const spending = page.getByRole('region', { name: 'En qué se fue' }).getByRole('listitem')
  await expect(spending).toHaveText(['Registrado por el banco$500.0094%', 'Comida$30.006%'])
  await untilJoined()

  await recordByBank(administrator, person, {
    type: 'deposit',
    description: 'Nómina',
    amount: 1000,
    category: '',
  })
  await recordByBank(administrator, person, { ...expense, description: 'Cuota', amount: 20 })

  await expect(months.last()).toContainText('+$1,000.00-$550.00$450.00')
  await expect(money).toContainText('Te quedan $50.00 de tu presupuesto y ')
  await money.getByRole('slider', { name: 'Día' }).press('Home')
  await expect(money.getByRole('definition').first()).toHaveText('1')

  await spending.getByRole('link', { name: 'Comida' }).click()

  await expect(page).toHaveURL(
    new RegExp(`/transacciones\\?categoria=Comida&desde=${firstDay()}&hasta=${today().slice(0, 8)}`),
  )
  await expect(page.getByRole('main')).toContainText('Mercado')
  await expect(page.getByRole('main')).not.toContainText('Arriendo')
})

test('the overview can show and export any period by month and category', async ({ page, person }) => {
  await recordExpenses(person, [{ description: 'Vuelo', amount: 50, category: 'Viajes', date: daysAgo(60) }])
  await recordExpenses(person, [{ description: 'Mercado', amount: 30, category: 'Comida' }])
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Ver resumen' }).click()
  await expect(page).toHaveURL('/resumen')
  await expect(page).toHaveTitle('Resumen - Finanzas')
  await expect(pageHeading(page)).toHaveText('Resumen')
  await expect(page.getByRole('region', { name: 'En este periodo' })).toContainText('-$30.00')
  await page.getByText('12 meses', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'En este periodo' })).toContainText('-$80.00')

  await page.getByText('Este mes', { exact: true }).click()

  await expect(page).toHaveURL(`/resumen?desde=${firstDay()}&hasta=${today()}`)
  await expect(card(page, 'En qué se fue').getByRole('listitem')).toHaveText(['Comida$30.00100%'])
  await expect(card(page, 'Mes a mes').getByRole('row')).toHaveCount(2)
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Descargar CSV' }).click()
  const file = await arriving
  expect(file.suggestedFilename()).toBe(`resumen-${firstDay()}-${today()}.csv`)
  expect(await readFile(await file.path(), 'utf8')).toContain(
    `${today().slice(0, 7)};Gasto;Comida;Cliente;1;-30,00`,
  )
  await page.goBack()
  await expect(page.getByRole('region', { name: 'En este periodo' })).toContainText('-$80.00')
})

test(
  'the periods are in one row on a phone, and the chosen period is visible',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, [{ description: 'Mercado', amount: 30, category: 'Comida' }])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/resumen')
    const periods = page.getByRole('group', { name: 'Periodo' })
    await expect(periods.getByText('Este mes')).toBeInViewport({ ratio: 1 })
    await expect(periods.getByText('12 meses')).not.toBeInViewport({ ratio: 1 })

    await page.goto(`/resumen?desde=${today().slice(0, 4)}-01-01&hasta=${today()}`)

    await expect(periods.getByText('Este año')).toBeInViewport({ ratio: 1 })
    expect((await periods.boundingBox())?.height).toBeLessThan(60)
  },
)

test.describe('nightly', { tag: '@nightly' }, () => {
  test('the layout does not shift when the charts load', async ({ page, person }) => {
    await recordExpenses(person, [{ description: 'Mercado', amount: 30, category: 'Comida' }])
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/assets\/money-pictures-/, async (route) => {
      await held
      await route.continue()
    })
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/dashboard')
      await expect(card(page, 'Presupuesto Mensual')).toContainText('$30.00')
      const heightOfCard = async () => (await card(page, 'Tu dinero').boundingBox())?.height
      const before = await heightOfCard()
      letGo()
      await expect(card(page, 'Tu dinero')).toContainText('Llevas $30.00 este mes')
      expect(await heightOfCard()).toBe(before)
    }
  })
})
