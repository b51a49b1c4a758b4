/** The dashboard, widget by widget: docs/specification.md §2 "Dashboard", §3, §4 "Real time", §8 and §9. */
import { type Page, type Request, expect } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { expectLive, watchJoins } from './live.ts'
import { recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { card, toast } from './screens.ts'

const rowsOf = (page: Page) => card(page, 'Historial de Transacciones').getByRole('listitem')

const isTableRequest = (request: Request) => new URL(request.url()).pathname.startsWith('/rest/v1/')

const isClient = (request: Request) => new URL(request.url()).pathname.startsWith('/assets/supabase-')

test(
  'the date has the long Spanish format and changes at midnight in Bogotá',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.clock.install({ time: new Date('2026-11-21T04:59:00Z') })
    await page.goto('/dashboard')
    await expect(page.getByRole('main').getByText('viernes, 20 de noviembre de 2026')).toBeVisible()

    await page.clock.runFor('02:00')

    await expect(page.getByRole('main').getByText('sábado, 21 de noviembre de 2026')).toBeVisible()
  },
)

test(
  'the printed dashboard contains its transactions but not the controls',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, [{ description: 'Mercado', amount: 20, category: 'Comida' }])
    await page.goto('/dashboard')
    await expect(rowsOf(page)).toHaveCount(1)

    await page.emulateMedia({ media: 'print' })

    await expect(rowsOf(page).getByText('Mercado')).toBeVisible()
    await expect(page.getByText('Saltar al contenido')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Solicitar Transferencia' })).toBeHidden()
  },
)

test('a returning customer sees the page with a spinner and no amounts until the client has loaded', async ({
  page,
}) => {
  const held = await holdRequests(page, (request) => isTableRequest(request) || isClient(request))
  await page.goto('/dashboard')

  const spinner = page.getByRole('main').getByRole('status').filter({ hasText: 'Cargando…' })
  await expect(spinner).toBeVisible()
  await expect(card(page, 'Detalles de la Banca')).not.toContainText('$')
  held.release()

  await expect(card(page, 'Detalles de la Banca')).toContainText('$0.00')
  await expect(spinner).toHaveCount(0)
})

test('the dashboard’s widgets fill two columns on a desktop and one column on a phone', async ({ page }) => {
  await page.goto('/dashboard')
  const leftEdge = async (name: string) => (await card(page, name).boundingBox())?.x ?? Number.NaN
  await expect(card(page, 'Añadir Nuevo Gasto')).toBeVisible()
  expect(await leftEdge('Añadir Nuevo Gasto')).toBeGreaterThan(await leftEdge('Detalles de la Banca'))
  expect(await leftEdge('Presupuesto Mensual')).toBe(await leftEdge('Añadir Nuevo Gasto'))
  await expect(card(page, 'Mercado Financiero').getByRole('listitem')).toHaveText([
    'Bitcoin+2.5%',
    'Apple-0.8%',
    'Dólar+0.1%',
    'Microsoft+1.2%',
    'Petróleo-1.5%',
  ])
  const news = card(page, 'Noticias del Mercado').getByRole('listitem')
  await expect(news).toHaveCount(3)
  for (const item of await news.all()) await expect(item.getByRole('paragraph')).toHaveCount(2)
  await expect(card(page, 'Detalles de la Banca')).toContainText('Saldo Depositado')
  await expect(card(page, 'Detalles de la Banca')).toContainText('$0.00')
  await card(page, 'Detalles de la Banca').getByRole('button', { name: 'Solicitar Transferencia' }).click()
  await expect(toast(page)).toContainText('Función no implementada')

  await page.setViewportSize({ width: 360, height: 740 })

  expect(await leftEdge('Añadir Nuevo Gasto')).toBe(await leftEdge('Detalles de la Banca'))
  const form = card(page, 'Añadir Nuevo Gasto').getByLabel('Monto')
  await expect(form).toBeHidden()
  await card(page, 'Añadir Nuevo Gasto').getByRole('button', { name: 'Añadir gasto' }).click()
  await expect(form).toBeVisible()
  await card(page, 'Añadir Nuevo Gasto').getByRole('button', { name: 'Cerrar' }).click()
  await expect(form).toBeHidden()

  // On a tablet the card stands beside a high card, and shows the form instead of a gap.
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(form).toBeVisible()
})

