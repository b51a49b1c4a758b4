/**
 * Staff help a customer who calls. Staff can read, verify, correct and delete the customer's data, and the customer
 * sees a correction.
 */
import { type Locator, type Page, expect } from '@playwright/test'
import { recordByBank, recordExpenses, administratorTest as test } from './people.ts'
import { historyRow, toast } from './screens.ts'

const main = (page: Page) => page.getByRole('main')

/** Returns a function that clicks an element, and another function that returns the number of clicks so far. */
function counting() {
  let clicks = 0
  return {
    click: async (what: Locator) => {
      clicks += 1
      await what.click()
    },
    clicks: () => clicks,
  }
}

/** Searches for the customer in the panel and returns the link to the customer. */
async function findOnPanel(page: Page, name: string): Promise<Locator> {
  await page.goto('/admin')
  await page.getByLabel('Buscar usuarios').fill(name)
  return main(page).getByRole('link', { name })
}

test('staff can explain a charge with two clicks and correct a deposit’s amount with five clicks', async ({
  page,
  person,
  customer,
  openAs,
}) => {
  const fee = { type: 'expense', description: 'Cuota de manejo', amount: 9, category: 'Gasto' } as const
  const pay = { type: 'deposit', description: 'Depósito de nómina', amount: 100, category: '' } as const
  await recordByBank(person.client, customer, fee)
  await recordByBank(person.client, customer, pay)
  await recordExpenses(customer, [{ description: 'Café', amount: 5, category: 'Comida' }])

  const why = counting()
  await why.click(await findOnPanel(page, customer.fullName))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(customer.fullName)
  await why.click(historyRow(page, 'Cuota de manejo'))
  await expect(page.getByRole('dialog')).toContainText('Registrado porEl banco')
  expect(why.clicks()).toBeLessThanOrEqual(3)
  await page.keyboard.press('Escape')

  const mistake = counting()
  await mistake.click(await findOnPanel(page, customer.fullName))
  await mistake.click(historyRow(page, 'Depósito de nómina'))
  await mistake.click(page.getByRole('dialog').getByRole('button', { name: 'Corregir' }))
  await expect(page.getByRole('dialog').getByLabel('Monto correcto')).toBeFocused()
  await page.keyboard.type('10')
  await mistake.click(page.getByRole('dialog').getByRole('button', { name: 'Monto equivocado' }))
  await mistake.click(page.getByRole('dialog').getByRole('button', { name: 'Corregir a $10.00' }))
  await expect(toast(page)).toContainText('Movimiento corregido')
  expect(mistake.clicks()).toBeLessThanOrEqual(5)

  await expect(historyRow(page, 'Corrección: Depósito de nómina')).toBeVisible()
  await expect(main(page)).toContainText('-$4.00')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Corregido por Marta Ríos el')
  await expect(page.getByRole('dialog')).toContainText('+$100.00')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Corregir' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  const own = await openAs(customer)
  await own.goto(`/admin/clientes/${customer.id}`)
  await expect(own).toHaveURL(/\/dashboard$/)
  await own.goto('/transacciones')
  await historyRow(own, '+$100.00').click({ force: true })
  await expect(own.getByRole('dialog')).toContainText(
    /Corregido por Marta Ríos el \d{1,2} \w+: Monto equivocado. El monto correcto quedó en otro movimiento/,
  )
  await own.keyboard.press('Escape')
  await historyRow(own, 'Corrección: Depósito de nómina').click()
  await expect(own.getByRole('dialog')).toContainText(
    /Corrige «Depósito de nómina» del \d{1,2} \w+: Monto equivocado/,
  )
  await own.keyboard.press('Escape')
  await historyRow(own, '+$10.00').last().click({ force: true })
  await expect(own.getByRole('dialog')).toContainText(
    /Reemplaza a «Depósito de nómina» del \d{1,2} \w+: Monto equivocado/,
  )
})

