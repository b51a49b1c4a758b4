import { expect, test } from 'vitest'
import { ruleText, rulingOf } from './rules.ts'

test('the first matching rule decides, ignoring case and accents', () => {
  const ruling = rulingOf([
    { contains: 'Éxito gas', category: 'Transporte' },
    { contains: 'exito', category: 'Comida' },
  ])

  expect(['COMPRA EXITO CALLE 80', 'éxito GAS 3', 'Carulla', ''].map(ruling)).toEqual([
    'Comida',
    'Transporte',
    '',
    '',
  ])
})

test.each([
  ['Éxito', 'Éxito'],
  ['Panadería 31', 'Panadería'],
  ['COMPRA EN EXITO CALLE 80 BOGOTA', 'COMPRA EN EXITO CALLE'],
  ['RAPPI*RESTAURANTE #4567', 'RAPPI*RESTAURANTE'],
  ['D1 Chapinero', 'D1 Chapinero'],
  ['  4000  ', '4000'],
  ['a'.repeat(40) + ' ' + 'b'.repeat(40), 'a'.repeat(40)],
])('a rule suggested for %j has the text %j', (description, text) => {
  expect(ruleText(description)).toBe(text)
})
