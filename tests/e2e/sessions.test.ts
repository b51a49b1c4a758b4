// The life of a session in a browser: each of the client's seven events (docs/specification.md §4), and what the screen makes of it.
import { type BrowserContext, type Page, expect, test } from '@playwright/test'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { mailedLink } from './outbox.ts'
import { newAddress, sendCredentials, toast, watchForErrors } from './screens.ts'

const password = 'una clave larga y mía'

/** What the client announces to the other tabs: every event but INITIAL_SESSION, which is each tab's own. */
async function listenToEvents(context: BrowserContext): Promise<string[]> {
  const events: string[] = []
  await context.exposeFunction('noteEvent', (event: unknown) => events.push(String(event)))
  await context.addInitScript(() => {
    const { noteEvent } = window as unknown as { noteEvent: (event: unknown) => Promise<void> }
    window.BroadcastChannel = class extends BroadcastChannel {
      override postMessage(message: { event?: unknown }) {
        void noteEvent(message.event)
        super.postMessage(message)
      }
    }
  })
  return events
}

/** A new customer, signed in by the link in their mail; the dashboard is on the screen. */
async function join(page: Page): Promise<{ email: string }> {
  const email = newAddress()
  await page.goto('/')
  await page.getByRole('button', { name: 'Regístrate' }).click()
  await sendCredentials(page, { email, password, button: 'Registrarse' })
  await expect(toast(page)).toContainText('¡Registro exitoso! 🚀')
  await page.goto(await mailedLink(email))
  await expect(page).toHaveURL(/\/dashboard$/)
  return { email }
}

const greeting = (page: Page) => page.getByRole('heading', { name: 'Bienvenido a Finanzas' })
const codeQuestion = (page: Page) => page.getByRole('heading', { name: 'Escribe tu código' })

async function leave(page: Page) {
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  await expect(greeting(page)).toBeVisible()
}

test(
  'INITIAL_SESSION, SIGNED_IN, USER_UPDATED, TOKEN_REFRESHED and SIGNED_OUT',
  { tag: '@nightly' },
  async ({ page, context }) => {
    watchForErrors(page)
    const events = await listenToEvents(context)

    // INITIAL_SESSION without a session: the login, and nothing is waited for.
    await page.goto('/perfil')
    await expect(greeting(page)).toBeVisible()
    const { email } = await join(page)
    await expect.poll(() => events).toContain('SIGNED_IN')

    // INITIAL_SESSION with one: a second tab, and a reload, go on where they are.
    const other = await context.newPage()
    await other.goto('/perfil')
    await expect(other.getByText(email)).toBeVisible()

    // USER_UPDATED: the new name is on the screen.
    await page.goto('/perfil')
    await page.getByRole('button', { name: 'Editar Perfil' }).click()
    await page.getByLabel('Nombre').fill('Laura')
    await page.getByLabel('Apellido').fill('Restrepo Gómez')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByRole('main').getByText('Laura Restrepo Gómez')).toBeVisible()
    await expect.poll(() => events).toContain('USER_UPDATED')

    // TOKEN_REFRESHED: a token that is about to expire is replaced while the page stays as it is.
    const before = await storedSession(page)
    await page.evaluate((key) => {
      const session = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
      localStorage.setItem(
        key,
        JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 30 }),
      )
    }, before.key)
    await page.reload()
    await expect(page.getByRole('main').getByText('Laura Restrepo Gómez')).toBeVisible()
    await expect.poll(() => events).toContain('TOKEN_REFRESHED')
    expect((await storedSession(page)).refreshToken).not.toBe(before.refreshToken)

    // SIGNED_OUT: in every tab, and nothing of the session stays in the browser.
    await leave(page)
    await expect.poll(() => events).toContain('SIGNED_OUT')
    await expect(greeting(other)).toBeVisible()
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sb-'))),
    ).toEqual([])
  },
)

