/** The public screen: docs/specification.md §2 "Login and sign-up", §4 "Auth session", §5 and §8. */
import { expect } from '@playwright/test'
import { holdRequests, isRequest } from './held-requests.ts'
import { test } from './people.ts'
import { newEmail } from '#testing/population.ts'
import {
  askForRecovery,
  loginHeading,
  mailedLink,
  pageHeading,
  password,
  saveNewPassword,
  sendCredentials,
  signOut,
} from './screens.ts'

test('every path shows the login to a person who is signed out', async ({ page }) => {
  for (const path of ['/admin', '/transacciones', '/no-existe', '/ana@correo.test']) {
    await page.goto(path)
    await expect(loginHeading(page)).toBeVisible()
  }
})

test(
  'the form can switch between sign-in and sign-up, and each form has its own title and headline',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/login')
    await expect(page).toHaveTitle('Iniciar Sesión - Finanzas')
    await expect(pageHeading(page)).toHaveText('Bienvenido a Finanzas')

    await page.getByRole('button', { name: 'Regístrate' }).click()
    await expect(page).toHaveTitle('Registrarse - Finanzas')
    await expect(pageHeading(page)).toHaveText('Crea tu Cuenta')
    await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
    await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAttribute('type', 'password')

    await page.getByRole('button', { name: 'Inicia sesión' }).click()
    await expect(pageHeading(page)).toHaveText('Bienvenido a Finanzas')
  },
)

test('the page behind the login loads while the form is filled in', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  const behind = () => fetched.filter((url) => /\/assets\/(?:signed-in|dashboard-page)-/.test(url))
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(behind()).toEqual([])

  await page.getByLabel('Email').focus()

  await expect.poll(() => behind().length).toBe(2)
})

test('the page shows only a full-screen spinner while the auth state loads', async ({ customer, openAs }) => {
  // The session expired while the page was closed. The page must therefore refresh the session before it can show
  // anything.
  const page = await openAs({ ...customer, session: { ...customer.session, expires_at: 1 } })
  const held = await holdRequests(page, isRequest('POST', '/auth/v1/token'))
  await page.goto('/cuentas')

  await expect(page.locator('#root').getByRole('status')).toHaveText('Cargando…')
  const spinner = await page.locator('.full-screen').boundingBox()
  expect(spinner?.height).toBe(page.viewportSize()?.height)
  await expect(page.getByRole('main')).toHaveCount(0)
  held.release()

  await expect(pageHeading(page)).toHaveText('Cuentas')
})

test('a recovery link opens the form for a new password, and saving it signs the person in', async ({
  page,
  customer,
}) => {
  await page.goto(await askForRecovery(page, customer.email))
  await expect(page).toHaveTitle('Nueva Contraseña - Finanzas')
  await saveNewPassword(page, 'otra clave larga', 'otra clave lerga')
  await expect(page.getByText('Las dos contraseñas no son iguales.')).toBeVisible()
  await saveNewPassword(page, 'otra clave larga')
  await expect(page).toHaveTitle('Panel - Banco Finanzas')

  await signOut(page)
  await sendCredentials(page, {
    email: customer.email,
    password: 'otra clave larga',
    button: 'Iniciar Sesión',
  })
  await expect(page).toHaveURL('/dashboard')
})

test('a used link opens a page that explains how to continue', { tag: '@nightly' }, async ({ page }) => {
  const email = newEmail()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Regístrate' }).click()
  await sendCredentials(page, { email, password, button: 'Registrarse' })
  const link = await mailedLink(email)
  await page.goto(link)
  await signOut(page)
  await expect(page).toHaveURL(/\/login$/)

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirmar mi cuenta' }).click()

  await expect(page.getByRole('main')).toContainText('El enlace caducó o ya se usó.')
})
