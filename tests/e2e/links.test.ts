/** Links from mails sign in to no account without a question (docs/decisions/0044). */
import { type Browser, type Page, expect, test } from '@playwright/test'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { mailedLink } from './outbox.ts'
import { type Person, administratorClient, newPerson, storedSession } from './accounts.ts'
import { toast, watchForErrors } from './screens.ts'

/** A page of the signed-in person. */
async function browserOf(browser: Browser, person: Person): Promise<Page> {
  const context = await browser.newContext({ storageState: storedSession(person) })
  const page = await context.newPage()
  watchForErrors(page)
  await page.goto('/perfil')
  await expect(page.getByText(person.email)).toBeVisible()
  return page
}

async function twoPeople(): Promise<[Person, Person]> {
  const administrator = await administratorClient()
  const person = (fullName: string) => newPerson(administrator, { fullName, role: 'user' })
  return [await person('Inés Mora'), await person('Otra Persona')]
}

async function askForRecovery(page: Page, { email }: Person): Promise<string> {
  await page.goto('/login')
  await page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(toast(page)).toContainText('Revisa tu correo')
  return mailedLink(email, 'recovery')
}

/** The address that a page with this session in it has. */
function fragmentOf({ session }: Person): string {
  const { access_token, refresh_token } = session
  return new URLSearchParams({
    access_token,
    refresh_token,
    expires_in: '3600',
    token_type: 'bearer',
    type: 'signup',
  }).toString()
}

test('tokens in an address put nobody into another account: they are asked, and may stay', async ({
  browser,
}) => {
  const [victim, attacker] = await twoPeople()
  const page = await browserOf(browser, victim)

  await page.goto(`/#${fragmentOf(attacker)}`)
  await expect(page.getByRole('heading', { name: `¿Entrar como ${attacker.email}?` })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await page.getByRole('button', { name: `Seguir como ${victim.email}` }).click()

  await page.goto('/perfil')
  await expect(page.getByText(victim.email)).toBeVisible()
  // The declined session has ended.
  expect((await attacker.client.auth.getUser()).error).not.toBe(null)
  await page.context().close()
})

test(
  'saying yes opens the other account and ends the session before',
  { tag: '@nightly' },
  async ({ browser }) => {
    const [one, other] = await twoPeople()
    const page = await browserOf(browser, one)

    await page.goto(`/#${fragmentOf(other)}`)
    await page.getByRole('button', { name: `Entrar como ${other.email}` }).click()

    await expect(toast(page)).toContainText(`Entraste como ${other.email}.`)
    await page.goto('/perfil')
    await expect(page.getByText(other.email)).toBeVisible()
    expect((await one.client.auth.getUser()).error).not.toBe(null)
    await page.context().close()
  },
)

test(
  'a link that was asked for on one device opens on another, by a press of its button',
  { tag: '@nightly' },
  async ({ browser, page }) => {
    const [person] = await twoPeople()
    const link = await askForRecovery(page, person)
    const phone = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage()
    watchForErrors(phone)

    await phone.goto(link)
    await expect(phone.getByRole('heading', { name: 'Crea una contraseña nueva' })).toBeVisible()
    await phone.getByRole('button', { name: 'Continuar' }).click()
    await phone.getByLabel('Contraseña nueva', { exact: true }).fill('otra clave larga')
    await phone.getByLabel('Repite la contraseña').fill('otra clave larga')
    await phone.getByRole('button', { name: 'Guardar contraseña' }).click()

    await expect(phone).toHaveTitle('Panel - Banco Finanzas')
    await phone.context().close()
  },
)

test(
  'somebody else’s link opens nothing by itself where a link was asked for',
  { tag: '@nightly' },
  async ({ browser, page }) => {
    const [person, attacker] = await twoPeople()
    await askForRecovery(page, person)
    const elsewhere = await (await browser.newContext()).newPage()
    const attackersLink = await askForRecovery(elsewhere, attacker)

    await page.goto(attackersLink)

    await expect(page.getByRole('heading', { name: `¿Entrar como ${attacker.email}?` })).toBeVisible()
    await page.getByRole('button', { name: 'Ahora no' }).click()
    await expect(page.getByRole('heading', { name: 'Bienvenido a Finanzas' })).toBeVisible()
    await elsewhere.context().close()
  },
)

test('the link in the notice of a new app takes it back, with every session', async ({ browser, page }) => {
  const [person] = await twoPeople()
  await addApp(person)
  watchForErrors(page)

  await page.goto(await mailedLink(person.email, 'second_factor'))
  await expect(page.getByRole('heading', { name: '¿No fuiste tú?' })).toBeVisible()
  await page.getByRole('button', { name: 'Quitar y cerrar todo' }).click()

  await expect(toast(page)).toContainText('Listo: tu cuenta volvió a ser tuya')
  await expect(page.getByRole('heading', { name: 'Bienvenido a Finanzas' })).toBeVisible()
  expect((await person.client.auth.getUser()).error).not.toBe(null)
  const owner = await (await browser.newContext()).newPage()
  await owner.goto(await askForRecovery(owner, person))
  await expect(owner).toHaveTitle('Nueva Contraseña - Finanzas')
  await owner.context().close()
})

test(
  'without the app its end is asked for by a recovery link, and the page says when',
  { tag: '@nightly' },
  async ({ page }) => {
    const [person] = await twoPeople()
    await addApp(person)
    watchForErrors(page)
    await page.goto(await askForRecovery(page, person))

    await page.getByRole('button', { name: 'No tengo mi teléfono ni mis códigos' }).click()
    await page.getByRole('button', { name: 'Quitarla en 72 horas' }).click()

    await expect(page.getByText(/^La quitaremos el \d+ de /)).toBeVisible()
  },
)

test(
  'before the second step changes the page asks for the password, and goes on with it',
  { tag: '@nightly' },
  async ({ browser }) => {
    const [person] = await twoPeople()
    const page = await browserOf(browser, person)
    // As in a session that was opened long ago: the server asks once.
    await page.route(
      '**/auth/v1/factors',
      (route) =>
        route.fulfill({
          status: 400,
          headers: { 'x-supabase-api-version': '2024-01-01' },
          json: { code: 'reauthentication_needed', message: 'Show the current password first.' },
        }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Activar' }).click()
    const question = page.getByRole('dialog', { name: 'Confirma que eres tú' })

    await question.getByLabel('Contraseña').fill('no es esta')
    await question.getByLabel('Contraseña').press('Enter')
    await expect(toast(page)).toContainText('La contraseña no es correcta.')
    await expect(question.getByText('La contraseña no es correcta.')).toBeVisible()
    await question.getByLabel('Contraseña').fill(person.password)
    await question.getByLabel('Contraseña').press('Enter')

    await expect(page.getByRole('dialog').getByRole('img', { name: /Código QR/ })).toBeVisible()
    await page.context().close()
  },
)

async function addApp({ client }: Person): Promise<{ factorId: string }> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error !== null) throw new Error('The app could not be added.', { cause: error })
  const code = await new AuthenticatorApp(data.totp.secret).nextCode()
  const { error: refusal } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code })
  if (refusal !== null) throw new Error('The first code was refused.', { cause: refusal })
  return { factorId: data.id }
}
