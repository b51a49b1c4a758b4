/** The history card (docs/specification.md §2 "Transactions", §4 "Real time" and §8) and the undo of a deletion. */
import { type Page, expect } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { expectLive, watchJoins } from './live.ts'
import { type Person, recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { historyRow, pageHeading, toast } from './screens.ts'

const main = (page: Page) => page.getByRole('main')
const deleteButton = (page: Page, description: string) =>
  main(page).getByRole('button', { name: `Eliminar ${description},` })
/** Returns the descriptions of the displayed rows from top to bottom. */
const shownDescriptions = (page: Page) =>
  main(page).getByRole('listitem').locator('.history-name button').allTextContents()

const history = [
  { description: 'Ñame y yuca', amount: 5, category: 'Comida', date: '2026-01-04T12:00:00-05:00' },
  { description: 'Álbum de fotos', amount: 90, category: 'Compras', date: '2026-01-02T12:00:00-05:00' },
  { description: 'nafta', amount: 40, category: 'Transporte', date: '2026-01-03T12:00:00-05:00' },
  { description: 'Otra cosa', amount: 1, category: 'Mascotas', date: '2026-01-01T12:00:00-05:00' },
]
const newestFirst = ['Ñame y yuca', 'nafta', 'Álbum de fotos', 'Otra cosa']

/** Largest cumulative layout shift that a reader does not notice. */
const layoutShiftMax = 0.01

async function rowsOf({ client }: Person) {
  const { data, error } = await client.from('transactions').select('*').order('date')
  expect(error).toBeNull()
  return data
}

async function balanceOf({ client, id }: Person): Promise<unknown> {
  const { data } = await client.from('budgets').select('balance').eq('user_id', id).single()
  return data?.balance
}

test(
  'the history shows a spinner and then all transactions, newest first',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, history)
    const held = await holdRequests(page, isRequest('GET', '/rest/v1/transactions'))
    await page.goto('/transacciones')
    await expect(main(page).getByText('Cargando transacciones…')).toBeAttached()
    held.release()

    await expect(main(page).getByText('4 movimientos')).toBeVisible()
    expect(await shownDescriptions(page)).toEqual(newestFirst)
  },
)

test('nothing on a phone moves while a page loads', async ({ page, person, administrator }) => {
  // Records amounts that are long enough to fill the lines of the page.
  await recordByBank(administrator, person, {
    type: 'deposit',
    description: 'nómina',
    amount: 69_600.25,
    category: 'Otro',
  })
  await recordExpenses(person, [
    { description: 'arriendo', amount: 53_112.73, category: 'Vivienda', date: '2026-01-05T12:00:00-05:00' },
    ...history,
  ])
  await page.setViewportSize({ width: 412, height: 823 })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const root = document.documentElement
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        root.dataset['shift'] = String(Number(root.dataset['shift'] ?? 0) + entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const shifts: Record<string, number> = {}
  for (const path of ['/dashboard', '/transacciones', '/resumen']) {
    const held = await holdRequests(page, (request) =>
      new URL(request.url()).pathname.startsWith('/rest/v1/'),
    )
    await page.goto(path)
    await expect(
      main(page)
        .getByText(/^Cargando/)
        .first(),
    ).toBeAttached()
    held.release()

    await expect(main(page).getByText('$69,600.25').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    shifts[path] = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0))
  }

  for (const [path, shift] of Object.entries(shifts)) expect(shift, path).toBeLessThanOrEqual(layoutShiftMax)
})

test('a toast on a phone is just above the bottom bar, but moves to the top while a dialog is open', async ({
  page,
  person,
}) => {
  await recordExpenses(person, history)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/transacciones')
  await deleteButton(page, 'nafta').click()
  const undo = toast(page).getByRole('button', { name: 'Deshacer' })
  await expect(undo).toBeVisible()
  const boxes = async () => {
    const [bar, shown] = await Promise.all([
      page.getByRole('navigation', { name: 'Secciones' }).boundingBox(),
      toast(page).locator('[data-toast]').boundingBox(),
    ])
    if (bar === null || shown === null) throw new Error('the bar or the toast is missing')
    return { bar, shown }
  }
  await expect
    .poll(async () => {
      const { bar, shown } = await boxes()
      return [shown.x, shown.width, Math.round(bar.y - shown.y - shown.height)]
    })
    .toEqual([12, 366, 8])

  // The toast stays on the screen while the pointer is over it.
  await undo.hover()
  await historyRow(page, 'Otra cosa').press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect.poll(async () => (await boxes()).shown.y).toBeLessThan(100)
})

