/** The public screen: docs/specification.md §2 "Login and sign-up", §4 "Auth session", §5 and §8. */
import { expect, test } from '@playwright/test'
import { holdRequests, isRequest } from './held-requests.ts'
import { administratorClient, newPerson, storedSession } from './accounts.ts'
import { watchForErrors } from './screens.ts'

test.beforeEach(({ page }) => watchForErrors(page))

const signInRequest = isRequest('POST', '/auth/v1/token')

test('the form toggles between signing in and signing up, each with its title and headline', async ({
  page,
}) => {
  await page.goto('/login')
  await expect(page).toHaveTitle('Iniciar Sesión - Finanzas')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bienvenido a Finanzas')

  await page.getByRole('button', { name: 'Regístrate' }).click()
  await expect(page).toHaveTitle('Registrarse - Finanzas')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Crea tu Cuenta')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAttribute('type', 'password')

  await page.getByRole('button', { name: 'Inicia sesión' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bienvenido a Finanzas')
})

test('while the auth state loads there is a full-screen spinner and nothing else', async ({ browser }) => {
  const person = await newPerson(await administratorClient(), { fullName: 'Inés Mora', role: 'user' })
  // A session that expired while the page was closed must be refreshed first.
  const expired = { ...person, session: { ...person.session, expires_at: 1 } }
  const context = await browser.newContext({ storageState: storedSession(expired) })
  const page = await context.newPage()
  watchForErrors(page)
  const held = await holdRequests(page, signInRequest)
  await page.goto('/cuentas')

  await expect(page.locator('#root').getByRole('status')).toHaveText('Cargando…')
  const spinner = await page.locator('.full-screen').boundingBox()
  expect(spinner?.height).toBe(page.viewportSize()?.height)
  await expect(page.getByRole('main')).toHaveCount(0)
  held.release()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cuentas')
  await context.close()
})

test('a service that is down for a moment signs nobody out', { tag: '@nightly' }, async ({ browser }) => {
  const person = await newPerson(await administratorClient(), { fullName: 'Inés Mora', role: 'user' })
  const expired = { ...person, session: { ...person.session, expires_at: 1 } }
  const context = await browser.newContext({ storageState: storedSession(expired) })
  const page = await context.newPage()
  let refusals = 0
  await page.route('**/auth/v1/token*', (route) => {
    refusals += 1
    return refusals === 1 ? route.fulfill({ status: 503, json: { message: 'down' } }) : route.fallback()
  })
  await page.goto('/cuentas')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cuentas')
  expect(refusals).toBeGreaterThan(1)
  await context.close()
})