test(
  'MFA_CHALLENGE_VERIFIED: the second step is turned on, asked for, and got past with a code on paper',
  { tag: '@nightly' },
  async ({ page, context }) => {
    test.setTimeout(150_000)
    watchForErrors(page)
    const events = await listenToEvents(context)
    const { email } = await join(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    let app = new AuthenticatorApp('A'.repeat(32))
    let paper: string[] = []

    await test.step('the profile shows a picture, takes the first code, and shows ten codes once', async () => {
      await page.goto('/perfil')
      const section = page.getByRole('region', { name: 'Verificación en dos pasos' })
      await section.getByRole('button', { name: 'Activar' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('img', { name: /Código QR/ })).toBeVisible()
      expect(
        await dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
      ).toBeGreaterThan(0)
      await page.screenshot({ path: 'test-results/story/dos-pasos-activar.png' })
      const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
      app = new AuthenticatorApp(secret)
      await dialog.getByLabel('Código de seis dígitos').fill(await app.nextCode())
      await dialog.getByRole('button', { name: 'Activar' }).click()
      await expect(page.getByRole('dialog', { name: 'Códigos de recuperación' })).toBeVisible()
      paper = await page
        .getByRole('list', { name: 'Códigos de recuperación' })
        .getByRole('listitem')
        .allInnerTexts()
      expect(new Set(paper).size).toBe(10)
      await page.screenshot({ path: 'test-results/story/dos-pasos-codigos.png' })
      // The browser asks, and is answered with no: the codes stay.
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Códigos de recuperación' })).toBeVisible()
      await page.getByRole('button', { name: 'Ya los guardé' }).click()
      await expect(section.getByRole('button', { name: 'Desactivar' })).toBeVisible()
      await expect.poll(() => events).toContain('MFA_CHALLENGE_VERIFIED')
      await leave(page)
    })

    await test.step('after the password the code is asked for, and nothing of the account is fetched before', async () => {
      asked.length = 0
      events.length = 0
      await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
      await expect(codeQuestion(page)).toBeVisible()
      await page.reload()
      await expect(codeQuestion(page)).toBeVisible()
      expect(asked.filter((path) => path.startsWith('/rest/') || path.startsWith('/realtime/'))).toEqual([])
      await page.screenshot({ path: 'test-results/story/dos-pasos-codigo.png', fullPage: true })
    })

    await test.step('a wrong code says so and the question stays; the right one opens the account', async () => {
      await page.getByRole('button', { name: 'Continuar' }).click()
      await expect(page.getByText('Escribe el código de seis dígitos.')).toBeVisible()
      await page.getByLabel('Código').fill(app.lastCode())
      await page.getByRole('button', { name: 'Continuar' }).click()
      await expect(toast(page)).toContainText('El código no es correcto o ya se usó.')
      await page.getByLabel('Código').fill(await app.nextCode())
      await page.getByRole('button', { name: 'Continuar' }).click()
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(toast(page)).toContainText('¡Bienvenido de nuevo! 🎉')
      await expect.poll(() => events).toContain('MFA_CHALLENGE_VERIFIED')
      await leave(page)
    })

    await test.step('without the phone a code on paper does', async () => {
      await sendCredentials(page, { email, password, button: 'Iniciar Sesión' })
      await page.getByRole('button', { name: /usar un código de recuperación/ }).click()
      await page.getByLabel('Código de recuperación').fill(paper[0] ?? '')
      await page.getByRole('button', { name: 'Continuar' }).click()
      await expect(page).toHaveURL(/\/dashboard$/)
      await leave(page)
    })

    await test.step('a recovery link asks for the code before the new password', async () => {
      await page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Enviar enlace' }).click()
      await expect(toast(page)).toContainText('Revisa tu correo')
      await page.goto(await mailedLink(email, 'recovery'))
      await expect(codeQuestion(page)).toBeVisible()
      await page.getByLabel('Código').fill(await app.nextCode())
      await page.getByRole('button', { name: 'Continuar' }).click()
      await page.getByLabel('Contraseña nueva', { exact: true }).fill('otra clave larga y mía')
      await page.getByLabel('Repite la contraseña').fill('otra clave larga y mía')
      await page.getByRole('button', { name: 'Guardar contraseña' }).click()
      await expect(page).toHaveURL(/\/dashboard$/)
    })

    await test.step('it is turned off again', async () => {
      page.on('dialog', (dialog) => void dialog.accept())
      await page.goto('/perfil')
      const section = page.getByRole('region', { name: 'Verificación en dos pasos' })
      await section.getByRole('button', { name: 'Desactivar' }).click()
      await expect(toast(page)).toContainText('Verificación desactivada')
      await expect(section.getByRole('button', { name: 'Activar' })).toBeVisible()
    })
  },
)

async function storedSession(page: Page): Promise<{ key: string; refreshToken: unknown }> {
  return page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('-auth-token')) ?? ''
    const session = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
    return { key, refreshToken: session['refresh_token'] }
  })
}

test('the browser keeps the session and nothing else of a person, and nothing after they left', async ({
  page,
  context,
}) => {
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

  await leave(page)

  const after = await kept()
  expect(session).toHaveLength(1)
  expect(JSON.stringify(during.stored.filter(([name]) => !name.endsWith('-auth-token')))).not.toContain(email)
  expect(after.stored.filter(([name]) => name.includes('auth'))).toEqual([])
  expect(JSON.stringify(after)).not.toContain(email)
  expect(JSON.stringify(after)).not.toContain('eyJ')
  expect([after.databases, after.caches, await context.cookies()]).toEqual([[], [], []])
})
