/** The categories of docs/specification.md §3. The server also stores any other text; the page shows it in the default style. */

/** Categories that a customer can choose for an expense, in the order of the specification. */
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

/** Default category of a deposit that an administrator records. */
export const depositCategory = 'Deposito'

/** Default category of an expense that an administrator records. */
export const administratorExpenseCategory = 'Gasto'