test('the history shows the five latest transactions with badge, date and signed amount', async ({
  page,
  person,
  administrator,
}) => {
  await recordExpenses(person, [
    { description: 'La más vieja', amount: 1, category: 'Otro', date: '2026-01-01T12:00:00-05:00' },
    { description: 'Mercado', amount: 12.5, category: 'Comida', date: '2026-01-02T12:00:00-05:00' },
    { description: 'Bus', amount: 3, category: 'Transporte', date: '2026-01-03T12:00:00-05:00' },
    { description: 'Cine', amount: 8, category: 'Entretenimiento', date: '2026-01-04T12:00:00-05:00' },
    { description: 'Veterinaria', amount: 40, category: 'Mascotas', date: '2026-01-05T12:00:00-05:00' },
  ])
  await recordByBank(administrator, person, {
    type: 'deposit',
    description: 'Nómina',
    amount: 1000,
    category: '',
  })
  await page.goto('/dashboard')

  await expect(rowsOf(page)).toHaveCount(5)
  await expect(rowsOf(page).nth(0)).toContainText('Nómina')
  await expect(rowsOf(page).nth(0)).toContainText('+$1,000.00')
  // The page shows `Deposito` as the category of a bank deposit without a category. It shows an unknown category under
  // its own name.
  await expect(rowsOf(page).nth(0)).toContainText('Deposito')
  await expect(rowsOf(page).nth(1)).toContainText('Mascotas')
  await expect(rowsOf(page).nth(4)).toHaveText(/Mercado\s*Comida\s*2 ene( \d{4})?\s*-\$12\.50/)
  for (const row of await rowsOf(page).all()) await expect(row.locator('svg')).toHaveCount(1)
  await card(page, 'Historial de Transacciones').getByRole('link', { name: 'Ver todo' }).click()
  await expect(page).toHaveURL('/transacciones')
})

test('the edit icon sets the monthly budget, and the widget shows the amount that is left or overspent', async ({
  page,
  person,
}) => {
  await recordExpenses(person, [{ description: 'Mercado', amount: 80, category: 'Comida' }])
  await page.goto('/dashboard')
  const budget = card(page, 'Presupuesto Mensual')
  await expect(budget).toContainText('Aún no has fijado un límite para todo el mes.')
  const edit = budget.getByRole('button', { name: 'Editar presupuesto mensual' })
  await edit.click()
  await page.getByRole('dialog').getByLabel('Límite mensual').fill('100,50')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(edit).toBeFocused()
  await expect(budget).toContainText('$80.00de $100.50$20.50 por gastar')

  await edit.click()
  await page.getByRole('dialog').getByLabel('Límite mensual').fill('50')
  await page.keyboard.press('Enter')
  await expect(budget).toContainText('Te pasaste por $30.00.')
})

test('the page shows a change made elsewhere within a second', async ({ page, person }) => {
  const untilJoined = watchJoins(page)
  await page.goto('/dashboard')
  await expect(page.getByText('No hay transacciones recientes.')).toBeVisible()
  const field = card(page, 'Añadir Nuevo Gasto').getByLabel('Descripción')
  await field.fill('A medio escribir')
  await untilJoined()

  await expectLive(async (round) => {
    await recordExpenses(person, [{ description: `Desde el celular ${round}`, amount: 7, category: 'Otro' }])
    return rowsOf(page).getByText(`Desde el celular ${round}`)
  })

  await expect(field).toBeFocused()
  await expect(field).toHaveValue('A medio escribir')
})

test('the button with the eye hides every amount, and a reload does not show the amounts again', async ({
  page,
  person,
}) => {
  await recordExpenses(person, [{ description: 'Mercado', amount: 80, category: 'Comida' }])
  await page.goto('/dashboard')
  await expect(card(page, 'Presupuesto Mensual')).toContainText('$80.00')
  await page.getByRole('button', { name: 'Ocultar cifras' }).click()
  await expect(page.getByRole('main')).not.toContainText('$')
  await expect(card(page, 'Detalles de la Banca')).toContainText('Cifra oculta')
  await page.getByRole('button', { name: '¿Por qué este saldo?' }).click()
  await expect(page.getByRole('dialog').getByRole('definition')).toHaveCount(7)
  await expect(page.getByRole('dialog')).not.toContainText('$')

  await page.goto('/transacciones')
  await expect(page.getByRole('main').getByText('Mercado')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('$')
  await page.getByRole('button', { name: 'Ocultar cifras', pressed: true }).click()
  await expect(page.getByRole('main')).toContainText('-$80.00')
})

test(
  'the page logs that it cannot join a channel, but shows no message',
  { tag: '@nightly' },
  async ({ page }) => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
      socket.onMessage((text) => {
        const [joinRef, ref, topic, event] = JSON.parse(String(text)) as [string, string, string, string]
        if (event !== 'phx_join') return
        const reply = { status: 'error', response: { reason: 'not today' } }
        socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', reply]))
      })
    })
    await page.goto('/dashboard')

    await expect(page.getByText('No hay transacciones recientes.')).toBeVisible()
    await expect.poll(() => logged.some((line) => line.includes('not today'))).toBe(true)
    await expect(page.getByText(/Sin conexión|Cifras de/)).toHaveCount(0)
    await expect(toast(page)).toHaveText('')
  },
)

