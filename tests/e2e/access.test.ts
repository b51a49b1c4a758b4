/** Access to an account: owners manage their sessions and password, and staff block and unblock accounts. */
import { type Page, expect } from '@playwright/test'
import { signIn } from '#testing/people.ts'
import { everyRule, violations } from './accessibility-rules.ts'
import { population } from '#testing/population.ts'
import { newPerson, server, customerTest as test } from './people.ts'
import { card, closeToast, loginHeading, password, sendCredentials, toast } from './screens.ts'

const devices = (page: Page) => card(page, 'Dispositivos y contraseña')

test('a customer can end a lost device’s session and change the password in the profile', async ({
  page,
  person,
}) => {
  const lost = await signIn(server, { email: person.email, password })
  const kept = await signIn(server, { email: person.email, password })
  const reads = async ({ client }: typeof lost) => (await client.from('budgets').select('balance')).status
  await page.goto('/perfil')

  await test.step('the list of sessions begins with the current session, which cannot be ended there', async () => {
    const rows = devices(page).getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await expect(rows.first()).toContainText('Este dispositivo')
    await expect(rows.first().getByRole('button')).toHaveCount(0)
  })

  await test.step('the customer ends another session', async () => {
    await devices(page)
      .getByRole('button', { name: /^Cerrar la sesión de/ })
      .first()
      .click()
    await expect(toast(page)).toContainText('Sesión cerrada')
    await expect(devices(page).getByRole('listitem')).toHaveCount(2)
    await closeToast(page)
    expect(new Set([await reads(lost), await reads(kept)])).toEqual(new Set([200, 401]))
  })

  await test.step('a new password ends the other sessions and keeps the current page signed in', async () => {
    await devices(page).getByRole('button', { name: 'Cambiar mi contraseña' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cambiar contraseña' })
    await dialog.getByLabel('Contraseña actual').fill(password)
    await dialog.getByLabel('Contraseña nueva', { exact: true }).fill('otra clave larga y mía')
    await dialog.getByLabel('Repite la contraseña nueva').fill('otra clave larga y mía')
    await dialog.getByRole('button', { name: 'Guardar contraseña' }).click()
    await expect(toast(page)).toContainText('Contraseña cambiada')
    await expect(devices(page)).toContainText('Solo este dispositivo tiene tu sesión abierta.')
    expect([await reads(lost), await reads(kept)]).toEqual([401, 401])
  })
})

test('staff can block and unblock a customer, and the next sign-in shows the reason for the block', async ({
  page: customers,
  person,
  openAs,
  administrator,
}) => {
  const staff = await openAs(await newPerson(administrator, population.administrator))
  await customers.goto('/dashboard')
  await staff.goto(`/admin/clientes/${person.id}?vista=cuenta`)
  const act = async (open: string, chosen?: string) => {
    await card(staff, 'Acceso').getByRole('button', { name: open, exact: true }).click()
    if (chosen !== undefined) {
      await staff.getByRole('dialog').getByLabel('Motivo').selectOption('Actividad sospechosa')
      await staff.getByRole('dialog').getByLabel('Por cuánto tiempo').selectOption(chosen)
    }
    await staff.getByRole('dialog').getByRole('button', { name: open, exact: true }).click()
  }

  await test.step('a block signs the customer out of every open page', async () => {
    await card(staff, 'Acceso').getByRole('button', { name: 'Cambiar email' }).click()
    await expect(staff.getByRole('dialog', { name: 'Cambiar email' })).toBeVisible()
    expect(await violations(staff, everyRule)).toEqual([])
    await staff.keyboard.press('Escape')
    await act('Bloquear', '7 días')
    await expect(toast(staff)).toContainText('Acceso bloqueado')
    await expect(staff.getByText(/^Bloqueado hasta el .* · Actividad sospechosa$/)).toBeVisible()
    await customers.reload()
    await expect(loginHeading(customers)).toBeVisible()
  })

  await test.step('the sign-in shows the reason in Spanish', async () => {
    await sendCredentials(customers, { email: person.email, password, button: 'Iniciar Sesión' })
    await expect(toast(customers)).toContainText('User is banned')
    await expect(
      customers.getByRole('main').getByText('Esta cuenta está bloqueada. Comunícate con el banco.'),
    ).toBeVisible()
  })

  await test.step('the customer can sign in again after the block ends', async () => {
    await act('Desbloquear')
    await expect(toast(staff)).toContainText('Acceso desbloqueado')
    await sendCredentials(customers, { email: person.email, password, button: 'Iniciar Sesión' })
    await expect(customers).toHaveURL(/\/dashboard$/)
  })
})
