/** The administrator's area: docs/specification.md §2 "Admin", §4, §5, §6 and §8. */
import { type Page, expect } from '@playwright/test'
import { holdRequests, isRequest } from './held-requests.ts'
import { administratorTest as test } from './people.ts'
import { newEmail } from '#testing/population.ts'
import { pageHeading, password, toast } from './screens.ts'

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const alert = (page: Page) => toast(page).getByRole('alert')

/** Opens the administrator's panel and filters the list to one user. */
async function openAt(page: Page, email: string): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('searchbox').fill(email)
  await expect(page).toHaveURL(/[?&]buscar=/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(rowOf(page, email)).toBeVisible()
}

/** Opens the menu of further actions for the only user in the list. */
const openMenu = (page: Page) => page.getByRole('button', { name: /^Más acciones de / }).click()

test('the list shows users with email, role and last sign-in', async ({ page, customer, person }) => {
  const held = await holdRequests(page, isRequest('POST', '/rest/v1/rpc/list_customers'))
  await page.goto('/admin')
  await expect(page).toHaveTitle('Admin - Finanzas')
  await expect(pageHeading(page)).toHaveText('Panel de Administración')
  await expect(page.getByRole('main').getByText('Cargando usuarios…')).toBeAttached()
  held.release()
  await page.getByRole('searchbox').fill(customer.fullName.replace('Zoé', 'ZOE'))

  const row = rowOf(page, customer.email)
  await expect(row).toContainText(customer.fullName)
  await expect(row).toContainText('Cliente')
  await expect(row.getByRole('time')).toHaveText(/^(Ahora|Hace \d+ \w+)$/)
  await expect(rowOf(page, person.email)).toHaveCount(0)
  await page.getByRole('searchbox').fill('nadie se llama así')
  await expect(page.getByText('No hay usuarios que coincidan con tu búsqueda.')).toBeVisible()
})

test('on a phone the first user of the list stands within 230 px of the upper edge', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin')
  const first = page.getByRole('row').first()

  await expect(first).toBeVisible()
  expect((await first.boundingBox())?.y).toBeLessThanOrEqual(230)
  await page.getByRole('button', { name: 'Filtros' }).click()
  await expect(page.getByLabel('Ordenar por')).toBeVisible()
})

