export const navigationCopy = {
  pages: 'Tu dinero',
  transfers: 'Transferencias',
  overview: 'Resumen',
  budget: 'Presupuesto',
  recurring: 'Recurrentes',
  statements: 'Extractos',
  categories: 'Categorías',
} as const
