/**
 * Chooses the largest accepted files of another bank, and a file that is ten times as long, in a real browser. Measures
 * how long the page reads them, and whether it stays responsive.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type BrowserPlace, inBrowser } from '#bench/browser/page.ts'
import { measureWork } from '#bench/browser/main-thread.ts'
import { type Scenario, amountOf } from '#bench/scenario.ts'
import { type Metric, atMost } from '#testing/report.ts'
import { workbookOf } from '#testing/workbook.ts'

/** The customer with 1,000 transactions. */
const person = 1
/** Number of rows that one import accepts, and of the rows of a file that is refused. */
const rows = { accepted: 10_000, refused: 100_000 }
/** Number of entries of a camt file that is not larger than the page accepts. */
const camtRowsMax = 60_000
/** Number of rows in the short form. */
const shortRows = 100
const waitMaxMs = 120_000

/** Largest allowed values, in milliseconds. */
const lines = { read: 3000, longTask: 100 }

type BankFile = { readonly name: string; readonly write: (rows: number) => Buffer; readonly rowsMax?: number }

const files: readonly BankFile[] = [
  { name: 'movimientos.csv', write: csv },
  { name: 'movimientos.xlsx', write: workbook },
  { name: 'movimientos.xls', write: html },
  { name: 'movimientos.ofx', write: ofx },
  { name: 'extracto.xml', write: camt, rowsMax: camtRowsMax },
]

export const bankFiles: Scenario = {
  title: 'Browser: reading the longest files of another bank',
  needs: ['browser'],
  run: (fixtures, order) =>
    inBrowser(fixtures, async (place) => {
      const metrics: Metric[] = []
      for (const file of files) {
        const count = amountOf(order, rows.accepted, shortRows)
        metrics.push(...(await measureReading(place, { file, count, isRefused: false })))
      }
      for (const file of files) {
        const count = file.rowsMax ?? rows.refused
        metrics.push(...(await measureReading(place, { file, count, isRefused: true })))
      }
      return metrics
    }),
}

type Reading = { readonly file: BankFile; readonly count: number; readonly isRefused: boolean }

async function measureReading(place: BrowserPlace, { file, count, isRefused }: Reading): Promise<Metric[]> {
  const page = await place.openPage(person)
  await page.goto(`${place.origin}/transacciones/importar`)
  const chooser = page.getByLabel('Elige un archivo')
  await chooser.waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  // A buffer would be decoded by the page's main thread.
  const folder = await mkdtemp(join(tmpdir(), 'finanzas-bank-files-'))
  const path = join(folder, file.name)
  await writeFile(path, file.write(count))
  let readMs = 0
  const work = await measureWork(place.browser, page, async () => {
    const startedAt = performance.now()
    await chooser.setInputFiles(path)
    await resultOf(page, isRefused).waitFor({ timeout: waitMaxMs })
    readMs = performance.now() - startedAt
  })
  await rm(folder, { recursive: true })
  await page.context().close()
  const what = `${file.name} with ${count} rows${isRefused ? ', refused' : ''}`
  return [
    atMost(what, readMs, lines.read, 'ms'),
    atMost('  longest task meanwhile, processor time', work.longestTaskMs, lines.longTask, 'ms'),
  ]
}

function resultOf(page: Page, isRefused: boolean) {
  return isRefused
    ? page.getByText(/cada importación admite 10\.000/)
    : page.getByText(/^[\d.]+ gastos nuevos/).first()
}

/** Returns the day, the description and the amount in hundredths of each row. */
function transactions(count: number) {
  return Array.from({ length: count }, (_, place) => ({
    day: new Date(Date.UTC(2026, 9, 31) - Math.floor(place / 40) * 86_400_000).toISOString().slice(0, 10),
    text: `COMPRA ${['PANADERIA', 'MERCADO', 'BUS', 'FARMACIA', 'CINE'][place % 5]} SUCURSAL ${place % 300}`,
    amount: `-${1 + (place % 900)}.${String(10 + (place % 90))}`,
  }))
}

function csv(count: number): Buffer {
  const lines = transactions(count).map(({ day, text, amount }) => `${day};${text};${amount};\n`)
  return Buffer.from(`Fecha;Descripción;Valor;Oficina\n${lines.join('')}`)
}

function html(count: number): Buffer {
  const lines = transactions(count).map(
    ({ day, text, amount }) => `<tr><td>${day}</td><td>${text}</td><td>${amount}</td></tr>\n`,
  )
  return Buffer.from(
    `<html><body><table><tr><th>Fecha</th><th>Descripción</th><th>Valor</th></tr>\n${lines.join('')}</table></body></html>`,
  )
}

function ofx(count: number): Buffer {
  const list = transactions(count).map(
    ({ day, text, amount }, place) =>
      `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${day.replaceAll('-', '')}<TRNAMT>${amount}<FITID>${place}<NAME>${text}\n`,
  )
  return Buffer.from(
    `OFXHEADER:100\n<OFX><STMTRS><BANKTRANLIST>\n${list.join('')}</BANKTRANLIST></STMTRS></OFX>`,
  )
}

function camt(count: number): Buffer {
  const entries = transactions(count).map(
    ({ day, text, amount }) =>
      `<Ntry><Amt Ccy="USD">${amount.slice(1)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`,
  )
  return Buffer.from(
    `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
  )
}

function workbook(count: number): Buffer {
  const lines = transactions(count).map(({ day, text, amount }) => [day, text, Number(amount)])
  return workbookOf([['Fecha', 'Concepto', 'Valor'], ...lines])
}