test('a double click creates only one user, who is a customer by default', async ({ page }) => {
  const email = newEmail()
  const held = await holdRequests(page, isRequest('POST', '/functions/v1/manage-users'))
  await page.goto('/admin')
  const opener = page.getByRole('button', { name: 'Crear usuario' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Crear usuario' })
  await expect(dialog.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(dialog.getByLabel('Rol')).toHaveValue('user')
  await dialog.getByLabel('Nombre completo').fill('Julia Peña')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Contraseña').fill(password)
  await dialog.getByRole('button', { name: 'Crear usuario' }).dblclick()
  held.release()

  await expect(toast(page)).toContainText('Usuario creado correctamente.')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('searchbox').fill(email)
  await expect(rowOf(page, email)).toContainText('Cliente')
  expect(held.count()).toBe(1)
  await opener.click()
  await expect(dialog.getByLabel('Nombre completo')).toHaveValue('')
  await expect(dialog.getByLabel('Email')).toHaveValue('')
})

test('an administrator can change a role, and a forbidden change shows the server’s message', async ({
  page,
  customer,
  person,
}) => {
  const change = async ({ email, fullName }: typeof person, role: 'admin' | 'user') => {
    await page.getByRole('searchbox').fill(email)
    await page.getByRole('button', { name: `Más acciones de ${fullName}` }).click()
    await page.getByRole('button', { name: `Editar rol de ${fullName}` }).click()
    await page.getByRole('dialog').getByLabel('Rol').selectOption(role)
    await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  }
  await page.goto('/admin')
  await change(customer, 'admin')
  await expect(toast(page)).toContainText('Rol de usuario actualizado.')
  await expect(rowOf(page, customer.email).getByText('Admin', { exact: true })).toBeVisible()

  await change(person, 'user')
  await expect(alert(page)).toContainText(/Error al actualizar rol.*[a-záéíóú]+\.$/)
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a user is deleted only after a confirmation, and declining the confirmation changes nothing', async ({
  page,
  customer,
}) => {
  await openAt(page, customer.email)
  const remove = page.getByRole('button', { name: `Eliminar a ${customer.fullName}` })
  const answer = async (accepts: boolean) => {
    await openMenu(page)
    const asked = page.waitForEvent('dialog')
    const clicked = remove.click()
    const question = await asked
    expect(question.type()).toBe('confirm')
    expect(question.message()).toBe('¿Estás seguro de que quieres eliminar este usuario?')
    await (accepts ? question.accept() : question.dismiss())
    await clicked
  }
  await answer(false)
  await expect(rowOf(page, customer.email)).toBeVisible()

  await answer(true)

  await expect(toast(page)).toContainText('Usuario eliminado.')
  await expect(rowOf(page, customer.email)).toHaveCount(0)
})

test('an administrator registers an expense under Gasto, and the form resets to deposit', async ({
  page,
  customer,
}) => {
  await openAt(page, customer.email)
  const opener = page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` })
  await opener.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Monto (COP)')).toBeFocused()
  await expect(dialog.getByRole('radio', { name: 'Depósito' })).toBeChecked()
  await dialog.getByRole('group', { name: 'Tipo' }).getByRole('radio', { name: 'Gasto' }).check()
  await dialog.getByLabel('Monto (COP)').fill('75')
  await dialog.getByLabel('Monto (COP)').press('ArrowUp')
  await expect(dialog.getByLabel('Monto (COP)')).toHaveValue('76')
  await dialog.getByLabel('Monto (COP)').fill('75.25')
  await dialog.getByLabel('Descripción').fill('En ventanilla')
  // Holds the request, so that the second click happens before the answer.
  const registering = await holdRequests(page, isRequest('POST', '/functions/v1/manage-transactions'))
  const submit = `Registrar gasto de $75.25 de ${customer.fullName}`
  await dialog.getByRole('button', { name: submit }).dblclick()
  registering.release()

  await expect(toast(page)).toContainText(`Registraste un gasto de $75.25 de ${customer.fullName}`)
  await expect(toast(page)).toContainText('Transacción registrada correctamente.')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  const { data: rows } = await customer.client.from('transactions').select('type, amount, category')
  expect(rows).toEqual([{ type: 'expense', amount: 75.25, category: 'Gasto' }])
  const { data: budget } = await customer.client.from('budgets').select('balance').single()
  expect(budget).toEqual({ balance: -75.25 })
  await opener.click()
  await expect(dialog.getByRole('radio', { name: 'Depósito' })).toBeChecked()
  await expect(dialog.getByLabel('Descripción')).toHaveValue('')
})

test.describe('nightly', { tag: '@nightly' }, () => {
  test('pressing the button again after a lost answer does not register the transaction twice', async ({
    page,
    customer,
  }) => {
    // Simulates a page that is served over plain HTTP, where `crypto.randomUUID` does not exist.
    await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
    const keys = await loseFirstAnswer(page, '/functions/v1/manage-transactions')
    await openAt(page, customer.email)
    await page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Monto (COP)').fill('75.25')
    await dialog.getByLabel('Descripción').fill('En ventanilla')
    await dialog.getByRole('button', { name: 'Depositar $75.25' }).click()
    await expect(alert(page)).toContainText('Error en la transacción')
    await expect(alert(page)).toContainText(
      'No llegó la respuesta. Inténtalo de nuevo con los mismos datos: no se hará dos veces.',
    )
    await expect(dialog.getByLabel('Descripción')).toHaveValue('En ventanilla')
    await dialog.getByRole('button', { name: 'Depositar $75.25' }).click()
    await expect(toast(page)).toContainText('Transacción registrada correctamente.')

    const { data: rows } = await customer.client.from('transactions').select('amount, description')
    expect(rows).toEqual([{ amount: 75.25, description: 'En ventanilla' }])
    const { data: budget } = await customer.client.from('budgets').select('balance').single()
    expect(budget).toEqual({ balance: 75.25 })
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
  })
})

/** Drops the server's first answer, and returns a list that collects the idempotency keys of the page's requests. */
async function loseFirstAnswer(page: Page, path: string): Promise<string[]> {
  const isCall = isRequest('POST', path)
  const keys: string[] = []
  await page.route('**/*', async (route) => {
    if (!isCall(route.request())) return route.fallback()
    keys.push((await route.request().headerValue('idempotency-key')) ?? '')
    if (keys.length > 1) return route.fallback()
    expect((await route.fetch()).status()).toBe(200)
    return route.abort('connectionreset')
  })
  return keys
}