test(
  'a second visit shows the old rows while the page reads the history and the balance again',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, history)
    await page.goto('/transacciones')
    await expect(main(page).getByText('4 movimientos')).toBeVisible()
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Cuentas' }).click()
    await expect(pageHeading(page)).toHaveText('Cuentas')
    const held = await holdRequests(page, isRequest('GET', '/rest/v1/transactions'))
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/rest/v1/'))
        asked.push(decodeURIComponent(new URL(request.url()).search))
    })
    await page.getByRole('link', { name: 'Transacciones' }).click()

    await expect.poll(() => shownDescriptions(page)).toEqual(newestFirst)
    await expect
      .poll(() => asked.toSorted())
      .toEqual([
        `?select=*&user_id=eq.${person.id}&order=date.desc`,
        `?select=balance&user_id=eq.${person.id}`,
      ])
    held.release()
  },
)

test(
  'the category filter offers “Todas”, “Depósitos” and each category in the list',
  { tag: '@nightly' },
  async ({ page, person, administrator }) => {
    await recordExpenses(person, history)
    const deposit = { type: 'deposit', description: 'Premio', amount: 10, category: 'Otro' } as const
    await recordByBank(administrator, person, deposit)
    await recordByBank(administrator, person, { ...deposit, description: 'Nómina', category: 'Deposito' })
    await page.goto('/transacciones')
    const filter = main(page).getByLabel('Categoría')
    await expect(filter.getByRole('option')).toHaveText([
      'Todas',
      'Comida',
      'Compras',
      'Deposito',
      'Mascotas',
      'Otro',
      'Transporte',
      'Depósitos',
    ])

    await filter.selectOption({ label: 'Mascotas' })
    await expect.poll(() => shownDescriptions(page)).toEqual(['Otra cosa'])
    await filter.selectOption({ label: 'Deposito' })
    await expect.poll(() => shownDescriptions(page)).toEqual(['Nómina'])
    await filter.selectOption({ label: 'Depósitos' })
    await expect.poll(() => shownDescriptions(page)).toEqual(['Nómina', 'Premio'])
    await main(page).getByRole('searchbox').fill('nada')
    await expect(
      main(page).getByText('No se encontraron transacciones que coincidan con tus criterios.'),
    ).toBeVisible()
    await main(page).getByRole('button', { name: 'Limpiar filtros' }).click()
    await expect(main(page).getByText('6 movimientos')).toBeVisible()
  },
)

test(
  'the first twelve rows appear 0.05 s apart in any sort order, and all at once with reduced motion',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(
      person,
      Array.from({ length: 14 }, (_, number) => ({
        description: `Gasto ${number}`,
        amount: 1 + number,
        category: 'Otro',
        date: `2026-0${1 + (number % 2)}-15T12:00:00-05:00`,
      })),
    )
    await page.addInitScript(() => {
      document.addEventListener('animationstart', ({ animationName, target }) => {
        if (animationName !== 'rise' || !(target instanceof Element)) return
        const delays = JSON.parse(document.documentElement.dataset['delays'] ?? '[]') as number[]
        delays.push(Number.parseFloat(getComputedStyle(target).animationDelay))
        document.documentElement.dataset['delays'] = JSON.stringify(delays)
      })
    })
    const delays = async () =>
      JSON.parse((await page.locator('html').getAttribute('data-delays')) ?? '[]') as number[]
    const apart = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.55, 0.55]

    for (const order of ['', '?orden=monto']) {
      await page.goto(`/transacciones${order}`)
      // The headings of months between the rows do not count as rows.
      await expect.poll(delays, order).toEqual(apart)
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await expect.poll(delays).toEqual(apart.map(() => 0))
  },
)

