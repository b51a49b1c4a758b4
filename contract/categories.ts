/** The categories of docs/specification.md §3. Any other text is stored too and shown in the default style. */

/** Categories for an own expense, in the order of the specification. */
export const expenseCategories = [
  'Comida',
  'Transporte',
  'Entretenimiento',
  'Compras',
  'Servicios',
  'Salud',
  'Educación',
  'Viajes',
  'Otro',
] as const

export type ExpenseCategory = (typeof expenseCategories)[number]

/** Shown when a transaction has no category, and stored for deposits that an administrator registers. */
export const depositCategory = 'Deposito'

/** Stored for expenses that an administrator registers. */
export const administratorExpenseCategory = 'Gasto'
