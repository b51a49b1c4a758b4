import { type Page, expect, test } from '@playwright/test'
import { newEmail } from '#testing/population.ts'
import {
  card,
  loginHeading,
  mailedLink,
  password,
  sendCredentials,
  signInAsAdministrator,
  toast,
  watchForErrors,
} from './screens.ts'

const balance = (page: Page, amount: string) =>
  card(page, 'Detalles de la Banca').getByText(amount, { exact: true })

test('a customer can sign up, receive a deposit and delete an expense', async ({ page, browser }) => {
  watchForErrors(page)
  const customer = { email: newEmail(), password }

  await test.step('the customer signs up and gets a mail', async () => {
    await page.goto('/')
    await expect(page).toHaveTitle('Iniciar Sesión - Finanzas')
    await page.getByRole('button', { name: 'Regístrate' }).click()
    await expect(page).toHaveTitle('Registrarse - Finanzas')
    await expect(page.getByRole('heading', { name: 'Crea tu Cuenta' })).toBeVisible()
    await sendCredentials(page, { ...customer, button: 'Registrarse' })
    await expect(toast(page)).toContainText('¡Registro exitoso! 🚀')
    await expect(toast(page)).toContainText('Revisa tu correo para confirmar tu cuenta.')
    await expect(loginHeading(page)).toBeVisible()
  })

  await test.step('a customer cannot sign in before confirming the mail', async () => {
    await sendCredentials(page, { ...customer, button: 'Iniciar Sesión' })
    await expect(toast(page)).toContainText('Sign in Failed')
    await expect(toast(page)).toContainText('Email not confirmed')
  })

  await test.step('the link signs the customer in and shows an empty account', async () => {
    await page.goto(await mailedLink(customer.email))
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page).toHaveTitle('Panel - Banco Finanzas')
    await expect(balance(page, '$0.00')).toBeVisible()
    await expect(page.getByRole('main').getByText('No hay transacciones recientes.')).toBeVisible()
    await expect(card(page, 'Tu dinero').getByText('Con tu primer movimiento')).toBeVisible()
  })

  const office = await (await browser.newContext()).newPage()
  watchForErrors(office)

  await test.step('the administrator finds the customer and registers a deposit', async () => {
    await signInAsAdministrator(office)
    await office.getByRole('link', { name: 'Admin' }).first().click()
    await expect(office.getByRole('heading', { name: 'Panel de Administración' })).toBeVisible()
    await office.getByRole('searchbox').fill(customer.email)
    const row = office.getByRole('row').filter({ hasText: customer.email })
    await expect(row).toBeVisible()
    await row.getByRole('button', { name: /transacción/i }).click()
    const dialog = office.getByRole('dialog')
    await dialog.getByLabel('Monto (COP)').fill('1250000.50')
    await dialog.getByLabel('Descripción').fill('Nómina de noviembre')
    await dialog.getByRole('button', { name: 'Depositar $1,250,000.50' }).click()
    await expect(toast(office)).toContainText('Transacción registrada correctamente.')
  })

  await test.step('the customer’s open page shows the deposit without a reload', async () => {
    // dashboard.test.ts tests how quickly the page shows a change.
    await expect(balance(page, '$1,250,000.50')).toBeVisible()
    await expect(page.getByRole('main').getByText('Nómina de noviembre')).toBeVisible()
    const latest = card(page, 'Historial de Transacciones')
    await expect(latest.getByText('+$1,250,000.50')).toBeVisible()
  })

  await test.step('the customer adds an expense', async () => {
    const form = card(page, 'Añadir Nuevo Gasto')
    await form.getByLabel('Descripción').fill('Almuerzo con Inés')
    await form.getByLabel('Monto').fill('38.25')
    await form.getByLabel('Categoría').selectOption('Comida')
    await form.getByRole('button', { name: 'Añadir gasto' }).click()
    await expect(balance(page, '$1,249,962.25')).toBeVisible()
    await expect(page.getByRole('main').getByText('-$38.25').first()).toBeVisible()
  })

  await test.step('the customer finds the expense in the history and deletes it', async () => {
    await page.getByRole('link', { name: 'Ver todo' }).click()
    await expect(page).toHaveURL(/\/transacciones$/)
    await expect(page).toHaveTitle('Transacciones - Finanzas')
    await page.getByRole('searchbox').fill('INES')
    await expect(page.getByRole('main').getByText('Almuerzo con Inés')).toBeVisible()
    await expect(page.getByRole('main').getByText('Nómina de noviembre')).toBeHidden()
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Categoría').selectOption({ label: 'Depósitos' })
    await expect(page.getByRole('main').getByText('Almuerzo con Inés')).toBeHidden()
    await expect(page.getByRole('main').getByText('Nómina de noviembre')).toBeVisible()
    await page.getByLabel('Categoría').selectOption({ label: 'Todas' })
    await page.getByRole('button', { name: 'Eliminar Almuerzo con Inés,' }).click()
    await expect(toast(page)).toContainText('Transacción Eliminada')
    await expect(toast(page)).toContainText('Almuerzo con Inés')
    await page.getByRole('searchbox').fill('nada de esto existe')
    await expect(
      page.getByRole('main').getByText('No se encontraron transacciones que coincidan con tus criterios.'),
    ).toBeVisible()
  })

  await test.step('the balance includes the deleted amount again', async () => {
    await page.getByRole('link', { name: 'Inicio' }).first().click()
    await expect(balance(page, '$1,250,000.50')).toBeVisible()
  })

  await test.step('the back button shows the login after a sign-out', async () => {
    await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(loginHeading(page)).toBeVisible()
    await page.goBack()
    await expect(loginHeading(page)).toBeVisible()
    await expect(page.getByRole('main').getByText('$1,250,000.50')).toBeHidden()
  })
})
