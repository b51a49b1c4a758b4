/**
 * Actions on the screens, which find elements by their visible text (docs/specification.md §2, §8), and access to links
 * in mails.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'

const source = await readFile(join(import.meta.dirname, '../../web/app/pages.ts'), 'utf8')
/** The pages that only some banks have. Stories about transfers and requests open these pages. */
const optionalRoutes = ['/transferencias', '/admin/solicitudes']
const routes = [...source.matchAll(/^ {2}'(\/[^':]+)': lazyComponent/gm)]
  .map(([, route = '']) => route)
  .filter((route) => !optionalRoutes.includes(route))

/** The routes that every customer can open, except the dashboard. */
export const customerRoutes = routes.filter((route) => !route.startsWith('/admin') && route !== '/dashboard')
/** The routes that every administrator can open, except the pages of customers. */
export const staffRoutes = routes.filter((route) => route.startsWith('/admin'))

/** The password of every account in these tests. */
export const password = 'una clave larga y mía'

/**
 * Makes the test fail if a script throws, the console shows an error, or the content security policy blocks something.
 */
export function watchForErrors(page: Page): void {
  page.on('pageerror', (error) => {
    throw error
  })
  page.on('console', (message) => {
    // Ignores failed requests, which the browser also logs as errors. Tests check how the screen reports failed
    // requests.
    const isNetwork = /^Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text())
    if (message.type() === 'error' && !isNetwork) {
      throw new Error(`The console says: ${message.text()}`)
    }
  })
}

/** Fills in and submits the sign-in or sign-up form. */
export async function sendCredentials(
  page: Page,
  credentials: { email: string; password: string; button: 'Iniciar Sesión' | 'Registrarse' },
) {
  await page.getByLabel('Email').fill(credentials.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(credentials.password)
  await page.getByRole('button', { name: credentials.button, exact: true }).click()
}

/** Signs in the first administrator of the bank. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  await page.goto('/login')
  await sendCredentials(page, {
    email: 'admin@banco.example',
    password: process.env['E2E_ADMIN_PASSWORD'] ?? '',
    button: 'Iniciar Sesión',
  })
  await expect(page).toHaveURL(/\/dashboard$/)
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  await expect(loginHeading(page)).toBeVisible()
}

/** Requests a recovery link on the login page and returns the mailed link. */
export async function askForRecovery(page: Page, email: string): Promise<string> {
  await page.goto('/login')
  await page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(toast(page)).toContainText('Revisa tu correo')
  return mailedLink(email, 'recovery')
}

export async function saveNewPassword(page: Page, chosen: string, repeated = chosen): Promise<void> {
  await page.getByLabel('Contraseña nueva', { exact: true }).fill(chosen)
  await page.getByLabel('Repite la contraseña').fill(repeated)
  await page.getByRole('button', { name: 'Guardar contraseña' }).click()
}

export const loginHeading = (page: Page) => page.getByRole('heading', { name: 'Bienvenido a Finanzas' })
export const pageHeading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Finds a card of the page by its title. */
export const card = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name })

/** Finds the button of the transaction with this description in a history. */
export function historyRow(page: Page, description: string) {
  const list = page.getByRole('main').getByRole('list', { name: 'Transacciones' })
  return list.getByText(description, { exact: true })
}

/** Finds the region that contains the toasts. */
export function toast(page: Page) {
  return page.getByRole('region', { name: 'Notificaciones' })
}

export async function closeToast(page: Page): Promise<void> {
  await toast(page).getByRole('button', { name: 'Cerrar notificación' }).click()
  await expect(toast(page)).toHaveText('')
}

/** Waits until the newest mail to the address has a link of the given type, and returns the link of the newest mail. */
export async function mailedLink(address: string, type?: string): Promise<string> {
  let link = ''
  await expect
    .poll(async () => {
      link = linkIn(await newestMailTo(address))
      return link !== '' && (type === undefined || typeOf(link) === type)
    }, `a mail with a link to ${address}`)
    .toBe(true)
  return link
}

function typeOf(link: string): string | null {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('type')
}

async function newestMailTo(address: string): Promise<string> {
  const directory = join(process.env['E2E_DATA_DIR'] ?? '', 'outbox')
  const files = await readdir(directory).catch(() => [])
  // A mail that is still being written has a different extension.
  const mails = files.filter((file) => file.endsWith('.eml'))
  // File names begin with the time, so that sorting them in descending order puts the newest mail first.
  for (const file of mails.toSorted((a, b) => b.localeCompare(a))) {
    const mail = await readFile(join(directory, file), 'utf8')
    if (mail.toLowerCase().includes(`to: ${address.toLowerCase()}`)) return mail
  }
  return ''
}

/** Returns the first line that consists only of a URL. */
function linkIn(mail: string): string {
  return /^(https?:\/\/\S+)\r?$/m.exec(mail)?.[1] ?? ''
}
