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

/** Category that the server stores for an administrator's deposits without a given category. */
export const depositCategory = 'Deposito'

/** Category that the server stores for an administrator's expenses. */
export const administratorExpenseCategory = 'Gasto'
