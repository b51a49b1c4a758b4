/**
 * A customer chooses the events about which the bank sends notifications. profile.test.ts tests the placeholder that a
 * bank without notifications shows instead.
 */
import { expect } from '@playwright/test'
import { population } from '#testing/population.ts'
import { everyRule, violations } from './accessibility-rules.ts'
import { toast } from './screens.ts'
import { transferTest as test } from './transfer-bank.ts'

/** The server sends notifications every 15 seconds. */
const reportMs = 40_000

test('a customer chooses events and sees a new notification without a reload', async ({ bank, openAs }) => {
  test.slow()
  const ana = await bank.newPerson(population.customer)
  const page = await openAs(ana)
  await page.goto('/perfil')
  const row = page.getByRole('main').getByRole('button', { name: 'Notificaciones' })
  const dialog = page.getByRole('dialog', { name: 'Notificaciones' })
  await expect(page.getByText('Aquí verás lo que te avisamos.')).toBeVisible()

  await test.step('the customer chooses deposits and a low balance', async () => {
    await row.click()
    await dialog.getByLabel('Un depósito').check()
    await dialog.getByLabel('Un saldo menor que un monto').check()
    await dialog.getByLabel('Saldo menor que', { exact: true }).fill('20')
    expect(await violations(page, everyRule)).toEqual([])
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await expect(toast(page)).toContainText('Notificaciones guardadas')
    await expect(dialog).toHaveCount(0)
    await expect(row).toBeFocused()
  })

  await test.step('a deposit appears in the list', async () => {
    await bank.deposit(ana, 30)
    const list = page.getByRole('list', { name: 'Lo que te avisamos' })
    await expect(list).toContainText('El banco registró un depósitoNuevo', { timeout: reportMs })
    expect(await violations(page, everyRule)).toEqual([])
  })

  await test.step('the choice is kept, and the mark disappears from a notification that was read', async () => {
    await page.reload()
    const list = page.getByRole('list', { name: 'Lo que te avisamos' })
    await expect(list).toContainText('El banco registró un depósito')
    await expect(list).not.toContainText('Nuevo')
    await row.click()
    await expect(dialog.getByLabel('Un depósito')).toBeChecked()
    await expect(dialog.getByLabel('Un saldo menor que un monto')).toBeChecked()
    await expect(dialog.getByLabel('Un gasto que registra el banco, mayor que un monto')).not.toBeChecked()
  })
})
