import { expect, test } from 'vitest'
import { sheetRow, workbook, zipOf } from '#testing/workbook.ts'
import { numberFormat, numberText } from './cell.ts'
import { readXlsx } from './xlsx.ts'

const heading = ['Fecha', 'Descripción', 'Valor']
const noPause = () => Promise.resolve()
const fieldsOf = async (book: Uint8Array) => (await readXlsx(book, noPause)).map(({ fields }) => fields)
const refusalOf = (book: Uint8Array) =>
  readXlsx(book, noPause).then(
    () => null,
    (error: { refusal: unknown }) => error.refusal,
  )
const sheet = (name: string, ...rows: string[][]) => ({
  name,
  rows: rows.map((cells, index) => sheetRow(index + 1, cells)).join(''),
})

test('days, amounts and texts of a workbook are read as they are shown', async () => {
  const book = workbook({
    formats: ['dd/mm/yyyy', '#,##0.00', '"$"#,##0.00;[Red]-"$"#,##0.00', 'dd/mm/yyyy hh:mm'],
    sheets: [
      sheet(
        'Movimientos',
        heading,
        ['46329:1', 'Panadería', '-12.5:2'],
        ['46340.25:4', 'Nómina', '2500:3'],
        ['46341:1', 'Bus', '-2'],
      ),
    ],
  })

  expect(await fieldsOf(book)).toEqual([
    heading,
    ['2026-11-03', 'Panadería', '-12.50'],
    ['2026-11-14T06:00:00', 'Nómina', '2500.00'],
    ['2026-11-15', 'Bus', '-2'],
  ])
})

test('the days of a workbook that counts from 1904 are read with this epoch', async () => {
  const book = workbook({
    is1904: true,
    formats: ['d/m/yy'],
    sheets: [sheet('Hoja1', heading, ['44867:1', 'Pan', '-1'])],
  })

  expect((await fieldsOf(book))[1]).toEqual(['2026-11-03', 'Pan', '-1'])
})

test('shared texts may consist of several runs and contain spaces and control characters', async () => {
  const book = workbook({
    strings:
      '<si><t>Fecha</t></si><si><r><t>COMPRA</t></r><r><t xml:space="preserve"> EN</t></r><rPh><t>x</t></rPh></si><si><t>uno_x000D_&#10;dos</t></si>',
    sheets: [
      { name: 'A', rows: '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row>' },
    ],
  })

  expect(await fieldsOf(book)).toEqual([['Fecha', 'COMPRA EN', 'uno dos']])
})

test('a formula is read by its stored result, and without one as it is written', async () => {
  const rows =
    '<row r="3"><c r="B3"><f>SUM(A1:A2)</f><v>12.300000000000001</v></c><c r="C3" t="str"><f>A1</f><v>Pan</v></c><c r="E3"><f>B3*2</f></c><c r="F3" t="e"><v>#N/A</v></c></row>'

  expect(await readXlsx(workbook({ sheets: [{ name: 'A', rows }] }), noPause)).toEqual([
    { line: 3, fields: ['', '12.30', 'Pan', '', '=B3*2', '#N/A'] },
  ])
})

test('hidden sheets are left out, and a sheet without a table does not count', async () => {
  const movements = sheet('Movimientos', heading, ['2026-11-03', 'Pan', '-1'])
  const book = workbook({
    sheets: [
      { ...sheet('Datos', heading, ['2026-11-03', 'Oculto', '-9']), state: 'veryHidden' },
      sheet('Resumen', ['Saldo', '100']),
      movements,
      sheet('Ayuda', ['Glosario de términos']),
    ],
  })

  expect(await fieldsOf(book)).toEqual([heading, ['2026-11-03', 'Pan', '-1']])
})

test('sheets with the same heading follow each other, and different tables are refused by name', async () => {
  const october = sheet('Octubre', heading, ['2026-10-03', 'Pan', '-1'])
  const november = sheet('Noviembre', ['Cuenta 1'], heading, ['2026-11-03', 'Bus', '-2'])
  const other = sheet('Tarjeta', ['Día', 'Comercio', 'Pesos'], ['2026-11-03', 'Cine', '3'])

  expect(await readXlsx(workbook({ sheets: [october, november] }), noPause)).toEqual([
    { line: 1, fields: heading },
    { line: 2, fields: ['2026-10-03', 'Pan', '-1'] },
    { line: 5, fields: ['2026-11-03', 'Bus', '-2'] },
  ])
  expect(await refusalOf(workbook({ sheets: [october, other] }))).toEqual({
    reason: 'sheets',
    names: ['Octubre', 'Tarjeta'],
  })
})

