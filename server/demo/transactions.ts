/** Two years of a household's money, the same at every start: habits with a little chance in them. */
import type { ExpenseCategory } from '@finanzas/contract/categories.ts'
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'

/** One transaction, oldest first. */
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

type Habit = {
  readonly description: readonly string[]
  readonly category: ExpenseCategory
  /** How often in a month, about. */
  readonly timesAMonth: number
  /** Units of currency. */
  readonly from: number
  readonly to: number
}

const habits: readonly Habit[] = [
  {
    description: ['Éxito Calle 80', 'Mercado Ara', 'Carulla Chapinero', 'D1 Galerías'],
    category: 'Comida',
    timesAMonth: 7,
    from: 14,
    to: 95,
  },
  {
    description: ['Restaurante Andrés', 'Crepes & Waffles', 'Almuerzo ejecutivo', 'Café San Alberto'],
    category: 'Comida',
    timesAMonth: 6,
    from: 4,
    to: 38,
  },
  {
    description: ['TransMilenio', 'Taxi al aeropuerto', 'Gasolina Terpel', 'Peaje Autonorte'],
    category: 'Transporte',
    timesAMonth: 6,
    from: 2,
    to: 34,
  },
  {
    description: ['Cine Colombia', 'Teatro Nacional', 'Concierto en el Movistar Arena'],
    category: 'Entretenimiento',
    timesAMonth: 2,
    from: 8,
    to: 60,
  },
  {
    description: ['Falabella', 'Librería Lerner', 'Alkosto', 'Zapatos en Unicentro'],
    category: 'Compras',
    timesAMonth: 2,
    from: 18,
    to: 240,
  },
  {
    description: ['Acueducto de Bogotá', 'Enel energía', 'Internet del hogar', 'Plan de celular'],
    category: 'Servicios',
    timesAMonth: 4,
    from: 12,
    to: 62,
  },
  {
    description: ['Droguería Cafam', 'Cita odontológica', 'Laboratorio clínico'],
    category: 'Salud',
    timesAMonth: 0.8,
    from: 9,
    to: 110,
  },
  {
    description: ['Curso de inglés', 'Matrícula del semestre', 'Útiles escolares'],
    category: 'Educación',
    timesAMonth: 0.4,
    from: 25,
    to: 320,
  },
  {
    description: ['Vuelo a Cartagena', 'Hotel en Villa de Leyva', 'Bus a Medellín'],
    category: 'Viajes',
    timesAMonth: 0.25,
    from: 60,
    to: 410,
  },
  {
    description: ['Retiro cajero', 'Regalo de cumpleaños', 'Donación'],
    category: 'Otro',
    timesAMonth: 1.5,
    from: 10,
    to: 80,
  },
]

const dayMs = 24 * 60 * 60 * 1000
const days = 730

/** The transactions of one household up to `until`; another `seed` is another household. */
export function movementsOf(household: { seed: number; salary: number }, until: Date): DemoTransaction[] {
  const chance = chanceOf(household.seed)
  const transactions: DemoTransaction[] = []
  for (let day = days; day >= 1; day -= 1) {
    const date = new Date(until.getTime() - day * dayMs)
    const dayOfMonth = date.getUTCDate()
    if (dayOfMonth === 15 || dayOfMonth === 30) transactions.push(salary(household.salary, date))
    if (dayOfMonth === 3) transactions.push(rent(household.salary, date))
    for (const habit of habits) {
      if (chance() < habit.timesAMonth / 30) transactions.push(expense(habit, date, chance))
    }
  }
  return transactions
}

function salary(amount: number, date: Date): DemoTransaction {
  return {
    recordedBy: 'bank',
    type: 'deposit',
    description: 'Nómina quincenal',
    amount: amount.toFixed(2),
    category: 'Deposito',
    date: at(date, 13, 0),
  }
}

function rent(salaryAmount: number, date: Date): DemoTransaction {
  return {
    recordedBy: 'bank',
    type: 'expense',
    description: 'Débito automático arriendo',
    amount: (salaryAmount * 0.55).toFixed(2),
    category: 'Gasto',
    date: at(date, 14, 30),
  }
}

function expense(habit: Habit, date: Date, chance: () => number): DemoTransaction {
  const minor = Math.round((habit.from + chance() * (habit.to - habit.from)) * 100) as MinorUnits
  return {
    recordedBy: 'customer',
    type: 'expense',
    description: habit.description[Math.floor(chance() * habit.description.length)] ?? habit.category,
    amount: decimalFromMinor(minor),
    category: habit.category,
    // Between 7:00 and 21:00 in Bogotá.
    date: at(date, 12 + Math.floor(chance() * 12), Math.floor(chance() * 60)),
  }
}

function at(date: Date, hourUtc: number, minute: number): string {
  return new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), hourUtc, minute),
  ).toISOString()
}

/** Numbers in [0, 1) that follow from the seed (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
