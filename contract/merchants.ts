import type { ExpenseCategory } from './categories.ts'

/**
 * Merchants that most people in Colombia pay, by their words in the description of a bank, without accents and capitals.
 * The page proposes their category as long as the customer has neither a rule nor an earlier expense that decides. A
 * longer name stands before a shorter one that it begins with.
 */
export const merchants: readonly (readonly [words: string, category: ExpenseCategory])[] = [
  ['uber eats', 'Comida'],
  ['uber', 'Transporte'],
  ['didi food', 'Comida'],
  ['didi', 'Transporte'],
  ['cabify', 'Transporte'],
  ['terpel', 'Transporte'],
  ['transmilenio', 'Transporte'],
  ['rappi', 'Comida'],
  ['d1', 'Comida'],
  ['ara', 'Comida'],
  ['exito', 'Comida'],
  ['carulla', 'Comida'],
  ['olimpica', 'Comida'],
  ['jumbo', 'Comida'],
  ['makro', 'Comida'],
  ['crepes waffles', 'Comida'],
  ['juan valdez', 'Comida'],
  ['claro', 'Servicios'],
  ['movistar', 'Servicios'],
  ['tigo', 'Servicios'],
  ['etb', 'Servicios'],
  ['epm', 'Servicios'],
  ['enel', 'Servicios'],
  ['netflix', 'Entretenimiento'],
  ['spotify', 'Entretenimiento'],
  ['cine colombia', 'Entretenimiento'],
  ['falabella', 'Compras'],
  ['homecenter', 'Compras'],
  ['alkosto', 'Compras'],
  ['mercado libre', 'Compras'],
  ['mercadolibre', 'Compras'],
  ['cruz verde', 'Salud'],
  ['farmatodo', 'Salud'],
  ['avianca', 'Viajes'],
  ['latam', 'Viajes'],
]
