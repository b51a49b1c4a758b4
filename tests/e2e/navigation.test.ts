/** Routes, titles, shared layout and sign-out: docs/specification.md §2 "Route sets" and "Shared layout", §6, §8. */
import { type Page, expect } from '@playwright/test'
import { holdRequests } from './held-requests.ts'
import { administratorTest, sessionKey, storedSession, customerTest as test } from './people.ts'
import { startRedeployed } from './redeployed.ts'
import { loginHeading, pageHeading, toast } from './screens.ts'

const phone = { width: 360, height: 740 }

const sections = ['Inicio', 'Transacciones', 'Cuentas', 'Documentos', 'Soporte', 'Perfil']

const linksOf = (page: Page, navigation: string) =>
  page
    .getByRole('navigation', { name: navigation })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => `${link.textContent} ${link.getAttribute('href')}`))

test('each page has its own URL, title and heading', async ({ page }) => {
  const pages = [
    ['Inicio', '/dashboard', 'Panel - Banco Finanzas', 'Hola, Ana'],
    ['Transacciones', '/transacciones', 'Transacciones - Finanzas', 'Transacciones'],
    ['Cuentas', '/cuentas', 'Cuentas - Finanzas', 'Cuentas'],
    ['Documentos', '/documentos', 'Documentos - Finanzas', 'Documentos Financieros'],
    ['Soporte', '/soporte', 'Soporte - Finanzas', 'Soporte'],
    ['Perfil', '/perfil', 'Perfil - Finanzas', 'Perfil'],
  ] as const
  await page.goto('/cuentas')

  for (const [link, path, title, heading] of pages) {
    await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(path)
    await expect(page).toHaveTitle(title)
    await expect(pageHeading(page)).toHaveText(heading)
  }
})

test('the title is at the same height on every page', { tag: '@nightly' }, async ({ page }) => {
  for (const path of ['/dashboard', '/transacciones', '/transacciones/importar', '/resumen', '/documentos']) {
    await page.goto(path)
    await expect(pageHeading(page)).toBeVisible()
    expect(Math.round((await pageHeading(page).boundingBox())?.y ?? 0), path).toBe(112)
  }
})

test('the top bar contains the bank’s name, the six sections and the sign-out button', async ({ page }) => {
  await page.goto('/dashboard')

  await expect(page.getByRole('banner')).toContainText('Banco Finanzas')
  await expect(pageHeading(page)).toBeVisible()
  expect(await linksOf(page, 'Principal')).toEqual([
    'Inicio /dashboard',
    'Transacciones /transacciones',
    'Cuentas /cuentas',
    'Documentos /documentos',
    'Soporte /soporte',
    'Perfil /perfil',
  ])
  await expect(page.getByRole('navigation', { name: 'Secciones' })).toBeHidden()
})

administratorTest('both bars contain the section Admin for an administrator', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(pageHeading(page)).toBeVisible()
  expect((await linksOf(page, 'Principal')).at(-1)).toBe('Admin /admin')

  await page.setViewportSize(phone)

  expect(await linksOf(page, 'Secciones')).toEqual([
    'Inicio /dashboard',
    'Transacciones /transacciones',
    'Perfil /perfil',
    'Admin /admin',
  ])
})

test.describe('on a phone', () => {
  test.use({ viewport: phone })

  test('the bottom bar has three sections, and the menu and the profile contain the other sections', async ({
    page,
  }) => {
    await page.goto('/perfil')
    await expect(pageHeading(page)).toBeVisible()

    expect(await linksOf(page, 'Secciones')).toEqual([
      'Inicio /dashboard',
      'Transacciones /transacciones',
      'Perfil /perfil',
    ])
    await expect(page.getByRole('navigation', { name: 'Principal' })).toBeHidden()
    for (const section of ['Cuentas', 'Documentos', 'Soporte']) {
      await expect(page.getByRole('main').getByRole('link', { name: section })).toBeVisible()
    }
    await page.getByRole('button', { name: 'Menú' }).click()
    await page.getByRole('navigation', { name: 'Menú' }).getByRole('link', { name: 'Soporte' }).click()
    await expect(page).toHaveURL('/soporte')
    await expect(page.getByRole('navigation', { name: 'Menú' })).toBeHidden()
  })
})

test('a URL that redirects adds no entry to the browser history', { tag: '@nightly' }, async ({ page }) => {
  for (const path of ['/', '/login', '/admin', '/no-existe', '/no.existe']) {
    await page.goto('/perfil')
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
    await expect(pageHeading(page)).toHaveText('Hola, Ana')
    await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0)

    await page.goBack()
    await expect(page).toHaveURL('/perfil')
  }
})

