// Sessions in a browser: the second step of the sign-in, and the data that remain in the browser after a sign-out.
import { readFile } from 'node:fs/promises'
import { type Page, expect } from '@playwright/test'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { test } from './people.ts'
import { newEmail } from '#testing/population.ts'
import {
  askForRecovery,
  mailedLink,
  password,
  saveNewPassword,
  sendCredentials,
  signOut,
  toast,
} from './screens.ts'

/** Signs up a customer and opens the mailed link, which leads to the dashboard. */
async function join(page: Page): Promise<{ email: string }> {
  const email = newEmail()
  await page.goto('/')
  await page.getByRole('button', { name: 'Regístrate' }).click()
  await sendCredentials(page, { email, password, button: 'Registrarse' })
  await expect(toast(page)).toContainText('¡Registro exitoso! 🚀')
  await page.goto(await mailedLink(email))
  await expect(page).toHaveURL(/\/dashboard$/)
  return { email }
}

const codeQuestion = (page: Page) => page.getByRole('heading', { name: 'Escribe tu código' })

test('a person can pass the second step with a recovery code', { tag: '@nightly' }, async ({ page }) => {
  test.setTimeout(150_000)
  const { email } = await join(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  let app = new AuthenticatorApp('A'.repeat(32))
  let paper: string[] = []

  await test.step('the profile accepts the first code of the app, and shows ten recovery codes only once', async () => {
    await page.goto('/perfil')
    const section = page.getByRole('region', { name: 'Verificación en dos pasos' })
    await section.getByRole('button', { name: 'Añadir aplicación' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('img', { name: /Código QR/ })).toBeVisible()
    expect(
      await dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0)
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
    await expect(dialog.locator(`a[href^="otpauth://totp/"][href*="secret=${secret}"]`)).toHaveCount(1)
    app = new AuthenticatorApp(secret)
    await dialog.getByLabel('Código de seis dígitos').fill(await app.nextCode())
    await dialog.getByRole('button', { name: 'Activar' }).click()
    await expect(page.getByRole('dialog', { name: 'Códigos de recuperación' })).toBeVisible()
    paper = await page
      .getByRole('list', { name: 'Códigos de recuperación' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(new Set(paper).size).toBe(10)
    // Escape must not close the dialog, because the codes are never shown again. Only the button in the dialog may
    // close the dialog.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Códigos de recuperación' })).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Descargar', exact: true }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain(paper.join('\r\n'))
    await page.getByRole('button', { name: 'Ya los guardé' }).click()
    await expect(section.getByRole('button', { name: 'Quitar Aplicación de autenticación' })).toBeVisible()
    await signOut(page)
  })

  await test.step('the page does not fetch account data before the code is entered', async () => {
    asked.length = 0
    await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
    await expect(codeQuestion(page)).toBeVisible()
    await page.reload()
    await expect(codeQuestion(page)).toBeVisible()
    expect(asked.filter((path) => path.startsWith('/rest/') || path.startsWith('/realtime/'))).toEqual([])
  })

  await test.step('a wrong code is refused and the right code opens the account', async () => {
    await page.getByRole('button', { name: 'Continuar' }).click()
    await expect(page.getByText('Escribe el código de seis dígitos.')).toBeVisible()
    await page.getByLabel('Código').fill(app.lastCode())
    await page.getByRole('button', { name: 'Continuar' }).click()
    await expect(toast(page)).toContainText('El código no es correcto o ya se usó.')
    await page.getByLabel('Código').fill(await app.nextCode())
    await page.getByRole('button', { name: 'Continuar' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(toast(page)).toContainText('¡Bienvenido de nuevo! 🎉')
    await signOut(page)
  })

  await test.step('a recovery code signs the customer in without the phone', async () => {
    await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
    await page.getByRole('button', { name: /usar un código de recuperación/ }).click()
    await page.getByLabel('Código de recuperación').fill(paper[0] ?? '')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await signOut(page)
  })

  await test.step('a recovery link asks for the code before the new password', async () => {
    await page.goto(await askForRecovery(page, email))
    await expect(codeQuestion(page)).toBeVisible()
    await page.getByLabel('Código').fill(await app.nextCode())
    await page.getByRole('button', { name: 'Continuar' }).click()
    await saveNewPassword(page, 'otra clave larga y mía')
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  await test.step('the customer can turn off the second step', async () => {
    await page.goto('/perfil')
    const section = page.getByRole('region', { name: 'Verificación en dos pasos' })
    await section.getByRole('button', { name: 'Quitar Aplicación de autenticación' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Desactivar' }).click()
    await expect(toast(page)).toContainText('Verificación desactivada')
    await expect(section.getByRole('button', { name: 'Añadir aplicación' })).toBeVisible()
  })
})

test(
  'the browser stores only the session while a person is signed in, and nothing after the sign-out',
  { tag: '@nightly' },
  async ({ page, context }) => {
    const { email } = await join(page)
    await page.goto('/transacciones')
    await expect(page.getByRole('heading', { name: 'Transacciones', level: 1 })).toBeVisible()
    const kept = () =>
      page.evaluate(async () => ({
        stored: [...Object.entries({ ...localStorage }), ...Object.entries({ ...sessionStorage })],
        databases: await indexedDB.databases(),
        caches: 'caches' in window ? await caches.keys() : [],
      }))
    const during = await kept()
    const session = during.stored.filter(([name]) => name.endsWith('-auth-token'))

    await signOut(page)

    const after = await kept()
    expect(session).toHaveLength(1)
    expect(JSON.stringify(during.stored.filter(([name]) => !name.endsWith('-auth-token')))).not.toContain(
      email,
    )
    expect(after.stored.filter(([name]) => name.includes('auth'))).toEqual([])
    expect(JSON.stringify(after)).not.toContain(email)
    expect(JSON.stringify(after)).not.toContain('eyJ')
    expect([after.databases, after.caches, await context.cookies()]).toEqual([[], [], []])
  },
)
