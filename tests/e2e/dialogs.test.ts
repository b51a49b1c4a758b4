/** What stands in a dialog is not lost by leaving it; the real history of a browser, which the part's own test has not. */
import { expect } from '@playwright/test'
import { customerTest as test } from './signed-in.ts'

test(
  'the back button closes a dialog, asks before it loses what was typed, and then leads back',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Perfil' }).first().click()
    await expect(page).toHaveURL('/perfil')
    await page.getByRole('button', { name: 'Editar Perfil' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Perfil' })
    const answers = [false, true]
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.message())
      void (answers[questions.length - 1] === true ? question.accept() : question.dismiss())
    })
    const goBack = () => page.evaluate(() => window.history.back())

    await goBack()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL('/perfil')
    await page.getByRole('button', { name: 'Editar Perfil' }).click()
    await dialog.getByLabel('Nombre').fill('Laura Inés')
    await goBack()
    await expect.poll(() => questions).toEqual(['¿Quieres descartar lo que escribiste?'])
    await expect(dialog.getByLabel('Nombre')).toHaveValue('Laura Inés')
    await expect(page).toHaveURL('/perfil')
    await goBack()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL('/perfil')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perfil')
    await goBack()

    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hola, Laura')
  },
)
