/** Habeas data in the profile: the customer takes their data along, and has themself erased (security.md PR-01, PR-02). */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { toast } from './screens.ts'
import { customerTest as test } from './signed-in.ts'

test('the data come as two files with everything in them', async ({ page, person }) => {
  await person.client
    .from('transactions')
    .insert({ user_id: person.id, type: 'expense', description: '=1+1', amount: 12.5, category: 'Comida' })
  await page.goto('/perfil')
  const files: Record<string, string> = {}
  const both = new Promise<void>((resolve) => {
    page.on('download', (download) => {
      void download.path().then(async (path) => {
        files[download.suggestedFilename()] = await readFile(path, 'utf8')
        if (Object.keys(files).length === 2) resolve()
      })
    })
  })

  await page.getByRole('button', { name: 'Descargar mis datos' }).click()
  await both

  await expect(toast(page)).toContainText('Tus datos están en tu carpeta de descargas.')
  const json = JSON.parse(files['mis-datos.json'] ?? '') as Record<string, Record<string, unknown>[]>
  expect(json['auth.users']?.[0]).toMatchObject({ id: person.id, email: person.email })
  expect(json['public.transactions']?.[0]).toMatchObject({ description: '=1+1', amount: 12.5 })
  expect(json['public.journal_entries']?.[0]).toMatchObject({ kind: 'expense', seq: 1 })
  expect(files['mis-datos.csv']).toContain(`'=1+1`)
  expect(files['mis-datos.csv']).not.toContain('argon2')
})

test(
  'the account is erased with the password, not without, and the page says goodbye',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await page.goto('/perfil')
    await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
    const dialog = page.getByRole('dialog', { name: 'Eliminar mi cuenta' })
    await expect(dialog).toContainText('Si tienes saldo, retíralo antes.')

    await dialog.getByRole('button', { name: 'Eliminar para siempre' }).click()
    await expect(dialog).toContainText('Escribe tu contraseña.')
    await dialog.getByLabel('Contraseña').fill('esta no es la clave')
    await dialog.getByRole('button', { name: 'Eliminar para siempre' }).click()
    await expect(toast(page)).toContainText('La contraseña no es correcta.')
    await dialog.getByLabel('Contraseña').fill(person.password)
    await dialog.getByRole('button', { name: 'Eliminar para siempre' }).click()

    await expect(toast(page)).toContainText('Tu cuenta fue eliminada')
    await expect(page.getByRole('heading', { name: 'Bienvenido a Finanzas' })).toBeVisible()
    const { error } = await person.client.auth.signInWithPassword(person)
    expect(error).toMatchObject({ code: 'invalid_credentials' })
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth'))),
    ).toEqual([])
  },
)
