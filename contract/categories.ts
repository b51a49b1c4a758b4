/**
 * The categories of docs/specification.md §3. The server accepts any other text as a category too, and the page shows
 * such a category in the default style.
 */

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

/** Category of a deposit that an administrator records without choosing a category. */
export const depositCategory = 'Deposito'

/** Category of an expense that an administrator records without choosing a category. */
export const administratorExpenseCategory = 'Gasto'
