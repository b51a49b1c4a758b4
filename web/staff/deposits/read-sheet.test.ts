import { expect, test } from 'vitest'
import { isFaulty, isLeftOut, judgeDeposits, readDeposits } from './deposits-from-rows.ts'
import { serve } from '#testing/page.ts'
import { sheetRow, workbook } from '#testing/workbook.ts'
import { readSheet } from './read-sheet.ts'

const ana = 'ana@banco.example'
const luis = 'luis@banco.example'
const id = '6f1c7a52-0b1d-4b8e-9a53-2f2f6f1c7a52'

async function accepted(reading: ReturnType<typeof readSheet>) {
  const read = await reading
  if (!read.ok) throw new Error(`It was not read: ${read.reason}`)
  return read
}
async function summary(reading: ReturnType<typeof readSheet>, common = 'Abono') {
  const { table, mapping } = await accepted(reading)
  const lines = readDeposits(table, mapping, common)
  return {
    deposits: lines
      .filter((deposit) => !isFaulty(deposit))
      .map(
        ({ line, customer, amountMinor, description }) => `${line} ${customer} ${amountMinor} ${description}`,
      ),
    broken: lines.flatMap(({ line, customerFault, amountFault }) =>
      [customerFault, amountFault].flatMap((fault) => (fault === null ? [] : `${line} ${fault}`)),
    ),
  }
}
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test('a payroll file can be an Excel workbook', async () => {
  const rows = [
    ['Empleado', 'Correo', 'Salario neto', 'Concepto'],
    ['Ana Pérez', ana, '1234567.5', 'Nómina'],
    ['Luis', luis, '2000000', 'Nómina'],
  ]
  const book = workbook({
    sheets: [{ name: 'Nómina', rows: rows.map((cells, index) => sheetRow(index + 1, cells)).join('') }],
  })

  expect((await summary(readSheet(book))).deposits).toEqual([
    `2 ${ana} 123456750 Nómina`,
    `3 ${luis} 200000000 Nómina`,
  ])
})

test('a payroll file from a Colombian spreadsheet program can be read', async () => {
  const file = `Empleado;Correo electrónico;Salario neto;Concepto\r\nAna Pérez;${ana};1.234.567,50;Nómina\r\nLuis;${luis};2.000.000;Nómina\r\n`

  expect(await summary(readSheet(latin1(file)))).toEqual({
    deposits: [`2 ${ana} 123456750 Nómina`, `3 ${luis} 200000000 Nómina`],
    broken: [],
  })
})

test('an identity number in the first column does not become an amount', async () => {
  expect(
    (await summary(readSheet(`1020304050\t${ana}\t1500,50\n1020304051\t${luis}\t800\n`))).deposits,
  ).toEqual([`1 ${ana} 150050 Abono`, `2 ${luis} 80000 Abono`])
})

test('the e-mail address or id may be in any column of pasted rows without a heading', async () => {
  expect(await summary(readSheet(`1500,50\t${ana}\tNómina de noviembre\n$ 800,00\t${id}\tBono\n`))).toEqual({
    deposits: [`1 ${ana} 150050 Nómina de noviembre`, `2 ${id} 80000 Bono`],
    broken: [],
  })
})

test('names beside e-mail addresses are not used as descriptions', async () => {
  const pasted = `Nombre\tEmail\tÁrea\tValor\nAna Pérez\t${ana}\tVentas\t10`

  expect((await summary(readSheet(pasted), 'Nómina')).deposits).toEqual([`2 ${ana} 1000 Nómina`])
})

test('each faulty line is listed with the mistakes in its customer and in its amount', async () => {
  const pasted = [
    'email;monto',
    `${ana};10`,
    'Total;10',
    `${luis};`,
    `${luis};0`,
    `${luis};-5`,
    `${luis};1,2345`,
  ]
  pasted.push(`${luis};9999999999999`, 'luis;cien')

  expect(await summary(readSheet(pasted.join('\n')))).toEqual({
    deposits: [`2 ${ana} 1000 Abono`],
    broken: [
      '3 customer',
      '4 amount',
      '5 zero',
      '6 negative',
      '7 amount',
      '8 large',
      '9 customer',
      '9 amount',
    ],
  })
})

test('formulas and writing direction characters are treated as plain text', async () => {
  const pasted = `email;monto;concepto\n${ana};10;'=1+1\n${ana};11;uno\u202Edos`

  expect((await summary(readSheet(pasted))).deposits).toEqual([`2 ${ana} 1000 =1+1`, `3 ${ana} 1100 uno dos`])
})

test('a workbook, an empty file and an overlong file are refused', async () => {
  expect(await readSheet(latin1('PK\u0003\u0004'))).toEqual({
    ok: false,
    reason: 'format',
    format: 'archive',
  })
  expect(await readSheet(latin1('email;monto\n'))).toEqual({ ok: false, reason: 'empty' })
  const long = await readSheet(`email;monto\n${`${ana};1\n`.repeat(20_000)}`)
  expect(long).toMatchObject({ ok: false, reason: 'long' })
})

const person = (name: string, isBlocked = false) => ({
  name,
  id: name,
  email: name,
  full_name: null,
  is_blocked: isBlocked,
  is_unclaimed: false,
})

test('lines with unknown or blocked customers and repeated lines are excluded with a reason', async () => {
  const { table, mapping } = await accepted(
    readSheet(
      [
        'email;monto;concepto',
        `${ana};10;Nómina`,
        `${luis};10;Nómina`,
        `${ana};10;nomina`,
        `${ana};10;Bono`,
        'nadie@banco.example;10;Nómina',
        `${luis};10;Nómina`,
      ].join('\n'),
    ),
  )

  const judged = judgeDeposits(readDeposits(table, mapping, ''), [person(ana), person(luis, true)])

  expect(judged.map(({ line, customerFault, doubt }) => [line, customerFault ?? doubt])).toEqual([
    [2, null],
    [3, 'blocked'],
    [4, 2],
    [5, null],
    [6, 'unknown'],
    [7, 3],
  ])
  expect(judged.filter((deposit) => !isLeftOut(deposit)).map(({ line }) => line)).toEqual([2, 5])
})

test('a corrected line is parsed in the bank’s notation and checked like other lines', async () => {
  await serve(() => undefined)
  const { table, mapping } = await accepted(
    readSheet(`email;monto\n${ana};1.000,50\nnadie;12.500.00\n${luis};1.000,50`),
  )
  const edits = new Map([[3, { customer: `dos.${luis}`, amount: '12,500.25' }]])

  const lines = readDeposits(table, mapping, '', edits)

  expect(lines.map((line) => [line.amountMinor, isFaulty(line)])).toEqual([
    [100050, false],
    [1250025, false],
    [100050, false],
  ])
})

test('a line does not count as repeated if the user excludes the earlier line', async () => {
  const { table, mapping } = await accepted(readSheet(`email;monto\n${ana};10\n${ana};10`))
  const edits = new Map([[2, { isOut: true }]])

  const judged = judgeDeposits(readDeposits(table, mapping, '', edits), [person(ana)])

  expect(judged.map(isLeftOut)).toEqual([true, false])
})
