/**
 * The administrator’s page `Registro`, which lists the actor, the action, the target, and the values before and after
 * each action.
 */
import { type Page, expect } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { recordByBank, administratorTest as test } from './people.ts'

const audit = isRequest('GET', '/rest/v1/rpc/audit_of')
const entriesAbout = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const cellsOf = (page: Page, name: string, place = 0) => entriesAbout(page, name).nth(place).getByRole('cell')

/**
 * Loads more entries until `count` entries about the person are shown. Other tests add entries about other people in
 * the meantime.
 */
async function readOnTo(page: Page, name: string, count: number): Promise<void> {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(async () => {
    const more = page.getByRole('button', { name: 'Mostrar más' })
    if ((await entriesAbout(page, name).count()) < count && (await more.isVisible())) await more.click()
    await expect(entriesAbout(page, name)).toHaveCount(count, { timeout: 1000 })
  }).toPass({ timeout: 40_000 })
}

test('the audit lists actions with their author and target, newest first', async ({
  page,
  person,
  customer,
}) => {
  const deposit = { type: 'deposit', description: 'Nómina', amount: 100.5, category: '' } as const
  await recordByBank(person.client, customer, deposit)
  await person.client.from('profiles').update({ role: 'admin' }).eq('id', customer.id)
  await page.goto('/admin')
  await page.getByRole('navigation', { name: 'Secciones del panel' }).getByText('Registro').click()
  await expect(page).toHaveURL(/\/admin\?vista=registro$/)

  await readOnTo(page, customer.fullName, 3)
  const time = /^\d+ \w+, \d+:\d\d [ap]. m.$/
  expect(await cellsOf(page, customer.fullName, 0).allTextContents()).toEqual([
    expect.stringMatching(time),
    expect.stringContaining('Marta Ríos'),
    'Cambio de rol',
    expect.stringContaining(customer.fullName),
    'De «Cliente» a «Admin»',
  ])
  expect(await cellsOf(page, customer.fullName, 1).allTextContents()).toEqual([
    expect.stringMatching(time),
    expect.stringContaining('Marta Ríos'),
    'Registro de transacción',
    expect.stringContaining(customer.fullName),
    expect.stringMatching(/^Depósito de \$100\.50, del \d{1,2} \w+ \d{4}$/),
  ])
  expect((await cellsOf(page, customer.fullName, 2).allTextContents()).slice(2)).toEqual([
    'Creación de usuario',
    expect.stringContaining(customer.fullName),
    'Cliente',
  ])
})

test('on a phone, one button opens the filters of the audit', { tag: '@nightly' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin?vista=registro')
  const action = page.getByLabel('Acción')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(action).toBeHidden()

  await page.getByRole('button', { name: 'Filtros' }).click()
  await action.selectOption('Cambio de rol')

  await expect(page).toHaveURL(/accion=change_role/)
  await expect(page.getByRole('button', { name: 'Filtros 1 activo' })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Filtros 1 activo' })).toBeHidden()
  await expect(action).toBeVisible()
})

test(
  'the pages of the audit do not repeat or skip entries while new entries are written',
  { tag: '@nightly' },
  async ({ page, person, customer }) => {
    const record = (amount: number) =>
      recordByBank(person.client, customer, { type: 'expense', description: 'Cuota', amount, category: '' })
    for (let amount = 1; amount <= 55; amount += 1) await record(amount)
    await page.goto('/admin?vista=registro')
    const amounts = async () =>
      (await entriesAbout(page, customer.fullName).allTextContents()).flatMap((text) =>
        [...text.matchAll(/Gasto de \$(\d+)\.00/g)].map(([, amount]) => Number(amount)),
      )
    await expect(entriesAbout(page, customer.fullName).first()).toBeVisible()
    const firstPage = await amounts()
    await record(56)
    await readOnTo(page, customer.fullName, 56)

    expect(firstPage.length).toBeLessThanOrEqual(50)
    // Entries that are written after the first page was read do not appear until the next visit.
    expect(await amounts()).toEqual(Array.from({ length: 55 }, (_, place) => 55 - place))
  },
)

test(
  'the audit shows whether it is loading, has failed or is empty',
  { tag: '@nightly' },
  async ({ page }) => {
    const held = await holdRequests(page, audit)
    await page.goto('/admin?vista=registro')
    await expect(page.getByRole('main').getByText('Cargando el registro…')).toBeAttached()
    held.release()
    await expect(page.getByRole('row').nth(1)).toBeVisible()

    await refuseRequests(page, audit, { status: 500, body: { code: 'XX000', message: 'no' } })
    await page.reload()
    await expect(page.getByText('No se pudo cargar el registro.')).toBeVisible()

    await refuseRequests(page, audit, { status: 403, body: { code: '42501', message: 'no' } })
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await expect(page.getByText('Solo un administrador puede ver el registro.')).toBeVisible()

    await page.route('**/rest/v1/rpc/audit_of?*', (route) => route.fulfill({ json: [] }))
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await expect(page.getByText('No hay cambios.')).toBeVisible()
  },
)
