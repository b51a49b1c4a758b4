/** The administrator's area: docs/specification.md §2 "Admin", §4, §5, §6 and §8. */
import { type Page, expect } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { newPerson } from './accounts.ts'
import { newAddress, toast } from './screens.ts'
import { administratorTest as test } from './signed-in.ts'

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const newName = () => `Zoé ${crypto.randomUUID().slice(0, 8)}`

/** The panel with that one user listed. */
async function openAt(page: Page, email: string): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('searchbox').fill(email)
  await expect(rowOf(page, email)).toBeVisible()
}

test('the users are listed with email, role and last sign-in, behind a spinner while they load', async ({
  page,
  administrator,
}) => {
  const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
  const held = await holdRequests(page, isRequest('GET', '/rest/v1/profiles'))
  await page.goto('/admin')
  await expect(page).toHaveTitle('Admin - Finanzas')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Panel de Administración')
  await expect(page.getByRole('main').getByText('Cargando usuarios…')).toBeAttached()
  held.release()
  await page.getByRole('searchbox').fill(customer.email)

  await expect(rowOf(page, customer.email)).toContainText(customer.fullName)
  await expect(rowOf(page, customer.email)).toContainText('Cliente')
  await expect(rowOf(page, customer.email).getByRole('time')).toHaveText(/\d\d de \w+ de \d{4}/)
})

test('the search finds names, emails and roles, without regard to case and accents', async ({
  page,
  administrator,
  person,
}) => {
  const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
  await page.goto('/admin')
  for (const search of [customer.fullName.replace('Zoé', 'ZOE'), customer.email.toUpperCase()]) {
    await page.getByRole('searchbox').fill(search)
    await expect(rowOf(page, customer.email)).toBeVisible()
    await expect(rowOf(page, person.email)).toHaveCount(0)
  }

  await page.getByRole('searchbox').fill('clientE')
  await expect(rowOf(page, person.email)).toHaveCount(0)
  await page.getByRole('searchbox').fill('nadie se llama así')
  await expect(page.getByText('No hay usuarios que coincidan con tu búsqueda.')).toBeVisible()
})

test('a list that cannot be loaded is empty and says why', async ({ page }) => {
  await refuseRequests(page, isRequest('GET', '/rest/v1/profiles'), {
    status: 403,
    body: { code: '42501', message: 'permission denied', details: null, hint: null },
  })
  await page.goto('/admin')

  await expect(toast(page).getByRole('alert')).toContainText('Error')
  await expect(toast(page)).toContainText(
    'No se pudieron cargar los usuarios. Es posible que no tengas permisos de administrador.',
  )
  await expect(page.getByText('No hay usuarios para mostrar.')).toBeVisible()
})

