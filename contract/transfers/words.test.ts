import { expect, test } from 'vitest'
import { transferWordsOf } from './words.ts'

test.for([
  ['Transferencia recibida', 'Transferencia recibida', '', ''],
  ['Transferencia recibida de «Ana Pérez»', 'Transferencia recibida', 'Ana Pérez', ''],
  ['Transferencia recibida: «Almuerzo»', 'Transferencia recibida', '', 'Almuerzo'],
  ['Transferencia enviada a «Luis»: «Pan: dos»', 'Transferencia enviada', 'Luis', 'Pan: dos'],
  ['Corrección: Transferencia enviada a «Luis»: «Pan', 'Corrección: Transferencia enviada', 'Luis', 'Pan'],
] as const)(
  'the words of customers in %j are told apart from the words of the bank',
  ([text, words, name, concept]) => {
    expect(transferWordsOf(text)).toEqual({ words, name, concept })
  },
)

test.for([
  'Nómina',
  'Transferencia de Ana',
  'Transferencia recibida de Ana',
  'Transferencia recibida de «A» del banco',
])('the description %j of another transaction has no words of customers', (text) => {
  expect(transferWordsOf(text)).toBeNull()
})
