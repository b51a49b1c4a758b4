/** Two years of a household's transactions, the same at every start: habits with a little randomness. */
import type { ExpenseCategory } from '@finanzas/contract/categories.ts'
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'

/** A transaction of the demo. */
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

/** Category, approximate number per month, amounts in units of currency, and places. */
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

/** Returns the transactions of one household up to `until`; each `seed` gives a different household. */
export function movementsOf(household: { seed: number; salary: number }, until: Date): DemoTransaction[] {
  const chance = chanceOf(household.seed)
  const transactions: DemoTransaction[] = []
  for (let day = days; day >= 1; day -= 1) {
    const date = new Date(until.getTime() - day * dayMs)
    const dayOfMonth = date.getUTCDate()
    if (dayOfMonth === 15 || dayOfMonth === 30) {
      const amount = household.salary.toFixed(2)
      transactions.push({ ...salary, amount, date: at(date, 13, 0) })
    }
    if (dayOfMonth === 3) {
      const amount = (household.salary * 0.55).toFixed(2)
      transactions.push({ ...rent, amount, date: at(date, 14, 30) })
    }
    for (const subscription of subscriptions) {
      const { dayOfMonth: due, ...bill } = subscription
      if (dayOfMonth === due) transactions.push({ ...bill, ...ownExpense, date: at(date, 15, 5) })
    }
    for (const habit of habits) {
      if (chance() < habit[1] / 30) transactions.push(expense(habit, date, chance))
    }
  }
  return transactions
}

const salary = {
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

/** Repeating expenses, which the page suggests as recurring. */
const subscriptions = [
  { dayOfMonth: 8, description: 'Netflix', amount: '12.90', category: 'Entretenimiento' },
  { dayOfMonth: 12, description: 'Plan celular Claro', amount: '15.50', category: 'Servicios' },
  { dayOfMonth: 26, description: 'Gimnasio Bodytech', amount: '29.00', category: 'Salud' },
] as const

function expense([category, , from, to, places]: Habit, date: Date, chance: () => number): DemoTransaction {
  const minor = Math.round((from + chance() * (to - from)) * 100) as MinorUnits
  return {
    ...ownExpense,
    description: places[Math.floor(chance() * places.length)] ?? places[0],
    amount: decimalFromMinor(minor),
    category,
    // A time between 7:00 and 21:00 in Bogotá.
    date: at(date, 12 + Math.floor(chance() * 12), Math.floor(chance() * 60)),
  }
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
