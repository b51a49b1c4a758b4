import { plural } from '#ui/format/count.ts'

export const selectionCopy = {
  search: 'Buscar por descripción',
  category: 'Categoría',
  allCategories: 'Todas',
  deposits: 'Depósitos',
  severalCategories: (choices: number) => `${choices} categorías`,
  order: 'Ordenar por',
  orders: { date: 'Fecha', amount: 'Monto', description: 'Descripción' },
  clearFilters: 'Limpiar filtros',
  sumsOfAll: 'Todo el historial',
  sumsOfShown: 'De lo que ves',
  periods: { month: 'Este mes', lastMonth: 'Mes pasado', quarter: '3 meses', year: '12 meses' },
  suggestion: {
    question: (filters: string) => `¿Buscar ${filters}?`,
    text: (search: string) => `«${search}»`,
    movements: 'movimientos',
    exactly: (amount: string) => `de ${amount}`,
    atLeast: (amount: string) => `de ${amount} o más`,
    atMost: (amount: string) => `de ${amount} o menos`,
    within: (monthOrYear: string) => `en ${monthOrYear}`,
  },
  filters: {
    title: 'Filtrar movimientos',
    months: 'Mes',
    period: 'Periodo',
    from: 'Desde',
    to: 'Hasta',
    min: 'Monto mínimo',
    max: 'Monto máximo',
    categories: 'Categorías',
    apply: 'Mostrar movimientos',
    daysTurned: 'El último día no puede ser anterior al primero.',
    amountsTurned: 'El máximo no puede ser menor que el mínimo.',
  },
  printedOrder: (order: string) => `ordenadas por ${order.toLowerCase()}`,
  printedSearch: (search: string) => `que contienen «${search}»`,
  printedEverything: 'Todas las transacciones',
  printedCategories: (categories: readonly string[]) =>
    `${plural(categories.length, 'Categoría', 'Categorías')} ${categories.join(', ')}`,
  printedDays: (from: string, to: string) =>
    from === '' ? `hasta el ${to}` : to === '' ? `desde el ${from}` : `del ${from} al ${to}`,
  printedAmounts: (least: string, most: string) =>
    least === '' ? `hasta ${most}` : most === '' ? `desde ${least}` : `de ${least} a ${most}`,
} as const
