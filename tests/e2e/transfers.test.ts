/**
 * A customer transfers money. two-administrators.test.ts tests that the other customer's page shows the transfer. The
 * specification does not mention transfers.
 */
import { expect, type Page } from '@playwright/test'
import { population } from '#testing/population.ts'
import { watchJoins } from './live.ts'
import { card, password, toast } from './screens.ts'
import { transferTest as test } from './transfer-bank.ts'

const main = (page: Page) => page.getByRole('main')
const account = (page: Page) => main(page).getByRole('region', { name: 'Tu cuenta' })

test('a customer transfers a small amount at once, and cancels a large transfer that waits for the bank', async ({
  bank,
  openAs,
}) => {
  const ana = await bank.newPerson(population.customer, 1500)
  const luis = await bank.newPerson(population.otherCustomer)
  const page = await openAs(ana)
  const form = page.getByRole('dialog', { name: 'Nueva transferencia' })
  const summary = page.getByRole('dialog', { name: 'Revisa la transferencia' })

  await test.step('a new beneficiary is confirmed with the password', async () => {
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Solicitar Transferencia' }).click()
    await form.getByLabel('Nombre').fill('Luis el vecino')
    await form.getByLabel('Email o llave').fill(luis.email)
    await form.getByLabel('Monto').fill('100')
    await form.getByLabel('Concepto').fill('Cena')
    // The customer has just entered the password to sign in, so the server would not ask for it again. The test
    // therefore mocks the refusal.
    await page.route(
      '**/rpc/confirm_beneficiary',
      (route) =>
        route.fulfill({
          status: 403,
          json: { code: 'reauthentication_needed', message: 'Confirma tu contraseña para continuar.' },
        }),
      { times: 1 },
    )
    await form.getByRole('button', { name: 'Continuar' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirma que eres tú' })
    await proof.getByLabel('Contraseña', { exact: true }).fill(password)
    await proof.getByRole('button', { name: 'Continuar' }).click()
    await expect(summary).toContainText('Luis el vecinoL••• M•••')
    await expect(summary).toContainText('Te quedará disponible$1,400.00')
    await expect(summary.getByRole('group', { name: 'Revisa la transferencia' })).toBeFocused()
  })

  await test.step('the small transfer is done at once', async () => {
    await summary.getByRole('button', { name: 'Transferir $100.00' }).click()
    const sent = page.getByRole('dialog', { name: 'Transferencia hecha' })
    await expect(sent.getByRole('button', { name: 'Compartir comprobante' })).toBeVisible()
    await sent.getByRole('button', { name: 'Listo' }).click()
    // The URL no longer contains the request for a new transfer, so a reload does not open the form again.
    await expect(page).toHaveURL('/transferencias')
    await expect(account(page)).toHaveText('Saldo$1,400.00Reservado$0.00Disponible$1,400.00')
  })

  const elsewhere = await openAs(ana)
  const elsewhereListens = watchJoins(elsewhere)
  await elsewhere.goto('/transferencias')
  await elsewhereListens()

  await test.step('the large transfer waits, and its amount is reserved', async () => {
    await page.getByRole('button', { name: 'Nueva transferencia' }).click()
    await form.getByLabel('Para').selectOption('Luis el vecino')
    await form.getByLabel('Monto').fill('1401')
    await expect(form).toContainText('Es más de lo que tienes disponible.')
    await form.getByLabel('Monto').fill('600')
    await form.getByRole('button', { name: 'Continuar' }).click()
    await expect(summary).toContainText('Cuando el banco la apruebe')
    await summary.getByRole('button', { name: 'Transferir $600.00' }).click()
    await expect(toast(page)).toContainText('Espera la aprobación del banco')
    for (const each of [page, elsewhere])
      await expect(account(each)).toHaveText('Saldo$1,400.00Reservado$600.00Disponible$800.00')
  })

  await test.step('every open page shows that a cancellation releases the amount', async () => {
    await card(page, 'En curso')
      .getByRole('button', { name: 'Cancelar la transferencia a Luis el vecino' })
      .click()
    await expect(toast(page)).toContainText('Transferencia cancelada')
    for (const each of [page, elsewhere]) {
      await expect(account(each)).toHaveText('Saldo$1,400.00Reservado$0.00Disponible$1,400.00')
      await expect(card(each, 'En curso')).toContainText('No tienes transferencias en curso.')
      await expect(card(each, 'Anteriores')).toContainText('Cancelada el')
    }
  })

  await test.step('every open page shows that the beneficiary was removed', async () => {
    await page.getByRole('button', { name: 'Quitar a Luis el vecino' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click()
    for (const each of [page, elsewhere])
      await expect(card(each, 'Beneficiarios').getByRole('listitem')).toHaveCount(0)
  })
})
