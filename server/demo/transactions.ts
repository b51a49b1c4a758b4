/**
 * Generates two years of a household's transactions from its spending habits and pseudo-random numbers. Every start of
 * the demo generates the same transactions.
 */
import type { ExpenseCategory } from '@finanzas/contract/categories.ts'
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'

/** A transaction in the demo bank. */
export type DemoTransaction = {
  readonly recordedBy: 'bank' | 'customer'
  readonly type: 'deposit' | 'expense'
  readonly description: string
  /** Decimal text. */
  readonly amount: string
  readonly category: string
  /** ISO 8601. */
  readonly date: string
}

export type Currency = 'USD' | 'COP'

/**
 * Each habit has a category, an approximate number of expenses per month, a range of amounts in dollars, and
 * descriptions.
 */
type Habit = readonly [
  category: ExpenseCategory,
  timesAMonth: number,
  from: number,
  to: number,
  places: readonly [string, ...string[]],
]

const habits: readonly Habit[] = [
  ['Comida', 7, 14, 95, ['Éxito Calle 80', 'Mercado Ara', 'Carulla Chapinero', 'D1 Galerías']],
  ['Comida', 6, 4, 38, ['Restaurante Andrés', 'Crepes & Waffles', 'Café San Alberto']],
  ['Transporte', 6, 2, 34, ['TransMilenio', 'Taxi al aeropuerto', 'Gasolina Terpel', 'Peaje Autonorte']],
  ['Entretenimiento', 2, 8, 60, ['Cine Colombia', 'Teatro Nacional', 'Concierto en el Movistar Arena']],
  ['Compras', 2, 18, 240, ['Falabella', 'Librería Lerner', 'Alkosto', 'Zapatos en Unicentro']],
  ['Servicios', 4, 12, 62, ['Acueducto de Bogotá', 'Enel energía', 'Internet del hogar']],
  ['Salud', 0.8, 9, 110, ['Droguería Cafam', 'Cita odontológica', 'Laboratorio clínico']],
  ['Educación', 0.4, 25, 320, ['Curso de inglés', 'Matrícula del semestre', 'Útiles escolares']],
  ['Viajes', 0.25, 60, 410, ['Vuelo a Cartagena', 'Hotel en Villa de Leyva', 'Bus a Medellín']],
  ['Otro', 1.5, 10, 80, ['Retiro cajero', 'Regalo de cumpleaños', 'Donación']],
]

const dayMs = 24 * 60 * 60 * 1000
const days = 730

const pesosPerDollar = 4000
/** Prices in pesos are multiples of this value, the smallest coin. */
const smallestCoinPesos = 50

/** Converts an amount in dollars to the bank's currency and returns the result as decimal text. */
export function amountIn(currency: Currency, dollars: number): string {
  const pesos = Math.round((dollars * pesosPerDollar) / smallestCoinPesos) * smallestCoinPesos
  return decimalFromMinor((currency === 'COP' ? pesos * 100 : Math.round(dollars * 100)) as MinorUnits)
}

/** Input of the generator. Each `seed` generates a different household; the salary is in dollars. */
type Household = { readonly seed: number; readonly salary: number; readonly currency: Currency }

/** Returns the transactions of one household up to `until`, the oldest first. */
export function movementsOf({ seed, salary, currency }: Household, until: Date): DemoTransaction[] {
  const chance = chanceOf(seed)
  const transactions: DemoTransaction[] = []
  for (let day = days; day >= 1; day -= 1) {
    const date = new Date(until.getTime() - day * dayMs)
    const dayOfMonth = date.getUTCDate()
    if (dayOfMonth === 15 || dayOfMonth === Math.min(30, daysOfMonth(date)))
      transactions.push({ ...pay, amount: amountIn(currency, salary), date: at(date, 13, 0) })
    if (dayOfMonth === 3)
      transactions.push({ ...rent, amount: amountIn(currency, salary * 0.55), date: at(date, 14, 30) })
    for (const subscription of subscriptions) {
      const { dayOfMonth: due, dollars, ...bill } = subscription
      const amount = amountIn(currency, dollars)
      if (dayOfMonth === due) transactions.push({ ...bill, ...ownExpense, amount, date: at(date, 15, 5) })
    }
    for (const habit of habits) {
      if (chance() < habit[1] / 30) transactions.push(expense(habit, { date, currency, chance }))
    }
  }
  return transactions.sort((one, other) => Date.parse(one.date) - Date.parse(other.date))
}

const pay = {
  recordedBy: 'bank',
  type: 'deposit',
  description: 'Nómina quincenal',
  category: 'Deposito',
} as const

const rent = {
  recordedBy: 'bank',
  type: 'expense',
  description: 'Débito automático arriendo',
  category: 'Gasto',
} as const

const ownExpense = { recordedBy: 'customer', type: 'expense' } as const

/** Repeated expenses that the page offers to save as recurring expenses. */
const subscriptions = [
  { dayOfMonth: 8, description: 'Netflix', dollars: 12.9, category: 'Entretenimiento' },
  { dayOfMonth: 12, description: 'Plan celular Claro', dollars: 15.5, category: 'Servicios' },
  { dayOfMonth: 26, description: 'Gimnasio Bodytech', dollars: 29, category: 'Salud' },
] as const

type Occasion = { readonly date: Date; readonly currency: Currency; readonly chance: () => number }

function expense(
  [category, , from, to, places]: Habit,
  { date, currency, chance }: Occasion,
): DemoTransaction {
  const amount = amountIn(currency, from + chance() * (to - from))
  return {
    ...ownExpense,
    description: places[Math.floor(chance() * places.length)] ?? places[0],
    amount,
    category,
    // Returns a time between 7:00 and 21:00 in Bogotá.
    date: at(date, 12 + Math.floor(chance() * 12), Math.floor(chance() * 60)),
  }
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

function at(date: Date, hourUtc: number, minute: number): string {
  return new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), hourUtc, minute),
  ).toISOString()
}

/** Returns pseudo-random numbers in [0, 1) that depend only on the seed (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