test(
  'a page shows within seconds that it is offline and catches up when it is online again',
  { tag: '@nightly' },
  async ({ page, person, context }) => {
    const offlineLine = page.getByText(/^Sin conexión/)
    await recordExpenses(person, [{ description: 'Antes', amount: 3, category: 'Otro' }])
    await page.goto('/dashboard')
    await expect(rowsOf(page).getByText('Antes')).toBeVisible()
    await context.setOffline(true)
    await expect(offlineLine).toBeVisible()
    await expect(rowsOf(page).getByText('Antes')).toBeVisible()

    await recordExpenses(person, [{ description: 'Mientras tanto', amount: 4, category: 'Otro' }])
    await context.setOffline(false)

    await expect(rowsOf(page).getByText('Mientras tanto')).toBeVisible({ timeout: 30_000 })
    await expect(offlineLine).toBeHidden()
  },
)

test.describe('nightly', { tag: '@nightly' }, () => {
  test('the chart of the month’s spending shows the category and the amount beside each bar', async ({
    page,
    person,
  }) => {
    await recordExpenses(person, [
      { description: 'Mercado', amount: 30, category: 'Comida' },
      { description: 'Almuerzo', amount: 20, category: 'Comida' },
      { description: 'Vuelo', amount: 50, category: 'Viajes' },
    ])
    await recordExpenses(person, [
      { description: 'Del año pasado', amount: 900, category: 'Salud', date: '2025-01-01T12:00:00-05:00' },
    ])
    await page.goto('/dashboard')
    const bars = page.getByRole('region', { name: 'En qué se fue' }).getByRole('listitem')

    await expect(bars).toHaveText(['Comida$50.0050%', 'Viajes$50.0050%'])
  })

  test('a balance from a realtime event is shown without another read, and screen readers announce it', async ({
    page,
    person,
  }) => {
    const untilJoined = watchJoins(page)
    await page.goto('/dashboard')
    await expect(card(page, 'Detalles de la Banca')).toContainText('$0.00')
    await untilJoined()
    await page.waitForLoadState('networkidle')
    const readings = await holdRequests(page, isRequest('GET', '/rest/v1/budgets'))

    await recordExpenses(person, [{ description: 'Desde el celular', amount: 12.34, category: 'Otro' }])

    await expect(card(page, 'Detalles de la Banca').getByRole('status')).toHaveText(
      'Saldo Depositado: -$12.34',
    )
    readings.release()
  })

  test('a customer without a balance row sees zero, and the page logs failed reads without showing a message', async ({
    page,
  }) => {
    await page.clock.install()
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await refuseRequests(page, (request) => request.url().includes('/rest/v1/budgets?select=balance'), {
      status: 406,
      body: { code: 'PGRST116', message: 'The result contains 0 rows', details: null, hint: null },
    })
    await page.goto('/dashboard')
    await expect(card(page, 'Detalles de la Banca')).toContainText('$0.00')
    expect(logged.filter((line) => line.includes('balance'))).toEqual([])
    await refuseRequests(page, (request) => request.url().includes('/rest/v1/'), {
      status: 400,
      body: { code: 'XX000', message: 'broken', details: null, hint: null },
    })
    await page.reload()

    for (const title of ['Detalles de la Banca', 'Historial de Transacciones', 'Presupuesto Mensual']) {
      await expect(card(page, title).getByText('—', { exact: true })).toBeVisible()
      await expect(card(page, title).getByRole('button', { name: 'Reintentar' })).toBeVisible()
      await expect(card(page, title)).not.toContainText('$')
    }
    await expect(page.getByRole('main')).not.toContainText('No se pud')
    await expect.poll(() => logged.filter((line) => line.includes('balance')).length).toBeGreaterThan(0)
    await expect(toast(page)).toHaveText('')

    await page.unrouteAll()
    // The page retries a failed read after 15 s.
    await page.clock.fastForward(15_000)
    await expect(card(page, 'Detalles de la Banca')).toContainText('$0.00')
    await expect(card(page, 'Historial de Transacciones')).toContainText('No hay transacciones recientes.')
  })
})