test('signing out ends the session in every tab and shows the login', async ({ page, context }) => {
  const logged: string[] = []
  const other = await context.newPage()
  for (const tab of [page, other]) tab.on('console', (message) => logged.push(message.text()))
  await page.goto('/cuentas')
  await other.goto('/perfil')
  await expect(pageHeading(other)).toHaveText('Perfil')
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()

  await expect(page).toHaveURL('/login')
  await expect(page).toHaveTitle('Iniciar Sesión - Finanzas')
  for (const tab of [page, other]) {
    await expect(loginHeading(tab)).toBeVisible()
    expect(await tab.evaluate((key) => localStorage.getItem(key), sessionKey)).toBeNull()
  }
  // The page must not report the closed channels as a lost connection.
  expect(logged.filter((line) => line.includes('live updates'))).toEqual([])
})

test(
  'an open page whose files were removed by an upgrade works again after a reload',
  { tag: '@nightly' },
  async ({ browser, person }) => {
    const site = await startRedeployed()
    const storageState = storedSession(person, site.origin)
    const context = await browser.newContext({ storageState, serviceWorkers: 'block' })
    try {
      const page = await context.newPage()
      await page.route(/\/assets\/support-page-/, (route) => route.abort())
      await page.goto(`${site.origin}/dashboard`)
      await expect(pageHeading(page)).toBeVisible()
      site.deploy()
      await page.unrouteAll()

      await page.getByRole('button', { name: '¿Por qué este saldo?' }).click()
      await expect(toast(page)).toContainText('No se pudo abrir')
      await expect(toast(page)).toContainText('vuelve a cargar la página')
      await page.getByRole('link', { name: 'Soporte' }).click()
      await expect(page.getByRole('alert').getByText('El banco no responde')).toBeVisible()
      await page.getByRole('button', { name: 'Volver a cargar' }).click()

      await expect(pageHeading(page)).toHaveText('Soporte')
    } finally {
      await context.close()
      await site.close()
    }
  },
)

test(
  'a page stays on the screen until the next page or a spinner appears',
  { tag: '@nightly' },
  async ({ page }) => {
    const held = await holdRequests(page, (request) => request.url().includes('/assets/support-page-'))
    // Stops the clock, so that the page does not prefetch other pages.
    await page.clock.install({ time: '2026-11-21T12:00:00-05:00' })
    await page.clock.pauseAt('2026-11-21T12:00:01-05:00')
    await page.goto('/cuentas')
    await expect(async () => {
      await page.clock.runFor(100)
      await expect(pageHeading(page)).toHaveText('Cuentas', { timeout: 1000 })
    }).toPass()

    await page.getByRole('link', { name: 'Soporte' }).hover()
    await expect.poll(held.count).toBe(1)
    await page.getByRole('link', { name: 'Soporte' }).click()
    await expect(page).toHaveURL('/soporte')
    await expect(pageHeading(page)).toHaveText('Cuentas')
    await page.clock.runFor(250)
    await expect(page.getByRole('main').getByRole('status')).toHaveText('Cargando…')
    await page.clock.resume()
    held.release()

    await expect(pageHeading(page)).toHaveText('Soporte')
  },
)

test('a customer can reach every section by keyboard, and the focus moves to its heading', async ({
  page,
}) => {
  await page.goto('/dashboard')
  await expect(pageHeading(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
  await page.keyboard.press('Tab')

  for (const section of sections) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('navigation').getByRole('link', { name: section })).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(pageHeading(page)).toBeFocused()
})

test(
  'the back button closes a dialog, but the page asks before it discards input',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Perfil' }).first().click()
    const edit = page.getByRole('button', { name: 'Editar Perfil' })
    const dialog = page.getByRole('dialog', { name: 'Editar Perfil' })
    const question = page.getByRole('alertdialog', { name: '¿Quieres descartar lo que escribiste?' })
    const goBack = () => page.evaluate(() => window.history.back())

    await edit.click()
    await goBack()
    await expect(dialog).toHaveCount(0)
    await edit.click()
    await dialog.getByLabel('Nombre').fill('Laura Inés')
    await goBack()
    await expect(question).toBeVisible()
    await goBack()
    await expect(question).toHaveCount(0)
    await expect(dialog.getByLabel('Nombre')).toHaveValue('Laura Inés')
    await goBack()
    await question.getByRole('button', { name: 'Descartar' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL('/perfil')
    await expect(pageHeading(page)).toHaveText('Perfil')
    await goBack()

    await expect(page).toHaveURL('/dashboard')
    await expect(pageHeading(page)).toHaveText('Hola, Ana')
  },
)
