/** A mailed link cannot switch a signed-in person to another account without a confirmation (docs/decisions/0044). */
import { type Page, expect } from '@playwright/test'
import { type Person, addApp, test } from './people.ts'
import { askForRecovery, loginHeading, mailedLink, saveNewPassword, toast } from './screens.ts'

/** Opens the profile and checks that it shows the person's e-mail address. */
async function expectAccount(page: Page, { email }: Person): Promise<void> {
  await page.goto('/perfil')
  await expect(page.getByText(email)).toBeVisible()
}

async function expectEnded({ client }: Person): Promise<void> {
  expect((await client.auth.getUser()).error).not.toBe(null)
}

/** Returns the path of a page with the person's session tokens in the URL fragment. */
function addressWith({ session }: Person): string {
  const { access_token, refresh_token } = session
  const tokens = { access_token, refresh_token, expires_in: '3600', token_type: 'bearer', type: 'signup' }
  return `/#${new URLSearchParams(tokens).toString()}`
}

test('a link with tokens cannot switch the account without a confirmation', async ({
  customer,
  stranger,
  openAs,
}) => {
  const page = await openAs(customer)
  await expectAccount(page, customer)
  await page.goto(addressWith(stranger))
  await expect(page.getByRole('heading', { name: `¿Entrar como ${stranger.email}?` })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await page.getByRole('button', { name: `Seguir como ${customer.email}` }).click()

  await expectAccount(page, customer)
  // Declining the link ended the session that the link offered.
  await expectEnded(stranger)
})

test('the link in the notice about a new authenticator app removes the app and ends every session', async ({
  page,
  customer,
  openAs,
}) => {
  await addApp(customer)

  await page.goto(await mailedLink(customer.email, 'second_factor'))
  await expect(page.getByRole('heading', { name: '¿No fuiste tú?' })).toBeVisible()
  await page.getByRole('button', { name: 'Quitar y cerrar todo' }).click()

  await expect(toast(page)).toContainText('Listo: tu cuenta volvió a ser tuya')
  await expect(loginHeading(page)).toBeVisible()
  await expectEnded(customer)
  const owner = await openAs(null)
  await owner.goto(await askForRecovery(owner, customer.email))
  await expect(owner).toHaveTitle('Nueva Contraseña - Finanzas')
})

test.describe('nightly', { tag: '@nightly' }, () => {
  test('a confirmed link signs in to the other account and ends the earlier session', async ({
    customer,
    stranger,
    openAs,
  }) => {
    const page = await openAs(customer)
    await expectAccount(page, customer)
    await page.goto(addressWith(stranger))
    await page.getByRole('button', { name: `Entrar como ${stranger.email}` }).click()

    await expect(toast(page)).toContainText(`Entraste como ${stranger.email}.`)
    await expectAccount(page, stranger)
    await expectEnded(customer)
  })

  test('a link requested on one device can be opened on another device after a confirmation', async ({
    page,
    customer,
    openAs,
  }) => {
    const link = await askForRecovery(page, customer.email)
    const phone = await openAs(null, { viewport: { width: 360, height: 740 } })

    await phone.goto(link)
    await expect(phone.getByRole('heading', { name: 'Crea una contraseña nueva' })).toBeVisible()
    await phone.getByRole('button', { name: 'Continuar' }).click()
    await saveNewPassword(phone, 'otra clave larga')

    await expect(phone).toHaveTitle('Panel - Banco Finanzas')
  })

  test('another person’s link does not open without a confirmation', async ({
    page,
    customer,
    stranger,
    openAs,
  }) => {
    await askForRecovery(page, customer.email)
    const strangersLink = await askForRecovery(await openAs(null), stranger.email)

    await page.goto(strangersLink)

    await expect(page.getByRole('heading', { name: `¿Entrar como ${stranger.email}?` })).toBeVisible()
    await page.getByRole('button', { name: 'Ahora no' }).click()
    await expect(loginHeading(page)).toBeVisible()
  })

  test('a person with a recovery link can request the removal of a lost authenticator app and sees the date of the removal', async ({
    page,
    customer,
  }) => {
    await addApp(customer)
    await page.goto(await askForRecovery(page, customer.email))

    await page.getByRole('button', { name: 'No tengo mi teléfono ni mis códigos' }).click()
    await page.getByRole('button', { name: 'Quitarla en 72 horas' }).click()

    await expect(page.getByText(/^La quitaremos el \d+ de /)).toBeVisible()
  })

  test('the page asks for the password before it changes a second factor, and then makes the change', async ({
    customer,
    openAs,
  }) => {
    const page = await openAs(customer)
    await page.goto('/perfil')
    // Answers the first request like a server that requires the password again because the session is too old.
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
    await page.getByRole('button', { name: 'Añadir aplicación' }).click()
    const question = page.getByRole('dialog', { name: 'Confirma que eres tú' })

    await question.getByLabel('Contraseña').fill('no es esta')
    await question.getByLabel('Contraseña').press('Enter')
    await expect(toast(page)).toContainText('La contraseña no es correcta.')
    await expect(question.getByText('La contraseña no es correcta.')).toBeVisible()
    await question.getByLabel('Contraseña').fill(customer.password)
    await question.getByLabel('Contraseña').press('Enter')

    await expect(page.getByRole('dialog').getByRole('img', { name: /Código QR/ })).toBeVisible()
  })
})
