/** Flows that use only the keyboard. The focus must move to the expected element and return afterwards. */
import { type Page, expect } from '@playwright/test'
import { administratorTest, customerTest, test } from './people.ts'
import { newEmail } from '#testing/population.ts'
import { card, pageHeading, password, toast } from './screens.ts'

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['getByRole']>, presses = 40): Promise<void> {
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`The focus never reached ${String(target)}.`)
}

test('after the sign-in, the heading of the dashboard has the focus', async ({ page, customer }) => {
  await page.goto('/login')
  await expect(pageHeading(page)).toBeVisible()
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(customer.email)
  await tabTo(page, page.getByLabel('Contraseña', { exact: true }), 1)
  await page.keyboard.type(customer.password)
  await page.keyboard.press('Enter')

  await expect(pageHeading(page)).toHaveText('Hola, Zoé')
})

customerTest('a customer can add an expense and set the budget, and the focus returns', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page.getByText('No hay transacciones recientes.')).toBeVisible()
  const form = card(page, 'Añadir Nuevo Gasto')
  await tabTo(page, form.getByLabel('Monto'))
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Monto')).toBeFocused()
  await expect(form.getByText('Escribe un monto.')).toBeVisible()
  await page.keyboard.type('4,50')
  await tabTo(page, form.getByLabel('Descripción'), 1)
  await page.keyboard.type('Café')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Gasto añadido')
  await expect(form.getByLabel('Monto')).toBeFocused()

  const edit = page.getByRole('button', { name: 'Editar presupuesto mensual' })
  await tabTo(page, edit)
  await page.keyboard.press('Enter')
  const limit = page.getByRole('dialog').getByLabel('Límite mensual')
  await expect(limit).toBeFocused()
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(edit).toBeFocused()
})

customerTest(
  'a customer can use the keyboard to hide amounts, change the color scheme and open a support answer',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/dashboard')
    await expect(pageHeading(page)).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Ocultar cifras' }))
    await page.keyboard.press('Space')
    await expect(page.getByRole('button', { name: 'Ocultar cifras', pressed: true })).toBeFocused()

    await page.goto('/perfil')
    await expect(pageHeading(page)).toBeVisible()
    await tabTo(page, page.getByRole('radio', { name: 'Del sistema' }))
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Clara' })).toBeChecked()

    await page.goto('/soporte')
    await expect(pageHeading(page)).toBeVisible()
    await tabTo(page, page.locator('summary').first())
    await page.keyboard.press('Enter')
    await expect(page.getByText('Añadir Nuevo Gasto')).toBeVisible()
  },
)

administratorTest(
  'an administrator can create, find and delete a user with the keyboard',
  { tag: '@nightly' },
  async ({ page }) => {
    const email = newEmail()
    await page.goto('/admin')
    const opener = page.getByRole('button', { name: 'Crear usuario' })
    await expect(opener).toBeVisible()
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByLabel('Nombre completo')).toBeFocused()
    for (const text of ['Zoé Luna', email, password]) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    // Moves the focus past the button that shows the password and past the role field.
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await expect(toast(page)).toContainText('Usuario creado correctamente.')
    await expect(opener).toBeFocused()

    await tabTo(page, page.getByRole('searchbox'))
    await page.keyboard.type(email)
    await expect(page.getByRole('row')).toHaveCount(2)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.keyboard.press('ArrowDown')
    await tabTo(page, page.getByRole('button', { name: 'Más acciones de Zoé Luna' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Eliminar a Zoé Luna' }))
    await page.keyboard.press('Enter')
    await expect(toast(page)).toContainText('Usuario eliminado.')
  },
)
