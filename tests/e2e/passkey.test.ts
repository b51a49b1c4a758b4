// Passkeys in Chromium with a virtual authenticator (WebAuthn, section 11; security.md AN-16).
import { type Page, expect } from '@playwright/test'
import { check } from './accessibility-rules.ts'
import { test } from './people.ts'
import { sendCredentials, signOut, toast } from './screens.ts'

/** The tests use the host name localhost, because passkeys cannot be created for an IP address. */
const url = `http://localhost:${process.env['E2E_PORT']}`

/** Adds a virtual authenticator that answers immediately and reports that it has verified its user. */
async function addAuthenticator(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}

const codeQuestion = (page: Page) => page.getByRole('heading', { name: 'Escribe tu código' })

test('a customer can add a passkey, sign in with it and remove it', async ({ page, customer }) => {
  await addAuthenticator(page)
  const { email, password } = customer
  await page.goto(`${url}/perfil`)
  await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
  const section = page.getByRole('region', { name: 'Verificación en dos pasos' })

  await test.step('the dialog proposes a name, and shows recovery codes after the first factor is added', async () => {
    await section.getByRole('button', { name: 'Añadir llave de acceso' }).click()
    const dialog = page.getByRole('dialog', { name: 'Llave de acceso' })
    await expect(dialog.getByLabel('Nombre')).toHaveValue('Chrome en Linux')
    await dialog.getByRole('button', { name: 'Continuar' }).click()
    await expect(toast(page)).toContainText('Llave de acceso añadida')
    await page.getByRole('button', { name: 'Ya los guardé' }).click()
    await expect(section.getByRole('listitem')).toContainText(/^Chrome en LinuxLlave de acceso · Añadida el /)
  })

  await test.step('the page does not request account data before the passkey is verified', async () => {
    await signOut(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
    await expect(page.getByRole('button', { name: 'Usar llave de acceso' })).toBeFocused()
    expect(asked.filter((path) => path.startsWith('/rest/') || path.startsWith('/realtime/'))).toEqual([])
    await page.getByRole('button', { name: 'Usar llave de acceso' }).click()
    await expect(toast(page)).toContainText('¡Bienvenido de nuevo! 🎉')
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  await test.step('the profile lists recovery codes beside the passkey', async () => {
    await signOut(page)
    await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
    await page.getByRole('button', { name: 'No tengo mi llave: usar un código de recuperación' }).click()
    await expect(codeQuestion(page)).toBeVisible()
    await page.getByRole('button', { name: 'Usar llave de acceso' }).click()
    await page.getByRole('button', { name: 'Usar llave de acceso' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  await test.step('after the passkey is removed, the password alone is enough to sign in', async () => {
    await page.goto(`${url}/perfil`)
    await section.getByRole('button', { name: 'Quitar Chrome en Linux' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Desactivar' }).click()
    await expect(toast(page)).toContainText('Verificación desactivada')
    await expect(section.getByRole('listitem')).toHaveCount(0)
  })
})

test(
  'the screens for passkeys pass the rules of axe and do not overflow',
  { tag: '@nightly' },
  async ({ page, customer }) => {
    await addAuthenticator(page)
    const { email, password } = customer
    const signIn = () => sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
    const add = () => page.getByRole('button', { name: 'Añadir llave de acceso' }).click()
    await page.goto(`${url}/perfil`)
    await signIn()
    await add()
    await page.getByRole('dialog').getByRole('button', { name: 'Continuar' }).click()
    await page.getByRole('button', { name: 'Ya los guardé' }).click()

    await check(page, {
      name: 'a new passkey without a name',
      path: `${url}/perfil`,
      open: async () => {
        await add()
        await page.getByLabel('Nombre').fill('')
        await page.getByRole('dialog').getByRole('button', { name: 'Continuar' }).click()
        await expect(page.getByText('Escribe un nombre.')).toBeVisible()
      },
    })
    await check(page, { name: 'the profile with a passkey', path: `${url}/perfil` })
    await page.setViewportSize({ width: 1280, height: 800 })
    await signOut(page)
    await signIn()
    await expect(page.getByRole('button', { name: 'Usar llave de acceso' })).toBeVisible()
    await check(page, { name: 'the form for a passkey', path: url })
  },
)
