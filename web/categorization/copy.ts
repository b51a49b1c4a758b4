export const categorizationCopy = {
  types: { deposit: 'Depósito', expense: 'Gasto' },
  bankCharges: 'Cobros del banco',
  noCategory: 'Sin categoría',
  otherCategories: (categories: number) => `Otras ${categories} categorías`,
  share: (part: number) => (part < 0.01 ? '<1%' : `${Math.round(part * 100)}%`),
} as const
