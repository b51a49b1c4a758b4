/** The public screen: spec §2 "Login and sign-up", §4 "Auth session", §5 and §8. */
import { expect, test } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { administratorClient, newPerson, storedSession } from './people.ts'
import { sendCredentials, toast, watchForErrors } from './screens.ts'

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

test('while signing in the fields are disabled and a spinner shows, and pressing Enter twice sends once', async ({
  page,
}) => {
  const person = await newPerson(await administratorClient(), { fullName: 'Inés Mora', role: 'user' })
  const held = await holdRequests(page, signInRequest)
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password)
  await page.getByLabel('Contraseña', { exact: true }).press('Enter')
  await page.getByLabel('Contraseña', { exact: true }).dispatchEvent('keydown', { key: 'Enter' })
  await page.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit())

  await expect(page.getByLabel('Email')).toBeDisabled()
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Iniciar Sesión' })).toHaveAttribute('aria-busy', 'true')
  await expect(page.locator('button[aria-busy] .spinner')).toBeVisible()
  held.release()

  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(toast(page)).toContainText('¡Bienvenido de nuevo! 🎉')
  await expect(toast(page)).toContainText('Has iniciado sesión correctamente.')
  expect(held.count()).toBe(1)
})

test('none or one of the two credentials is incomplete, in the words of the specification, and nothing is sent', async ({
  page,
}) => {
  const held = await holdRequests(page, signInRequest)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Iniciar Sesión', exact: true }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('laura@correo.example')
  await page.getByRole('button', { name: 'Iniciar Sesión', exact: true }).click()

  await expect(toast(page).getByRole('alert')).toContainText('Campos incompletos')
  await expect(toast(page)).toContainText('Por favor, introduce tu email y contraseña.')
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('laura@correo.example')
  expect(held.count()).toBe(0)
})

test('a refused sign-up shows the service’s own sentence and keeps what was typed', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Regístrate' }).click()
  await sendCredentials(page, { email: 'nueva@correo.example', password: 'corta', button: 'Registrarse' })

  await expect(toast(page).getByRole('alert')).toContainText('Sign up Failed')
  await expect(toast(page)).toContainText('Password should be at least 8 characters.')
  await expect(page.getByLabel('Email')).toHaveValue('nueva@correo.example')
  await expect(page).toHaveTitle('Registrarse - Finanzas')
})

test('a failure without a message of its own says "Something went wrong"', async ({ page }) => {
  await refuseRequests(page, signInRequest, { status: 400, body: { message: '' } })
  await page.goto('/login')
  await sendCredentials(page, { email: 'a@correo.example', password: 'cualquiera', button: 'Iniciar Sesión' })

  await expect(toast(page).getByRole('alert')).toContainText('Sign in Failed')
  await expect(toast(page)).toContainText('Something went wrong')
})

test('while the auth state loads there is a full-screen spinner and nothing else', async ({ browser }) => {
  const person = await newPerson(await administratorClient(), { fullName: 'Inés Mora', role: 'user' })
  // A session that ran out while the page was closed must be refreshed before anybody knows who is there.
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

test('a service that is down for a moment signs nobody out', async ({ browser }) => {
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
