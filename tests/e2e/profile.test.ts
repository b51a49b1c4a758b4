/** The profile: docs/specification.md §2 "Profile", §4 and §8; habeas data (security.md PR-01, PR-02). */
import { readFile } from 'node:fs/promises'
import { type Page, expect } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { recordExpenses, customerTest as test, threeNamesTest } from './people.ts'
import { closeToast, loginHeading, pageHeading, toast } from './screens.ts'

const edit = (page: Page) => page.getByRole('button', { name: 'Editar Perfil' })

test('the profile shows the name and the email, and only one of its rows opens a dialog', async ({
  page,
  person,
}) => {
  await page.goto('/perfil')
  await expect(page.getByRole('main').getByText('Ana Pérez', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible()
  for (const [row, today] of [
    ['Cambiar contraseña', 'cámbiala más abajo'],
    ['Notificaciones', 'llegan siempre a tu email'],
  ] as const) {
    await page.getByRole('main').getByRole('button', { name: row }).click()
    await expect(toast(page)).toContainText('Función no implementada')
    await expect(toast(page)).toContainText(today)
    await closeToast(page)
  }
  const row = page.getByRole('button', { name: 'Información personal' })
  await row.click()
  await expect(page.getByRole('dialog', { name: 'Editar Perfil' })).toBeVisible()

  await page.keyboard.press('Escape')

  await expect(row).toBeFocused()
})

threeNamesTest('the dialog splits the name at its first space and saves once', async ({ page }) => {
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

test('a customer can download all their data in one archive', async ({ page, person }) => {
  await recordExpenses(person, [{ description: '=1+1', amount: 12.5, category: 'Compras' }])
  await person.client.from('transactions').update({ category: 'Comida' }).eq('user_id', person.id)
  await page.goto('/perfil')
  const coming = page.waitForEvent('download')

  await page.getByRole('button', { name: 'Descargar mis datos' }).click()

  const download = await coming
  expect(download.suggestedFilename()).toBe('mis-datos.zip')
  await expect(toast(page)).toContainText('Tus datos están en tu carpeta de descargas.')
  const files = Object.entries(unzipSync(await readFile(await download.path())))
  const texts = new Map(files.map(([name, bytes]) => [name, strFromU8(bytes)]))
  const json = JSON.parse(texts.get('mis-datos.json') ?? '') as Record<string, Record<string, unknown>[]>
  expect(json['auth.users']?.[0]).toMatchObject({ id: person.id, email: person.email })
  expect(json['public.transactions']?.[0]).toMatchObject({ description: '=1+1', amount: 12.5 })
  expect(json['public.transaction_edits']?.[0]).toMatchObject({ seq: 2, before: { category: 'Compras' } })
  expect(json['public.journal_entries']?.[0]).toMatchObject({ kind: 'note', seq: 1 })
  expect(texts.get('movimientos.csv')).toContain(`;'=1+1;Comida;Gasto;-12,50;Cliente`)
  expect([...texts.values()].join('\n')).not.toContain('argon2')
})

test.describe('nightly', { tag: '@nightly' }, () => {
  test('a failed save shows an error, and the dialog keeps its input', async ({ page }) => {
    await refuseRequests(page, isRequest('PUT', '/auth/v1/user'), {
      status: 400,
      body: { code: 'validation_failed', message: 'no' },
    })
    await page.goto('/perfil')
    await edit(page).click()
    await page.getByRole('dialog').getByLabel('Nombre').fill('Ana')
    await page.keyboard.press('Enter')

    await expect(toast(page).getByRole('alert')).toContainText(/Error.*No se pudo actualizar el perfil\./)
    await expect(page.getByRole('dialog').getByLabel('Nombre')).toHaveValue('Ana')
  })

  test('a person whose authenticator app is on the same phone can copy the key', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/perfil')
    await page.getByRole('button', { name: 'Añadir aplicación' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verificación en dos pasos' })
    await dialog.getByRole('button', { name: 'Copiar clave' }).click()

    await expect(toast(page)).toContainText('Clave copiada')
    const shown = await dialog.locator('code').innerText()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.replaceAll(' ', ''))
  })

  test('the color scheme follows the system until a person chooses a scheme, which the page remembers', async ({
    page,
  }) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/perfil')
    await expect(pageHeading(page)).toBeVisible()
    const light = await paper()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(paper).not.toBe(light)

    await page.getByText('Clara', { exact: true }).click()
    await expect.poll(paper).toBe(light)
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Clara' })).toBeChecked()
    await expect.poll(paper).toBe(light)
  })

  test('a person can delete their account only by entering the password', async ({ page, person }) => {
    await page.goto('/perfil')
    await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
    const dialog = page.getByRole('dialog', { name: 'Eliminar mi cuenta' })
    const erase = dialog.getByRole('button', { name: 'Eliminar para siempre' })
    await expect(dialog).toContainText('Si tienes saldo, retíralo antes.')

    await erase.click()
    await expect(dialog).toContainText('Escribe tu contraseña.')
    await dialog.getByLabel('Contraseña').fill('esta no es la clave')
    await erase.click()
    await expect(toast(page)).toContainText('La contraseña no es correcta.')
    await dialog.getByLabel('Contraseña').fill(person.password)
    await erase.click()

    await expect(toast(page)).toContainText('Tu cuenta fue eliminada')
    await expect(loginHeading(page)).toBeVisible()
    const { error } = await person.client.auth.signInWithPassword(person)
    expect(error).toMatchObject({ code: 'invalid_credentials' })
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth'))),
    ).toEqual([])
  })
})
