/** What people do on the screens, in the words that they read there (docs/specification.md §2, §8). */
import { type Page, expect } from '@playwright/test'

/** A page that fails its test when a script breaks, the console reports an error, or the policy refuses something. */
export function watchForErrors(page: Page): void {
  page.on('pageerror', (error) => {
    throw error
  })
  page.on('console', (message) => {
    // The browser reports refused requests itself; tests look at what the screen says about them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      throw new Error(`The console says: ${message.text()}`)
    }
  })
}

/** Fills the form of sign-in or sign-up and sends it. */
export async function sendCredentials(
  page: Page,
  credentials: { email: string; password: string; button: string },
) {
  await page.getByLabel('Email').fill(credentials.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(credentials.password)
  await page.getByRole('button', { name: credentials.button, exact: true }).click()
}

/** Signs the administrator of this test run in. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  await page.goto('/login')
  await sendCredentials(page, {
    email: 'admin@banco.example',
    password: process.env['E2E_ADMIN_PASSWORD'] ?? '',
    button: 'Iniciar Sesión',
  })
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** The toast that is on the screen. */
export function toast(page: Page) {
  return page.getByRole('region', { name: 'Notificaciones' })
}

/** A new address that no other test uses. */
export function newAddress(): string {
  return `clienta-${crypto.randomUUID().slice(0, 8)}@correo.example`
}