test('a user is created once, as a customer unless said otherwise, and the list has them', async ({
  page,
}) => {
  const email = newAddress()
  const held = await holdRequests(page, isRequest('POST', '/functions/v1/manage-users'))
  await page.goto('/admin')
  const opener = page.getByRole('button', { name: 'Crear usuario' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Crear usuario' })
  await expect(dialog.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(dialog.getByLabel('Rol')).toHaveValue('user')
  await dialog.getByLabel('Nombre completo').fill('Julia Peña')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Contraseña').fill('una clave larga y mía')
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

test('name, email and password of a new user are required, and a refusal is the server’s own sentence', async ({
  page,
  person,
}) => {
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Crear usuario' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Crear usuario' }).click()
  for (const sentence of ['Escribe el nombre completo.', 'Escribe el email.', 'Escribe una contraseña.']) {
    await expect(dialog.getByText(sentence)).toBeVisible()
  }
  await dialog.getByLabel('Nombre completo').fill('Otra Marta')
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Contraseña').fill('una clave larga y mía')
  const answered = page.waitForResponse((response) => response.url().endsWith('/manage-users'))
  await dialog.getByRole('button', { name: 'Crear usuario' }).click()
  const { error } = (await (await answered).json()) as { error: string }

  await expect(toast(page).getByRole('alert')).toContainText('Error al crear usuario')
  await expect(toast(page)).toContainText(error)
  await expect(dialog.getByLabel('Email')).toHaveValue(person.email)
})

test('a role changes, and one that may not is refused in a sentence', async ({
  page,
  administrator,
  person,
}) => {
  const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
  await openAt(page, customer.email)
  await page.getByRole('button', { name: `Editar rol de ${customer.fullName}` }).click()
  await page.getByRole('dialog').getByLabel('Rol').selectOption('admin')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await expect(toast(page)).toContainText('Rol de usuario actualizado.')
  await expect(rowOf(page, customer.email).getByText('Admin', { exact: true })).toBeVisible()

  await page.getByRole('searchbox').fill(person.email)
  await page.getByRole('button', { name: `Editar rol de ${person.fullName}` }).click()
  await page.getByRole('dialog').getByLabel('Rol').selectOption('user')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await expect(toast(page).getByRole('alert')).toContainText('Error al actualizar rol')
  await expect(toast(page).getByRole('alert')).toContainText(/[a-záéíóú]+\.$/)
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('deleting asks in the browser first: no keeps the user, yes deletes them', async ({
  page,
  administrator,
}) => {
  const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
  await openAt(page, customer.email)
  const remove = page.getByRole('button', { name: `Eliminar a ${customer.fullName}` })
  const answer = async (accepts: boolean) => {
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

for (const { type, label, category, signed } of [
  { type: 'deposit', label: 'Depósito', category: 'Deposito', signed: 75.25 },
  { type: 'expense', label: 'Gasto', category: 'Gasto', signed: -75.25 },
]) {
  test(`an administrator registers a ${type} under ${category}, and the form is back at deposit`, async ({
    page,
    administrator,
  }) => {
    const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
    await openAt(page, customer.email)
    const opener = page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` })
    await opener.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Tipo')).toHaveValue('deposit')
    await expect(dialog.getByLabel('Tipo').getByRole('option')).toHaveText(['Depósito', 'Gasto'])
    await dialog.getByLabel('Tipo').selectOption({ label })
    await dialog.getByLabel('Monto (COP)').fill('75')
    await dialog.getByLabel('Monto (COP)').press('ArrowUp')
    await expect(dialog.getByLabel('Monto (COP)')).toHaveValue('76')
    await dialog.getByLabel('Monto (COP)').fill('75.25')
    await dialog.getByLabel('Descripción').fill('En ventanilla')
    await dialog.getByRole('button', { name: 'Registrar' }).dblclick()

    await expect(toast(page)).toContainText('Transacción registrada correctamente.')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    const { data: rows } = await customer.client.from('transactions').select('type, amount, category')
    expect(rows).toEqual([{ type, amount: 75.25, category }])
    const { data: budget } = await customer.client.from('budgets').select('balance').single()
    expect(budget).toEqual({ balance: signed })
    await opener.click()
    await expect(dialog.getByLabel('Tipo')).toHaveValue('deposit')
    await expect(dialog.getByLabel('Descripción')).toHaveValue('')
  })
}

test('amount and description of a transaction are required, and a refusal is the server’s own sentence', async ({
  page,
  administrator,
}) => {
  const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
  await openAt(page, customer.email)
  await page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect(dialog.getByText('Escribe un monto.')).toBeVisible()
  await expect(dialog.getByText('Escribe una descripción.')).toBeVisible()
  await administrator.functions.invoke('manage-users', { body: { action: 'delete', userId: customer.id } })
  await dialog.getByLabel('Monto (COP)').fill('75')
  await dialog.getByLabel('Descripción').fill('Para nadie')
  const answered = page.waitForResponse((response) => response.url().endsWith('/manage-transactions'))
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  const { error } = (await (await answered).json()) as { error: string }

  await expect(toast(page).getByRole('alert')).toContainText('Error en la transacción')
  await expect(toast(page)).toContainText(error)
  await expect(dialog.getByLabel('Descripción')).toHaveValue('Para nadie')
})
