import { expect, test } from 'vitest'
import { readHtml } from './html.ts'
import { readSpreadsheetXml } from './spreadsheet-xml.ts'

const noPause = () => Promise.resolve()
const fieldsOf = async (text: string) => (await readHtml(text, noPause)).map(({ fields }) => fields)

test('the table of a page that is named .xls is read', async () => {
  const page = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td { color: <b>; }</style><!--[if gte mso 9]><xml><tr><td>no</td></tr></xml><![endif]--></head>
    <body><table><TR><TH>Fecha<th>Descripci&oacute;n<th>Valor</TR>
    <tr><td x:str>03/11/2026</td><td>PANADER&Iacute;A<br>LA&nbsp;ESPIGA <b>NO</b>RTE</td><td>-12,50</td></tr>
    <tr><td colspan="2">Total</td><td>-12,50</td></tr></table><script>if (a < b) document.write('<tr><td>x</td></tr>')</script></body></html>`

  expect(await fieldsOf(page)).toEqual([
    ['Fecha', 'Descripción', 'Valor'],
    ['03/11/2026', 'PANADERÍA LA ESPIGA NORTE', '-12,50'],
    ['Total', '', '-12,50'],
  ])
})

test('a cell over several lines keeps the columns of the next lines in place', async () => {
  const page =
    '<table><tr><td rowspan=2>03/11/2026<td>Pan<td>-1,00<tr><td>Bus<td>-2,00<tr><td>04/11/2026<td rowspan=2>Cine<td>-3,00<tr><td>05/11/2026<td>-4,00</table>'

  expect(await fieldsOf(page)).toEqual([
    ['03/11/2026', 'Pan', '-1,00'],
    ['03/11/2026', 'Bus', '-2,00'],
    ['04/11/2026', 'Cine', '-3,00'],
    ['05/11/2026', 'Cine', '-4,00'],
  ])
})

test('the rows of a table within a cell of another table are read', async () => {
  expect(
    await fieldsOf('<table><tr><td>Cuenta<table><tr><td>Fecha<td>Valor</table></td></tr></table>'),
  ).toEqual([['Fecha', 'Valor'], ['Cuenta']])
})

test('the rows of an XML spreadsheet are read with their stated places', async () => {
  const book = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Hoja1"><Table>
    <Row><Cell><Data ss:Type="String">Fecha</Data></Cell><Cell ss:Index="3"><Data ss:Type="String">Valor</Data></Cell></Row>
    <Row ss:Index="4"><Cell><Data ss:Type="DateTime">2026-11-03T00:00:00.000</Data></Cell><Cell><Data ss:Type="String">Pan &amp; caf&#233;</Data></Cell><Cell><Data ss:Type="Number">-12.5</Data></Cell></Row>
    </Table></Worksheet></Workbook>`

  expect(await readSpreadsheetXml(book, noPause)).toEqual([
    { line: 1, fields: ['Fecha', '', 'Valor'] },
    { line: 4, fields: ['2026-11-03', 'Pan & café', '-12.50'] },
  ])
})

test('a page or a spreadsheet with too many rows is counted and refused', async () => {
  const rows = (tag: string, cell: string) => `<${tag}>${cell}</${tag}>`.repeat(30_000)
  const page = `<table>${rows('tr', '<td>2026-11-03</td><td>-1.00</td>')}</table>`
  const book = `<Workbook><Worksheet><Table>${rows('Row', '<Cell><Data>1</Data></Cell>')}</Table></Worksheet></Workbook>`

  for (const reading of [readHtml(page, noPause), readSpreadsheetXml(book, noPause)])
    await expect(reading).rejects.toMatchObject({ refusal: { reason: 'long', rows: 30_000 } })
})

test('a long page and a long spreadsheet are read in pieces', async () => {
  let pauses = 0
  const pause = () => {
    pauses += 1
    return Promise.resolve()
  }
  await readHtml(`<table>${'<tr><td>2026-11-03</td><td>-1.00</td></tr>'.repeat(10_000)}</table>`, pause)
  expect(pauses).toBe(3)

  const cells = '<Row><Cell><Data>1</Data></Cell></Row>'.repeat(10_000)
  await readSpreadsheetXml(`<Workbook><Worksheet><Table>${cells}</Table></Worksheet></Workbook>`, pause)
  expect(pauses).toBe(6)
})
