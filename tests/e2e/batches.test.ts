/** Staff can pay many customers at once from a spreadsheet. The specification does not mention this feature. */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { administratorTest as test } from './people.ts'
import { card } from './screens.ts'

test('staff can paste, send and reverse a payroll and can close the page during the posting', async ({
  page,
  customer,
}) => {
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Abonos por lote' }).click()
  await expect(page.getByRole('link', { name: 'Abonos por lote' })).toHaveAttribute('aria-current', 'page')
  const row = (...fields: readonly string[]) => fields.join('\t')
  const sheet = [
    row('Correo', 'Valor', 'Concepto'),
    row(customer.email, '1.250,50', 'Nómina de noviembre'),
    row(customer.email, '1.250,50', 'Nómina de noviembre'),
    row('nadie@banco.example', '10,00', 'Nómina'),
    row('', '1.260,50', 'Total'),
    ...Array.from({ length: 150 }, (_, index) => row(customer.email, '1,00', `Bono ${index}`)),
  ]
  await page.getByLabel('O pega aquí').fill(sheet.join('\n'))
  await page.getByRole('button', { name: 'Leer estas filas' }).click()

  const main = page.getByRole('main')
  await expect(main).toContainText('151 abonos para enviar')
  await expect(main).toContainText('Lo mismo que la línea 2')
  await expect(page.getByLabel('Email o id de la línea 4', { exact: true })).toHaveAccessibleDescription(
    'El banco no tiene este cliente',
  )
  await expect(page.getByLabel('Email o id de la línea 5', { exact: true })).toHaveAccessibleDescription(
    'No tiene un email ni un id',
  )
  const send = page.getByRole('button', { name: 'Enviar 151 abonos · $1,400.50' })
  await expect(send).toBeDisabled()
  await page.getByLabel('Enviar los demás sin estas líneas').check()

  await send.click()
  await page.waitForURL('**/admin/abonos?lote=*')
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)

  await expect(main).toContainText('Lote terminado')
  await expect(main).toContainText('151 abonos por $1,400.50')
  const { data } = await customer.client.from('budgets').select('balance').single()
  expect(data).toEqual({ balance: 1400.5 })

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Descargar resultado (CSV)' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toContain(`2;${customer.email};${customer.fullName};1250,50;Nómina de noviembre;Abonado;`)
  expect(csv.trimEnd().split('\r\n')).toHaveLength(152)

  await page.getByRole('button', { name: 'Revertir lote' }).click()
  await page.getByRole('button', { name: 'Duplicado' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revertir lote' }).click()
  await expect(main).toContainText('Lote revertido')
  await expect(main).toContainText('151 abonos revertidos por $1,400.50')
  const reversed = await customer.client.from('budgets').select('balance').single()
  expect(reversed.data).toEqual({ balance: 0 })

  await page.getByRole('button', { name: 'Otro lote' }).click()
  await expect(card(page, 'Lotes anteriores')).toContainText('Revertido')
})
