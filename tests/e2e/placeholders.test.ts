/**
 * The pages for accounts, documents and support, which only show "Función no implementada": docs/specification.md §2,
 * §5 and §8.
 */
import { type Page, type Request, expect } from '@playwright/test'
import { customerTest as test } from './people.ts'
import { closeToast, pageHeading, toast } from './screens.ts'

/** Records every request of the page that could store something on the server. */
function watchWrites(page: Page): string[] {
  const writes: string[] = []
  page.on('request', (request: Request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`)
  })
  return writes
}

const accounts = [
  {
    title: 'Cuenta de Ahorros',
    figure: 'Balance$0.00',
    add: 'Añadir cuenta de ahorros',
    fields: ['Nombre del banco', 'Titular de la cuenta', 'Número de cuenta'],
  },
  {
    title: 'Tarjeta de Crédito',
    figure: 'Deuda$0.00',
    add: 'Añadir tarjeta de crédito',
    fields: ['Nombre en la tarjeta', 'Número de tarjeta', 'Vence (MM/AA)', 'CVC'],
  },
  {
    title: 'Cuenta Corriente',
    figure: 'Balance$0.00',
    add: 'Añadir cuenta corriente',
    fields: ['Nombre del banco', 'Titular de la cuenta', 'Número de cuenta'],
  },
]

test(
  'the three forms of Cuentas require every field and store nothing',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/cuentas')
    const writes = watchWrites(page)
    for (const { title, figure, add, fields } of accounts) {
      await expect(page.getByRole('region', { name: title })).toContainText(figure)
      const opener = page.getByRole('button', { name: add })
      await opener.click()
      const dialog = page.getByRole('dialog', { name: add })
      await expect(dialog.getByRole('textbox')).toHaveCount(fields.length)
      await dialog.getByRole('button', { name: 'Añadir' }).click()
      await expect(dialog.getByText('Completa este campo.')).toHaveCount(fields.length)
      await expect(dialog.getByLabel(fields[0] ?? '')).toBeFocused()

      for (const field of fields.slice(0, -1)) await dialog.getByLabel(field).fill('123')
      await dialog.getByRole('button', { name: 'Añadir' }).click()
      await expect(dialog.getByText('Completa este campo.')).toHaveCount(1)
      await expect(dialog.getByLabel(fields[0] ?? '')).toHaveValue('123')
      await dialog.getByLabel(fields.at(-1) ?? '').fill('123')
      await dialog.getByRole('button', { name: 'Añadir' }).click()

      await expect(dialog).toHaveCount(0)
      await expect(toast(page)).toContainText('Función no implementada')
      await expect(opener).toBeFocused()
      await closeToast(page)
    }
    expect(writes).toEqual([])
  },
)

test(
  'Documentos shows two sample files and a placeholder for uploads',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/documentos')
    const writes = watchWrites(page)
    await expect(pageHeading(page)).toHaveText('Documentos Financieros')
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Ejemplo' })).toHaveCount(2)
    await page.getByRole('button', { name: 'Subir documento' }).click()

    await expect(toast(page)).toContainText('Función no implementada')
    expect(writes).toEqual([])
  },
)

test(
  'Cuentas and Documentos link to the account and its statements',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/cuentas')
    const own = page.getByRole('region', { name: 'Cuenta Finanzas' })
    await expect(own).toContainText('Saldo$0.00')
    await own.getByRole('link', { name: /^Extracto de / }).click()
    await expect(pageHeading(page)).toHaveText('Extractos')

    await page.goto('/documentos')
    const statements = page.getByRole('region', { name: 'Tus extractos' })
    await statements
      .getByRole('link', { name: /^Extracto de / })
      .first()
      .click()
    await expect(pageHeading(page)).toHaveText('Extractos')
  },
)

test('Soporte shows three placeholder cards and two answers', { tag: '@nightly' }, async ({ page }) => {
  await page.goto('/soporte')
  const cards = page.getByRole('main').getByRole('list').first().getByRole('listitem')
  await expect(cards.getByRole('heading')).toHaveText([
    'Chat en vivo',
    'Crear ticket',
    'Base de conocimiento',
  ])

  for (const card of await cards.all()) {
    await card.getByRole('button').click()
    await expect(toast(page)).toContainText('Función no implementada')
    await closeToast(page)
  }
  const answers = page.getByRole('region', { name: 'Preguntas frecuentes' })
  await expect(answers.getByText('Añadir Nuevo Gasto')).toBeHidden()

  await answers.getByText('¿Cómo añado una transacción?').click()
  await expect(answers.getByText('Añadir Nuevo Gasto')).toBeVisible()
  await answers.getByText('¿Puedo cambiar mi presupuesto mensual?').click()
  await expect(answers.getByText('toca el icono de editar')).toBeVisible()
})
