/** A forgotten password: the event PASSWORD_RECOVERY of docs/specification.md §4. */
import { expect, test } from '@playwright/test'
import { mailedLink } from './outbox.ts'
import { administratorClient, newPerson } from './accounts.ts'
import { sendCredentials, toast, watchForErrors } from './screens.ts'

test('a mailed link opens the form of a new password, which then signs in', async ({ page }) => {
  watchForErrors(page)
  const person = await newPerson(await administratorClient(), { fullName: 'Inés Mora', role: 'user' })
  await page.goto('/login')
  await page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(toast(page)).toContainText('Revisa tu correo')

  await page.goto(await mailedLink(person.email))
  await expect(page).toHaveTitle('Nueva Contraseña - Finanzas')
  await page.getByLabel('Contraseña nueva', { exact: true }).fill('otra clave larga')
  await page.getByLabel('Repite la contraseña').fill('otra clave lerga')
  await page.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(page.getByText('Las dos contraseñas no son iguales.')).toBeVisible()
  await page.getByLabel('Repite la contraseña').fill('otra clave larga')
  await page.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(page).toHaveTitle('Panel - Banco Finanzas')

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  await sendCredentials(page, { email: person.email, password: 'otra clave larga', button: 'Iniciar Sesión' })
  await expect(page).toHaveURL('/dashboard')
})