test(
  'staff can verify a customer’s balance in the browser and use the filters of the history',
  { tag: '@nightly' },
  async ({ page, customer }) => {
    await recordExpenses(customer, [
      { description: 'Café', amount: 5, category: 'Comida' },
      { description: 'Bus', amount: 3, category: 'Transporte' },
    ])
    await page.goto(`/admin/clientes/${customer.id}?categoria=Comida`)
    await expect(historyRow(page, 'Café')).toBeVisible()
    await expect(historyRow(page, 'Bus')).toHaveCount(0)

    await page.getByRole('button', { name: '¿Por qué este saldo?' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Verificar' }).click()
    await expect(page.getByRole('dialog')).toContainText('Todo coincide: los 2 registros están intactos')
  },
)

test(
  'on a phone the first transaction of a customer stands high although the address takes two lines',
  { tag: '@nightly' },
  async ({ page, customer }) => {
    await recordExpenses(customer, [
      { description: 'Café', amount: 12.5, category: 'Comida' },
      { description: 'Bus', amount: 30, category: 'Transporte' },
    ])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/admin/clientes/${customer.id}`)
    await expect(historyRow(page, 'Café')).toBeVisible()
    const top = async (description: string) => (await historyRow(page, description).boundingBox())?.y ?? 844
    expect(Math.min(await top('Café'), await top('Bus'))).toBeLessThanOrEqual(360)

    await page.getByRole('button', { name: 'Filtros' }).click()
    await page.getByRole('dialog').getByLabel('Ordenar por').selectOption({ label: 'Monto' })
    await page.getByRole('dialog').getByRole('button', { name: 'Mostrar movimientos' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect.poll(async () => (await top('Bus')) < (await top('Café'))).toBe(true)
  },
)

test(
  'staff with a phone can search the bank from a customer’s page, and the keyboard covers no button',
  { tag: '@nightly' },
  async ({ page, customer }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/admin/clientes/${customer.id}`)
    const open = page.getByRole('button', { name: 'Buscar en el banco' })
    const close = page.getByRole('dialog').getByRole('button', { name: 'Cerrar' })
    const boxOf = async (button: Locator) => (await button.boundingBox()) ?? { width: 0, height: 0, y: 844 }
    const { width, height } = await boxOf(open)
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)

    await open.click()
    await page.getByRole('dialog').getByRole('searchbox').fill(customer.fullName)
    await expect(page.getByText(`Intro abre «${customer.fullName}».`)).toBeVisible()
    // A phone's keyboard covers at most the lower half of the screen.
    const box = await boxOf(close)
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
    expect(box.y + box.height).toBeLessThan(422)
    const result = await page.getByRole('dialog').getByRole('link').first().boundingBox()
    expect(result?.y).toBeLessThan(422)

    await close.click()
    await expect(page.getByRole('dialog')).toBeHidden()
  },
)

test('staff can delete a customer only after typing the balance, and the audit records the balance', async ({
  page,
  person,
  customer,
}) => {
  const pay = { type: 'deposit', description: 'Nómina', amount: 1_500_000.5, category: '' } as const
  await recordByBank(person.client, customer, pay)
  await page.goto(`/admin/clientes/${customer.id}?vista=cuenta`)

  await page.getByRole('button', { name: 'Eliminar cliente' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('$1,500,000.50')
  await dialog.getByLabel(/Escribe el saldo/).fill('1500000')
  await dialog.getByRole('button', { name: 'Eliminar' }).click()
  await expect(dialog).toContainText('No es el saldo de la cuenta.')
  await dialog.getByLabel(/Escribe el saldo/).fill('1.500.000,50')
  await dialog.getByRole('button', { name: 'Eliminar' }).click()

  await expect(toast(page)).toContainText('Usuario eliminado.')
  await expect(page).toHaveURL(/\/admin$/)
  await page.getByRole('navigation', { name: 'Secciones del panel' }).getByText('Registro').click()
  const gone = page.getByRole('row').filter({ hasText: `Persona ${customer.id.slice(0, 8)}` })
  await expect(gone.first()).toContainText('Era: Cliente, con saldo de $1,500,000.50')
  await page.getByRole('button', { name: 'Todo', exact: true }).click()
  await expect(gone.nth(1)).toContainText('Consulta de cliente')
})
