/** The profile: docs/specification.md §2 "Profile", §4 and §8. */
import { type Page, expect } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { newPerson, storedSession } from './accounts.ts'
import { toast } from './screens.ts'
import { customerTest as test } from './signed-in.ts'

const edit = (page: Page) => page.getByRole('button', { name: 'Editar Perfil' })

test('it shows the full name and the email; one row opens the dialog, the others are not there yet', async ({
  page,
  person,
}) => {
  await page.goto('/perfil')
  await expect(page.getByRole('main').getByText('Laura Restrepo Gómez', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible()
  for (const row of ['Cambiar contraseña', 'Notificaciones']) {
    await page.getByRole('main').getByRole('button', { name: row }).click()
    await expect(toast(page)).toContainText('Función no implementada')
    await toast(page).getByRole('button', { name: 'Cerrar notificación' }).click()
    await expect(toast(page)).toHaveText('')
  }
  const row = page.getByRole('button', { name: 'Información personal' })
  await row.click()
  await expect(page.getByRole('dialog', { name: 'Editar Perfil' })).toBeVisible()

  await page.keyboard.press('Escape')

  await expect(row).toBeFocused()
})

test('somebody who gave no name is called Usuario', async ({ browser, administrator }) => {
  const person = await newPerson(administrator, { fullName: 'x', role: 'user' })
  await person.client.auth.updateUser({ data: { full_name: '' } })
  const { data } = await person.client.auth.getUser()
  if (data.user !== null) person.session.user = data.user
  const context = await browser.newContext({ storageState: storedSession(person) })
  const page = await context.newPage()
  await page.goto('/perfil')

  await expect(page.getByRole('main').getByText('Usuario', { exact: true })).toBeVisible()
  await context.close()
})

test('the dialog splits the name at its first space, saves once, and the new name is shown', async ({
  page,
}) => {
  const held = await holdRequests(page, isRequest('PUT', '/auth/v1/user'))
  await page.goto('/perfil')
  await edit(page).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Perfil' })
  await expect(dialog.getByLabel('Nombre')).toHaveValue('Laura')
  await expect(dialog.getByLabel('Apellido')).toHaveValue('Restrepo Gómez')
  await dialog.getByLabel('Nombre').fill('Ana')
  await dialog.getByRole('button', { name: 'Guardar' }).dblclick()
  await expect(dialog.getByLabel('Nombre')).toBeDisabled()
  held.release()

  await expect(toast(page)).toContainText('Éxito')
  await expect(toast(page)).toContainText('Perfil actualizado correctamente.')
  await expect(dialog).toHaveCount(0)
  await expect(edit(page)).toBeFocused()
  await expect(page.getByRole('main').getByText('Ana Restrepo Gómez', { exact: true })).toBeVisible()
  expect(held.count()).toBe(1)
})

test('both names are required, beside their fields', async ({ page }) => {
  const held = await holdRequests(page, isRequest('PUT', '/auth/v1/user'))
  await page.goto('/perfil')
  await edit(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nombre').fill(' ')
  await dialog.getByLabel('Apellido').fill('')
  await dialog.getByRole('button', { name: 'Guardar' }).click()

  await expect(dialog.getByText('Escribe tu nombre.')).toBeVisible()
  await expect(dialog.getByText('Escribe tu apellido.')).toBeVisible()
  await expect(dialog.getByLabel('Nombre')).toBeFocused()
  expect(held.count()).toBe(0)
})

test(
  'a name that cannot be saved is told, the dialog stays with what was typed',
  { tag: '@nightly' },
  async ({ page }) => {
    await refuseRequests(page, isRequest('PUT', '/auth/v1/user'), {
      status: 400,
      body: { code: 'validation_failed', message: 'no' },
    })
    await page.goto('/perfil')
    await edit(page).click()
    await page.getByRole('dialog').getByLabel('Nombre').fill('Ana')
    await page.keyboard.press('Enter')

    await expect(toast(page).getByRole('alert')).toContainText('Error')
    await expect(toast(page)).toContainText('No se pudo actualizar el perfil.')
    await expect(page.getByRole('dialog').getByLabel('Nombre')).toHaveValue('Ana')
  },
)

test(
  'the key of a new second step is copied, for who has the app on this very phone',
  { tag: '@nightly' },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/perfil')
    await page.getByRole('button', { name: 'Activar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verificación en dos pasos' })
    await dialog.getByRole('button', { name: 'Copiar clave' }).click()

    await expect(toast(page)).toContainText('Clave copiada')
    const shown = await dialog.locator('code').innerText()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.replaceAll(' ', ''))
  },
)

test(
  'the scheme follows the system until it is chosen, and the choice is remembered',
  { tag: '@nightly' },
  async ({ page }) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/perfil')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const light = await paper()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(paper).not.toBe(light)

    await page.getByText('Clara', { exact: true }).click()
    await expect.poll(paper).toBe(light)
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Clara' })).toBeChecked()
    await expect.poll(paper).toBe(light)
  },
)
