/** The screens before an account is open, by the rules of accessibility-rules.ts: new password, recovery codes, code, link, proof. */
import { expect, test } from '@playwright/test'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { check } from './accessibility-rules.ts'
import { mailedLink } from './outbox.ts'
import { type Person, administratorClient, newPerson, storedSession } from './accounts.ts'
import { sendCredentials, toast, watchForErrors } from './screens.ts'

test.use({ reducedMotion: 'reduce' })

const newCustomer = async () =>
  newPerson(await administratorClient(), { fullName: 'Inés Mora', role: 'user' })

/** Turns the second step on, in the session of the person's client. */
async function turnOnSecondStep({ client }: Person): Promise<void> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error !== null) throw error
  const code = await new AuthenticatorApp(data.totp.secret).nextCode()
  const { error: refusal } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code })
  if (refusal !== null) throw refusal
}

test(
  'the new password with what is missing breaks no rule and stays within the screen',
  { tag: '@nightly' },
  async ({ page }) => {
    watchForErrors(page)
    const { email } = await newCustomer()
    await page.goto('/login')
    await page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Enviar enlace' }).click()
    await expect(toast(page)).toContainText('Revisa tu correo')

    await check(page, {
      name: 'the new password',
      path: await mailedLink(email),
      open: () => page.getByRole('button', { name: 'Guardar contraseña' }).click(),
    })
  },
)

test(
  'the codes on paper break no rule and stay within the screen',
  { tag: '@nightly' },
  async ({ browser }) => {
    const person = await newCustomer()
    await turnOnSecondStep(person)
    const { data } = await person.client.auth.getSession()
    if (data.session === null) throw new Error('The session is gone.')
    const context = await browser.newContext({
      storageState: storedSession({ ...person, session: data.session }),
    })
    const page = await context.newPage()
    watchForErrors(page)

    await check(page, {
      name: 'the codes on paper',
      path: '/perfil',
      open: async () => {
        await page.getByRole('button', { name: 'Nuevos códigos de recuperación' }).click()
        await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(10)
      },
    })
    await context.close()
  },
)

test(
  'the question for a code breaks no rule and stays within the screen',
  { tag: '@nightly' },
  async ({ page }) => {
    watchForErrors(page)
    const person = await newCustomer()
    await turnOnSecondStep(person)
    await page.goto('/login')
    await sendCredentials(page, { ...person, button: 'Iniciar Sesión' })
    await expect(page.getByRole('heading', { name: 'Escribe tu código' })).toBeVisible()

    await check(page, {
      name: 'the question for a code',
      path: '/',
      open: () => page.getByRole('button', { name: 'Continuar' }).click(),
    })
  },
)

test(
  'the question of a link, and its other ones, break no rule and stay within the screen',
  { tag: '@nightly' },
  async ({ browser }) => {
    const [person, other] = [await newCustomer(), await newCustomer()]
    const context = await browser.newContext({ storageState: storedSession(person) })
    const page = await context.newPage()
    watchForErrors(page)
    const { access_token, refresh_token } = other.session

    await check(page, {
      name: 'the notice of a new second factor',
      path: '/enlace#token_hash=abc&type=second_factor',
      open: () => page.getByRole('heading', { name: '¿No fuiste tú?' }).waitFor(),
    })
    await check(page, {
      name: 'the question before another account',
      path: `/perfil#${new URLSearchParams({ access_token, refresh_token, token_type: 'bearer' }).toString()}`,
      open: () => page.getByRole('heading', { name: /^¿Entrar como/ }).waitFor(),
    })
    await context.close()
  },
)

test(
  'the question for the password before the second step changes breaks no rule',
  { tag: '@nightly' },
  async ({ browser }) => {
    const person = await newCustomer()
    const context = await browser.newContext({ storageState: storedSession(person) })
    const page = await context.newPage()
    watchForErrors(page)
    await page.route('**/auth/v1/factors', (route) =>
      route.fulfill({
        status: 400,
        headers: { 'x-supabase-api-version': '2024-01-01' },
        json: { code: 'reauthentication_needed', message: 'Show the current password first.' },
      }),
    )

    await check(page, {
      name: 'the question for the password',
      path: '/perfil',
      open: async () => {
        await page.getByRole('button', { name: 'Activar' }).click()
        await page.getByRole('dialog', { name: 'Confirma que eres tú' }).waitFor()
      },
    })
    await context.close()
  },
)
