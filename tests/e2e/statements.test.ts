/** The page can verify downloaded statements and receipts. */
import { readFile } from 'node:fs/promises'
import { type Download, type Locator, type Page, expect } from '@playwright/test'
import { recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { historyRow } from './screens.ts'

const main = (page: Page) => page.getByRole('main')

async function download(page: Page, name: string, part: Locator): Promise<{ file: Download; bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await part.getByRole('button', { name }).click()
  const file = await coming
  return { file, bytes: await readFile(await file.path()) }
}

test('the page confirms a downloaded statement and refutes an altered copy', async ({
  page,
  person,
  administrator,
}) => {
  const salary = { type: 'deposit', description: 'Nómina', amount: 1250.5, category: 'Deposito' } as const
  await recordByBank(administrator, person, salary)
  await recordExpenses(person, [{ description: 'Mercado', amount: 30.1, category: 'Comida' }])
  await page.goto('/documentos')
  await main(page).getByRole('link', { name: 'Todos' }).click()
  await expect(page).toHaveURL('/extractos')
  await expect(page).toHaveTitle('Extractos - Finanzas')
  await expect(main(page).getByRole('definition')).toHaveText([
    '$0.00',
    '+$1,250.50',
    '-$30.10',
    '$1,220.40',
    '$1,250.50',
    '-$30.10',
  ])
  await expect(main(page).getByRole('row')).toContainText(['Registro', 'Nómina', 'Mercado'])

  const statement = page.getByRole('region', { name: /^Extracto de/ })
  const paper = await download(page, 'Descargar PDF', statement)
  const sheet = await download(page, 'Descargar CSV', statement)

  expect(paper.file.suggestedFilename()).toMatch(/^extracto-\d{4}-\d\d\.pdf$/)
  expect(paper.bytes.subarray(0, 8).toString()).toBe('%PDF-1.7')
  expect(sheet.bytes.toString()).toContain(';Mercado;;Comida;Gasto;Anotación;-30,10;1220,40')
  const verify = async (name: string, buffer: Buffer) => {
    const mimeType = name.endsWith('pdf') ? 'application/pdf' : 'text/csv'
    await main(page).getByLabel('Elige un archivo').setInputFiles({ name, mimeType, buffer })
  }
  const verdict = main(page).getByRole('status').last()
  await verify('extracto.pdf', paper.bytes)
  await expect(verdict).toContainText('El extracto es auténtico')
  await verify('otro.csv', Buffer.from(sheet.bytes.toString().replace('Nómina', 'Premio')))
  await expect(verdict).toHaveText(
    'No es auténtico: la firma del banco no es la de este texto, que alguien cambió.',
  )
  await verify('pesos.csv', Buffer.from(sheet.bytes.toString().replace(';USD', ';COP')))
  await expect(verdict).toHaveText(/^No es auténtico/)
  await verify('sin-firma.csv', Buffer.from(sheet.bytes.toString().replace(/^Firma;.*\r\n/m, '')))
  await expect(verdict).toHaveText(/^No lleva la firma del banco\./)
  await verify('extracto.csv', sheet.bytes)
  await expect(verdict).toContainText('El extracto es auténtico')
  await expect(verdict).toContainText(
    'Un nombre marcado «nombre declarado», las categorías y las palabras de los gastos propios son los que escribió el cliente. En una transferencia y en su devolución, lo que está «Según los clientes» lo escribieron los clientes, y el banco no lo comprobó.',
  )
  await expect(verdict).toContainText(
    `Banco: Banco Finanzas. Cliente: ${person.fullName} (nombre declarado) · ${person.email}.`,
  )
  const certificate = await download(
    page,
    'Descargar PDF',
    page.getByRole('region', { name: 'Certificado de saldo' }),
  )
  expect(certificate.file.suggestedFilename()).toMatch(/^certificado-de-saldo-\d{4}-\d\d-\d\d\.pdf$/)
  await verify('certificado.pdf', certificate.bytes)
  await expect(verdict).toContainText('El certificado es auténtico')
  await expect(verdict).toContainText('Saldo según el banco: $1,250.50')
  const forged = Buffer.from(paper.bytes)
  forged[forged.length - 300] = (forged[forged.length - 300] ?? 0) ^ 1
  await verify('otro.pdf', forged)
  await expect(verdict).toHaveText(/^No es auténtico: la firma del banco no es la de este texto/)
  await verify('otra-version.pdf', Buffer.concat([paper.bytes, Buffer.from('\n%%EOF\n')]))
  await expect(verdict).toHaveText(
    /^No es un extracto, comprobante ni certificado de este banco tal como se descargó/,
  )
})

test(
  'the page confirms the receipt of a deposit that the customer downloads',
  { tag: '@nightly' },
  async ({ page, person, administrator }) => {
    const salary = { type: 'deposit', description: 'Nómina', amount: 1250.5, category: 'Deposito' } as const
    await recordByBank(administrator, person, salary)
    await page.goto('/transacciones')
    await historyRow(page, 'Nómina').click()

    const paper = await download(page, 'Descargar comprobante', page.getByRole('dialog'))

    expect(paper.file.suggestedFilename()).toMatch(/^comprobante-[\da-f]{8}\.pdf$/)
    await page.goto('/extractos')
    const file = { name: 'comprobante.pdf', mimeType: 'application/pdf', buffer: paper.bytes }
    await main(page).getByLabel('Elige un archivo').setInputFiles(file)
    const verdict = main(page).getByRole('status').last()
    await expect(verdict).toContainText('El comprobante es auténtico')
    await expect(verdict).toContainText('Movimiento: Depósito de $1,250.50 del')
    await expect(verdict).toContainText('Estado al emitirlo: Vigente')
  },
)

test('a visitor without an account can verify a statement without sending the statement to the server', async ({
  person,
  administrator,
  openAs,
}) => {
  const salary = { type: 'deposit', description: 'Nómina', amount: 1250.5, category: 'Deposito' } as const
  await recordByBank(administrator, person, salary)
  const month = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)
  const { data } = await person.client.functions.invoke('statement', { body: { month } })
  const csv = String(data.csv)
  const { data: pdf } = await person.client.functions.invoke<Blob>('statement', {
    body: { month, format: 'pdf' },
  })
  if (pdf === null) throw new Error('No PDF was issued.')
  const paper = Buffer.from(await pdf.arrayBuffer())
  const visitor = await openAs(null)
  const sent: string[] = []
  visitor.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await visitor.goto('/verificar')
  await expect(visitor).toHaveTitle('Verificar un documento - Banco Finanzas')
  const verify = (content: string | Buffer) =>
    visitor.getByLabel('Elige un archivo').setInputFiles({
      name: 'extracto',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    })

  await verify(csv)

  const verdict = visitor.getByRole('status')
  await expect(verdict).toContainText('Es auténtico: lo firmó el banco y nadie lo cambió.')
  await expect(verdict).toContainText('Número de cuenta')
  await expect(verdict).toContainText('$1,250.50')
  await verify(csv.replaceAll(';1250,50', ';9250,50'))
  await expect(verdict).toContainText('No es auténtico')
  await verify(paper)
  await expect(verdict).toContainText('Es auténtico: lo firmó el banco y nadie lo cambió.')
  await expect(verdict).toContainText('$1,250.50')
  await verify(Buffer.concat([paper, Buffer.from('\n%%EOF\n')]))
  await expect(verdict).toContainText('No es un extracto, comprobante ni certificado')
  expect(sent).toEqual([])
})
