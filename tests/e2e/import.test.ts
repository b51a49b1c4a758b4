/** Imports expenses from another bank's file. The specification does not mention this feature. */
import { readFile } from 'node:fs/promises'
import { type Page, expect } from '@playwright/test'
import { workbookOf } from '#testing/workbook.ts'
import { watchJoins } from './live.ts'
import { recordExpenses, customerTest as test } from './people.ts'
import { card, pageHeading, toast } from './screens.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const heading = ['FECHA', 'DESCRIPCIÓN', 'VALOR']
/** Returns a workbook, as many banks hand it out, with the day before the month and a decimal comma. */
const workbook = (lines: readonly string[]) => ({
  name: 'movimientos.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: workbookOf([heading, ...lines.map((line) => line.split(';'))]),
})
/** Returns a file in the format of a Colombian bank: in Latin-1, with the day before the month and a decimal comma. */
const statement = (lines: readonly string[]) => ({
  name: 'movimientos.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['FECHA;DESCRIPCIÓN;VALOR', ...lines, ''].join('\r\n'), 'latin1'),
})
/** Returns the readers of formats whose code the page has loaded. */
const loadedReaders = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(
        ({ name }) =>
          /\/assets\/(ofx|qif|camt|mt940|norma43|html|spreadsheet-xml|xlsx)-/.exec(name)?.[1] ?? [],
      ),
  )
const day = (iso: string) => iso.slice(0, 10).split('-').toReversed().join('/')

test('a customer can preview a bank’s file, import it and undo the import', async ({
  page,
  person,
  openAs,
}) => {
  const noon = `${daysAgo(3).slice(0, 10)}T17:00:00Z`
  await recordExpenses(person, [
    { description: 'Café Águila', amount: 4.5, category: 'Comida', date: noon },
    { description: 'Mercado', amount: 30, category: 'Comida', date: noon },
  ])
  const elsewhere = await openAs(person)
  const untilJoined = watchJoins(elsewhere)
  await elsewhere.goto('/transacciones')
  await untilJoined()
  await page.goto('/transacciones')

  await page.getByRole('link', { name: 'Importar' }).click()
  await expect(pageHeading(page)).toHaveText('Importar gastos')
  await page
    .getByLabel('Elige un archivo')
    .setInputFiles(
      workbook([
        `${day(noon)};CAFÉ ÁGUILA;-4,50`,
        `${day(noon)};CAFÉ ÁGUILA;-4,50`,
        `${day(noon)};MERCADO PAISA 77;-1.250,75`,
        `${day(noon)};=HYPERLINK("http://mal.example");-2,00`,
        `${day(noon)};NÓMINA;3.000,00`,
        '31/02/2026;SIN DÍA;-1,00',
      ]),
    )

  const main = page.getByRole('main')
  await expect(main).toContainText('3 gastos nuevos · 1 ingreso sin importar')
  expect(await loadedReaders(page)).toEqual(['xlsx'])
  await expect(main).toContainText('1 ya está en tu historial')
  await expect(main).toContainText('Los depósitos los registra el banco')
  await expect(main).toContainText('Tu saldo pasará de -$34.50 a -$1,291.75')
  await expect(main).toContainText('Línea 7: no tiene una fecha')
  await expect(page.getByLabel('Categoría de MERCADO PAISA 77')).toHaveValue('Comida')
  await page.getByLabel('Categoría de =HYPERLINK').selectOption('Otro')
  const record = page.getByRole('button', { name: 'Registrar 3 gastos · $1,257.25' })
  await expect(record).toBeDisabled()
  await page.getByLabel('Registrar los demás sin estas líneas').check()
  await record.click()

  await expect(main).toContainText('Se registraron 3 gastos por $1,257.25')
  await expect(elsewhere.getByRole('main')).toContainText('MERCADO PAISA 77')
  await expect(elsewhere.getByRole('main')).toContainText('5 movimientos')

  await page.getByRole('button', { name: 'Deshacer', exact: true }).click()

  await expect(toast(page)).toContainText('Importación deshecha')
  await expect(card(page, 'Importaciones anteriores')).toContainText('Deshecha')
  await expect(elsewhere.getByRole('main')).toContainText('2 movimientos')
})

test(
  'a customer can correct a wrong column mapping, and the sum is updated',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/transacciones/importar')
    await page
      .getByLabel('Elige un archivo')
      .setInputFiles(statement(['02/11/2026;Panadería;12,50', '03/11/2026;Bus;2,50']))
    const record = page.getByRole('button', { name: 'Registrar 2 gastos · $15.00' })
    await expect(record).toBeDisabled()
    await page.getByLabel('Gastos: el dinero sale').check()
    await expect(record).toBeDisabled()
    await page.getByRole('radio', { name: /^Día \/ mes \/ año/ }).check()
    await expect(record).toBeEnabled()

    await page.getByText('Cómo se leyó el archivo').click()
    await page.getByLabel('Los gastos son').selectOption('los montos negativos')
    await expect(page.getByRole('main')).toContainText('2 ingresos sin importar')
    await page.getByLabel('Los gastos son').selectOption('los montos positivos')
    await page.getByLabel('Orden de la fecha').selectOption('Mes / día / año')
    await expect(page.getByRole('main')).toContainText('11 feb 2026')
  },
)

test('a page that is named .xls is read as a table', { tag: '@nightly' }, async ({ page }) => {
  const rows = [
    ['Fecha', 'Descripci&oacute;n', 'Valor'],
    ['03/11/2026', 'Panader&iacute;a', '-12,50'],
    ['14/11/2026', 'Bus', '-2,50'],
    ['15/11/2026', 'N&oacute;mina', '900,00'],
  ]
  const table = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  await page.goto('/transacciones/importar')
  await page.getByLabel('Elige un archivo').setInputFiles({
    name: 'movimientos.xls',
    mimeType: 'application/vnd.ms-excel',
    buffer: Buffer.from(`<html><body><table>${table.join('')}</table></body></html>`),
  })

  const main = page.getByRole('main')
  await expect(main).toContainText('2 gastos nuevos · 1 ingreso sin importar')
  expect(await loadedReaders(page)).toEqual(['html'])
  await page.getByRole('button', { name: 'Registrar 2 gastos · $15.00' }).click()
  await expect(main).toContainText('Se registraron 2 gastos por $15.00')
})

test(
  'a file that the page exported contains nothing new to import',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, [
      { description: '=1+1 "Éxito"', amount: 12.5, category: null, date: daysAgo(2) },
    ])
    await page.goto('/transacciones')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Descargar CSV' }).click()
    const buffer = await readFile(await (await download).path())

    await page.goto('/transacciones/importar')
    await page
      .getByLabel('Elige un archivo')
      .setInputFiles({ name: 'propio.csv', mimeType: 'text/csv', buffer })

    await expect(page.getByRole('main')).toContainText('No hay gastos nuevos en este archivo.')
    await expect(page.getByRole('main')).toContainText('1 ya está en tu historial')
  },
)
