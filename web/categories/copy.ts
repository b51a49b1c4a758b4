export const categorizationCopy = {
  types: { deposit: 'Depósito', expense: 'Gasto' },
  bankCharges: 'Registrado por el banco',
  proposed: 'propuesta',
  noCategory: 'Sin categoría',
  otherCategories: (categories: number) => `Otras ${categories} categorías`,
  more: (amount: string) => `${amount} más que en el periodo anterior`,
  less: (amount: string) => `${amount} menos que en el periodo anterior`,
  same: 'Igual que en el periodo anterior',
  share: (part: number) => (part < 0.01 ? '<1%' : `${Math.round(part * 100)}%`),
} as const
