import { expect, test } from '@playwright/test'
import { mailedLink } from './outbox.ts'
import { newAddress, sendCredentials, signInAsAdministrator, toast, watchForErrors } from './screens.ts'
import { customerTest } from './signed-in.ts'

test.beforeEach(({ page }) => watchForErrors(page))

test('a wrong password is refused and the address stays in its field', async ({ page }) => {
  await page.goto('/')
  await sendCredentials(page, {
    email: 'admin@banco.example',
    password: 'otra clave',
    button: 'Iniciar Sesión',
  })

  await expect(toast(page)).toContainText('Sign in Failed')
  await expect(toast(page)).toContainText('Invalid login credentials')
  await expect(page.getByLabel('Email')).toHaveValue('admin@banco.example')
})

test('signed out, every path shows the login', async ({ page }) => {
  for (const path of ['/admin', '/transacciones', '/no-existe']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Bienvenido a Finanzas' })).toBeVisible()
  }
})

test('a link that was used tells what to do', { tag: '@nightly' }, async ({ page }) => {
  const email = newAddress()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Regístrate' }).click()
  await sendCredentials(page, { email, password: 'una clave larga y mía', button: 'Registrarse' })
  const link = await mailedLink(email)
  await page.goto(link)
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirmar mi cuenta' }).click()

  await expect(page.getByRole('main')).toContainText('El enlace caducó o ya se usó.')
})

customerTest(
  'a customer who types /admin, or any other address, lands on the dashboard',
  async ({ page }) => {
    for (const path of ['/admin', '/no-existe', '/']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/dashboard$/)
    }
    await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0)
  },
)

customerTest(
  'an amount that is no money is refused beside its field, and what was typed stays',
  async ({ page }) => {
    await page.goto('/dashboard')
    const form = page.getByRole('region', { name: 'Añadir Nuevo Gasto' })
    await form.getByLabel('Descripción').fill('<b>Café</b>')

    for (const amount of ['0', '-5', 'NaN', '1.005', '1000000000000']) {
      await form.getByLabel('Monto').fill(amount)
      await form.getByRole('button', { name: 'Añadir gasto' }).click()
      await expect(form.getByLabel('Monto')).toHaveAttribute('aria-invalid', 'true')
      await expect(form.getByLabel('Monto')).toHaveValue(amount)
    }
    await form.getByLabel('Monto').fill('4,50')
    await form.getByRole('button', { name: 'Añadir gasto' }).click()

    const history = page.getByRole('region', { name: 'Historial de Transacciones' })
    await expect(history.getByText('<b>Café</b>')).toBeVisible()
    await expect(history.getByText('-$4.50')).toBeVisible()
  },
)

test(
  'an administrator is refused what would harm the bank, in a sentence',
  { tag: '@nightly' },
  async ({ page }) => {
    await signInAsAdministrator(page)
    await page.goto('/admin')
    const own = page.getByRole('row').filter({ hasText: 'admin@banco.example' })
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.accept()
    })

    await own.getByRole('button', { name: /Eliminar/ }).click()

    await expect(toast(page)).toContainText('Error al eliminar')
    expect(questions).toEqual(['¿Estás seguro de que quieres eliminar este usuario?'])
    await expect(own).toBeVisible()
  },
)
