import { expect, test } from 'vitest'
import { createProposals } from './proposals.ts'

type Row = [description: string, category: string | null]
const remembered = (rows: readonly Row[]) =>
  rows.map(([description, category]) => ({ description, category }))
const filed = (...rows: Row[]) => createProposals(remembered(rows), { categories: [], rules: [] })

test('the category of an earlier transaction is proposed', () => {
  const propose = filed(['Taxi al aeropuerto', 'Transporte'])

  expect(propose('taxi al AEROPUERTO')).toBe('Transporte')
})

test('a proposal ignores accents, digits and blanks in descriptions', () => {
  const propose = filed(['Panadería 31', 'Comida'])

  expect(propose(' panaderia  9838 ')).toBe('Comida')
})

test('the first word determines the category if no earlier description is the same', () => {
  const propose = filed(['Taxi de regreso', 'Viajes'], ['Taxi a casa', 'Transporte'])

  expect(propose('Taxi')).toBe('Viajes')
  expect(propose('taxi a casa')).toBe('Transporte')
})

test('the most frequent category wins, and the newest wins a tie', () => {
  const propose = filed(
    ['Uber', 'Viajes'],
    ['Uber', 'Transporte'],
    ['Uber', 'Transporte'],
    ['Éxito', 'Compras'],
    ['Éxito', 'Comida'],
  )

  expect(propose('Uber')).toBe('Transporte')
  expect(propose('Éxito')).toBe('Compras')
})

test.each(['', '4000', 'Ta', 'El cine', 'Veterinaria'])('nothing is proposed for %j', (description) => {
  const propose = filed(['Taxi', 'Transporte'], ['El mercado', 'Comida'], ['5000', 'Otro'])

  expect(propose(description)).toBe('')
})

test('a rule takes precedence over earlier transactions', () => {
  const rule = {
    id: 'r',
    contains: 'éxito',
    category: 'Comida',
    entries: null,
    first_seq: null,
    undone_at: null,
  }
  const propose = createProposals(
    remembered([
      ['Éxito', 'Compras'],
      ['Veterinaria', 'Mascotas'],
    ]),
    { categories: ['Mascotas'], rules: [rule] },
  )

  expect(['COMPRA EXITO 80', 'veterinaria 2', 'Papelería'].map(propose)).toEqual(['Comida', 'Mascotas', ''])
})

test.each([
  ['UBER   *TRIP BOGOTA', 'Transporte'],
  ['Uber Eats', 'Comida'],
  ['D1 GALERIAS 1290', 'Comida'],
  ['Almacenes Éxito', 'Comida'],
  ['PAGO CLARO HOGAR', 'Servicios'],
  ['Para Ana', ''],
])('without an earlier expense, %j gets the category of its merchant', (description, category) => {
  expect(filed(['Taxi', 'Transporte'])(description)).toBe(category)
})

test('the customer’s own choice takes precedence over the category of a merchant', () => {
  expect(filed(['Uber al trabajo', 'Viajes'])('Uber al trabajo')).toBe('Viajes')
})

test('only categories listed in the form are proposed', () => {
  const propose = filed(['Débito automático', 'Gasto'], ['Veterinaria', 'Mascotas'], ['Nada', null])

  expect(['Débito automático', 'Veterinaria', 'Nada'].map(propose)).toEqual(['', '', ''])
})
