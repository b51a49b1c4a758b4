import { expect, test } from 'vitest'
import { csvRows } from './csv.ts'

const fieldsOf = (text: string) => [...csvRows(text)].map(({ fields }) => fields)

test('a line that is quoted as a whole is split at the separators within its quotes', () => {
  expect(
    fieldsOf('"Fecha,Detalle,Valor"\n"03/11/2026,""Café, bar"",-12.50"\n"14/11/2026,Bus,-2.00"\n'),
  ).toEqual([
    ['Fecha', 'Detalle', 'Valor'],
    ['03/11/2026', 'Café, bar', '-12.50'],
    ['14/11/2026', 'Bus', '-2.00'],
  ])
})

test('a backslash before a quote belongs to the notation only if the lines are then split evenly', () => {
  expect(
    fieldsOf(
      '"Fecha","Detalle","Valor"\n"20/11/2026","Bar \\"La Ñ\\", Cali","-12.50"\n"21/11/2026","Bus","-2.00"\n',
    ),
  ).toEqual([
    ['Fecha', 'Detalle', 'Valor'],
    ['20/11/2026', 'Bar "La Ñ", Cali', '-12.50'],
    ['21/11/2026', 'Bus', '-2.00'],
  ])
  expect(fieldsOf('"Ruta";"Tamaño"\n"C:\\";"12"\n"D:\\";"13"\n')).toEqual([
    ['Ruta', 'Tamaño'],
    ['C:\\', '12'],
    ['D:\\', '13'],
  ])
})

test('the text cells that Excel writes as formulas are read as their texts', () => {
  expect(fieldsOf('Fecha,Detalle,Valor\n="03/11/2026",="PAN, 0012","=""-12.50"""\n')).toEqual([
    ['Fecha', 'Detalle', 'Valor'],
    ['03/11/2026', 'PAN, 0012', '-12.50'],
  ])
})

test('a quote that is never closed ends within ten thousand characters', () => {
  const rows = fieldsOf(
    `Fecha,Detalle,Valor\n02/11/2026,"Café,-7.50\n${'03/11/2026,Bus,-2.10\n'.repeat(600)}04/11/2026,"Cine",-1.00\n`,
  )

  expect(rows).toHaveLength(603)
  expect(rows[1]).toEqual(['02/11/2026', '"Café', '-7.50'])
})

test('a line with a million separators is read within the time of a test', () => {
  expect(
    fieldsOf(`a,b\n${','.repeat(1_000_000)}x\n${'"'.repeat(1_000_000)}\nc,d\n`).map(({ length }) => length),
  ).toEqual([2, 1, 2])
})