test('a merged day counts for each amount beside it, and a merged amount counts once', async () => {
  const merged = (ref: string) => ({ after: `<mergeCells><mergeCell ref="${ref}"/></mergeCells>` })
  const rows = [heading, ['2026-11-03', 'Pan', '-1'], ['', 'Bus', '-2'], ['2026-11-04', 'Cine', '']]
  const book = (ref: string) => workbook({ sheets: [{ ...sheet('A', ...rows), ...merged(ref) }] })

  expect((await fieldsOf(book('A2:A3')))[2]).toEqual(['2026-11-03', 'Bus', '-2'])
  expect((await fieldsOf(book('C3:C4')))[3]).toEqual(['2026-11-04', 'Cine'])
})

test.for([
  ['more bytes than 64 MB', (): string => 'x'.repeat(65 * 1024 * 1024)],
  ['a cell far to the right', (): string => '<row r="1"><c r="XFD1"><v>1</v></c></row>'],
] as const)('a workbook with %s is refused', async ([, rows]) => {
  expect(await refusalOf(workbook({ sheets: [{ name: 'A', rows: rows() }] }))).toEqual({ reason: 'unpacked' })
})

test('a workbook of many rows is refused with their number, and rows without a value do not count', async () => {
  const book = (row: string) =>
    workbook({ sheets: [{ name: 'A', rows: `<row><c><v>1</v></c></row>${row.repeat(12_000)}` }] })

  expect(await refusalOf(book('<row><c><v>1</v></c></row>'))).toEqual({ reason: 'long', rows: 12_001 })
  expect(await fieldsOf(book('<row><c s="1"/></row>'))).toEqual([['1']])
})

test('the sheets of a workbook share the limit of cells', async () => {
  const sheets = ['A', 'B'].map((name) => sheet(name, heading, ['2026-11-03', 'Pan', '-1']))
  const readUpTo = (cells: number) => readXlsx(workbook({ sheets }), noPause, { cellsLeft: cells })

  await expect(readUpTo(12)).resolves.toHaveLength(3)
  await expect(readUpTo(11)).rejects.toMatchObject({ refusal: { reason: 'unpacked' } })
})

test('a damaged workbook and one with a password are refused with different reasons', async () => {
  const book = workbook({ sheets: [sheet('A', heading)] })
  const locked = zipOf({ 'xl/workbook.xml': '<workbook/>' })
  const flags =
    locked.findLastIndex(
      (byte, index) => byte === 0x01 && locked[index + 1] === 0x02 && locked[index - 1] === 0x4b,
    ) + 6
  locked[flags] = 1

  expect(await refusalOf(book.subarray(0, book.length - 30))).toEqual({ reason: 'damaged' })
  expect(await refusalOf(zipOf({ 'xl/worksheets/sheet1.xml': '<x/>' }))).toEqual({
    reason: 'damaged',
  })
  expect(await refusalOf(locked)).toEqual({ reason: 'format', format: 'encrypted' })
})

test.for([
  ['General', '1020304050', '1020304050'],
  ['00000000', '12345', '00012345'],
  ['0.00', '4500', '4500.00'],
  ['General', '4.125', '4.1250'],
  ['General', '1E-7', '0.000000100000000'],
  ['#,##0.00 "Cr";#,##0.00 "Dr"', '-12.5', '-12.50 Dr'],
  ['[$USD] #,##0.00', '12.5', '12.50 USD'],
  ['[$-240A]d "de" mmmm "de" yyyy', '46329', '2026-11-03'],
  ['[h]:mm:ss', '0.5', '12:00:00'],
  ['mm:ss', '0.5', '12:00:00'],
  ['mmm-yy', '46329', '2026-11-03'],
  ['dd/mm/yyyy', '-1', '-1'],
  ['dd/mm/yyyy', '59', '1900-02-28'],
  ['"Saldo" 0', '5', '5'],
] as const)('the format %s shows %s as %s', ([code, number, text]) => {
  expect(numberText(number, numberFormat(code))).toBe(text)
})

test('only the sheet that the user chose is read', async () => {
  const book = workbook({
    sheets: [
      sheet('Cuenta', heading, ['2026-11-03', 'Pan', '-1']),
      sheet('Tarjeta', ['Día', 'Comercio', 'Cargo'], ['2026-11-04', 'Bus', '2']),
    ],
  })

  expect((await readXlsx(book, noPause, { chosen: 'Tarjeta' })).map(({ fields }) => fields[1])).toEqual([
    'Comercio',
    'Bus',
  ])
})