test('a transaction opens in a dialog with a button that deletes it', async ({
  page,
  person,
  administrator,
}) => {
  const salary = { type: 'deposit', description: 'Nómina', amount: 200.5, category: 'Deposito' } as const
  await recordByBank(administrator, person, salary)
  await recordExpenses(person, history)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/transacciones')
  await expect(main(page).getByTitle('Registrado por el banco')).toBeVisible()
  await historyRow(page, 'Nómina').click()
  const details = page.getByRole('dialog', { name: 'Nómina' })
  await expect(details).toContainText('+$200.50')
  await expect(details).toContainText('El banco')
  await details.getByRole('button', { name: 'Eliminar' }).click()

  await expect(toast(page)).toContainText('Transacción Eliminada')
  await expect(toast(page)).toContainText('La registró el banco: eliminarla no cambia tu saldo.')
  await expect(historyRow(page, 'Ñame y yuca')).toBeFocused()
})

test(
  'the `/` key focuses the search field and the `?` key shows the keyboard shortcuts',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, history)
    await page.goto('/transacciones')
    await expect(historyRow(page, 'nafta')).toBeVisible()
    await page.keyboard.press('/')
    await expect(main(page).getByRole('searchbox')).toBeFocused()
    await expect(main(page).getByRole('searchbox')).toHaveValue('')
    await main(page).getByRole('searchbox').blur()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Teclas de esta página' })).toContainText('Buscar')
  },
)

test(
  'an empty history shows its controls and a first action but no export',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/transacciones')
    await expect(
      main(page).getByText('No se encontraron transacciones que coincidan con tus criterios.'),
    ).toBeVisible()
    await expect(main(page).getByRole('heading', { name: 'Aún no tienes movimientos' })).toBeVisible()
    await expect(main(page).getByRole('searchbox')).toBeVisible()
    await expect(main(page).getByLabel('Categoría').getByRole('option')).toHaveText(['Todas', 'Depósitos'])
    await expect(main(page).getByLabel('Ordenar por')).toHaveValue('date')
    await expect(main(page).getByRole('button', { name: /CSV|Imprimir|Limpiar/ })).toHaveCount(0)
    await main(page).getByRole('link', { name: 'Añade tu primer gasto' }).click()
    await expect(page).toHaveURL('/dashboard')
  },
)

test('undoing a deletion restores the same row and the balance', async ({ page, person, administrator }) => {
  const salary = { type: 'deposit', description: 'Nómina', amount: 200.5, category: 'Deposito' } as const
  await recordByBank(administrator, person, salary)
  await recordExpenses(person, history)
  const before = await rowsOf(person)
  await page.goto('/transacciones')
  const figures = main(page).locator('dl')
  await expect(figures).toContainText('$64.50')

  await deleteButton(page, 'nafta').click()
  await expect(figures).toContainText('$104.50')
  expect(await balanceOf(person)).toBe(104.5)
  await toast(page).getByRole('button', { name: 'Deshacer' }).click()

  await expect(toast(page)).toContainText('Transacción restaurada')
  await expect(historyRow(page, 'nafta')).toBeVisible()
  await expect(figures).toContainText('$64.50')
  expect(await rowsOf(person)).toEqual(before)
  expect(await balanceOf(person)).toBe(64.5)
})

test(
  'after a failed deletion the row returns, and the page logs the error without showing a message',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, history)
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await refuseRequests(page, isRequest('DELETE', '/rest/v1/transactions'), {
      status: 403,
      body: { code: '42501', message: 'permission denied', details: null, hint: null },
    })
    await page.goto('/transacciones')
    await deleteButton(page, 'nafta').click()

    await expect.poll(() => logged.some((line) => line.includes('transaction delete'))).toBe(true)
    await expect(historyRow(page, 'nafta')).toBeVisible()
    await expect(toast(page)).toHaveText('')
  },
)

