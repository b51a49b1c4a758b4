/** A customer pays an account at another bank, and an administrator hands the transfer over in a clearing file. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { population } from '#testing/population.ts'
import { everyRule, violations } from './accessibility-rules.ts'
import { card, toast } from './screens.ts'
import { transferTest as test } from './transfer-bank.ts'

const widths = [360, 768, 1280]

/** Asserts that the page fits every width, and that it violates no accessibility rule at any width. */
async function fitsEveryWidth(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    expect(await violations(page, everyRule)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
}

test('a customer pays an account at another bank, and an administrator downloads the clearing file', async ({
  bank,
  openAs,
}) => {
  const page = await openAs(await bank.newPerson(population.customer, 1500))
  const form = page.getByRole('dialog', { name: 'Nueva transferencia' })
  const summary = page.getByRole('dialog', { name: 'Revisa la transferencia' })

  await page.goto('/transferencias?nueva=1')
  await form.getByLabel('Su cuenta está').selectOption('En otro banco')
  await form.getByLabel('Titular', { exact: true }).fill('Ferretería Ñandú')
  await form.getByLabel('Banco', { exact: true }).selectOption('Bancolombia')
  await form.getByLabel('Número de cuenta').fill('123-456789-01')
  await form.getByLabel('Documento del titular').selectOption('NIT')
  await form.getByLabel('Número del documento').fill('890.903.938-7')
  await form.getByLabel('Monto').fill('100')
  await form.getByRole('button', { name: 'Continuar' }).click()
  await expect(form).toContainText('Escribe el NIT con su dígito de verificación')
  await fitsEveryWidth(page)
  await form.getByLabel('Número del documento').fill('890.903.938-8')
  await form.getByRole('button', { name: 'Continuar' }).click()
  await expect(summary).toContainText('Bancolombia ••••8901')
  await summary.getByRole('button', { name: 'Transferir $100.00' }).click()
  await page
    .getByRole('dialog', { name: 'Transferencia hecha' })
    .getByRole('button', { name: 'Listo' })
    .click()
  await expect(card(page, 'Anteriores')).toContainText('Bancolombia ••••8901 · Hecha el')

  const marta = await openAs(await bank.newPerson(population.administrator))
  await marta.goto('/admin/solicitudes')
  await marta.getByRole('link', { name: 'Compensación' }).click()
  await expect(marta.getByRole('main')).toContainText('1 transferencia por enviar: $100.00')
  await marta.getByRole('button', { name: 'Cerrar el archivo 1' }).click()
  await expect(toast(marta)).toContainText('Archivo 1 cerrado')
  await fitsEveryWidth(marta)
  const coming = marta.waitForEvent('download')
  await marta.getByRole('button', { name: 'Descargar el archivo 1 en pain.001' }).click()
  const file = await readFile(await (await coming).path(), 'utf8')
  expect(file).toContain('<NbOfTxs>1</NbOfTxs><CtrlSum>100.00</CtrlSum>')
  expect(file).toContain('<Nm>Ferreteria Nandu</Nm>')
})