test('the list shows changes made elsewhere, and leaving the page closes its channels', async ({
  page,
  person,
}) => {
  const frames: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => frames.push(String(payload))))
  const untilJoined = watchJoins(page)
  await page.goto('/transacciones')
  await expect(main(page).getByText('0 movimientos')).toBeVisible()
  await untilJoined()
  await expectLive(async (round) => {
    await recordExpenses(person, [{ description: `Desde el celular ${round}`, amount: 7, category: 'Otro' }])
    return main(page).getByText(`Desde el celular ${round}`)
  })
  expect(frames.some((frame) => frame.includes(`user_id=eq.${person.id}`))).toBe(true)

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()

  await expect(page).toHaveURL('/login')
  await expect.poll(() => frames.some((frame) => frame.includes('phx_leave'))).toBe(true)
})

test.describe('nightly', { tag: '@nightly' }, () => {
  test('each toast undoes its own deletion, and Ctrl+Z undoes the deletions one by one', async ({
    page,
    person,
  }) => {
    await recordExpenses(person, history)
    await page.goto('/transacciones')
    for (const description of ['Ñame y yuca', 'nafta', 'Otra cosa']) {
      await deleteButton(page, description).click()
      await expect(toast(page)).toContainText(description)
    }
    await toast(page).getByRole('button', { name: 'Deshacer' }).click()
    await expect(historyRow(page, 'Otra cosa')).toBeVisible()
    await expect(historyRow(page, 'nafta')).toBeHidden()

    await page.keyboard.press('Control+z')
    await expect(historyRow(page, 'nafta')).toBeVisible()
    await expect(historyRow(page, 'Ñame y yuca')).toBeHidden()
    await page.keyboard.press('Control+z')
    await expect(historyRow(page, 'Ñame y yuca')).toBeVisible()
    expect(await rowsOf(person)).toHaveLength(4)
  })

  test('a refused undo shows the bank’s message', async ({ page, person }) => {
    const message = 'Este movimiento ya no se puede recuperar.'
    await recordExpenses(person, history)
    await refuseRequests(page, isRequest('POST', '/rest/v1/rpc/restore_transaction'), {
      status: 404,
      body: { code: 'PT404', message, details: null, hint: null },
    })
    await page.goto('/transacciones')
    await deleteButton(page, 'nafta').click()
    await toast(page).getByRole('button', { name: 'Deshacer' }).click()

    await expect(toast(page).getByRole('alert')).toContainText('No se pudo restaurar la transacción')
    await expect(toast(page).getByRole('alert')).toContainText(message)
    await expect(historyRow(page, 'nafta')).toBeHidden()
  })

  test('after a refused read, the list shows no rows until a retry succeeds', async ({ page, person }) => {
    await recordExpenses(person, history)
    // Closes the realtime connection, because a page that joins its channels late reads everything again, perhaps
    // before the button is pressed.
    await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => socket.close())
    await page.route('**/rest/v1/transactions?select=*&user_id=*', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'unavailable', message: 'x', details: null, hint: null },
      }),
    )
    await page.goto('/transacciones')
    await expect(pageHeading(page)).toBeVisible()
    await expect(main(page).getByText('—', { exact: true })).toBeVisible({ timeout: 45_000 })
    await expect(main(page).getByRole('listitem')).toHaveCount(0)
    await expect(main(page)).not.toContainText('No se encontraron')
    // The page shows no figures, and therefore does not show the time at which figures were read.
    await expect(page.getByText('Cifras de')).toHaveCount(0)
    await page.unrouteAll()
    await main(page).getByRole('button', { name: 'Reintentar' }).click()

    await expect(historyRow(page, 'nafta')).toBeVisible()
  })
})

test('an expense can be added on the history page', async ({ page }) => {
  const open = main(page).getByRole('button', { name: 'Añadir gasto' })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/transacciones')
  await expect(open).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Añadir gasto' })
  await dialog.getByLabel('Monto').fill('12,50')
  await dialog.getByLabel('Descripción').fill('Pan')
  await page.keyboard.press('Enter')

  await expect(toast(page)).toContainText('Gasto añadido')
  await expect(dialog).toHaveCount(0)
  await expect(open).toBeFocused()
  await expect(main(page).getByText('Pan', { exact: true })).toBeVisible()
})
