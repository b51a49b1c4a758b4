/**
 * This file is separate from copy.ts, because these strings load with the charts and not with the page. The number of
 * remaining days includes today.
 */
export const picturesCopy = {
  left: (amount: string, days: number) =>
    days === 1 ? `Te quedan ${amount} y hoy termina el mes` : `Te quedan ${amount} y ${days} días`,
  reached: (days: number) =>
    days === 1 ? 'Llegaste al límite y hoy termina el mes' : `Llegaste al límite y quedan ${days} días`,
  exceeded: (amount: string, days: number) =>
    days === 1
      ? `Te pasaste por ${amount} y hoy termina el mes`
      : `Te pasaste por ${amount} y quedan ${days} días`,
  spent: (amount: string) => `Llevas ${amount} este mes`,
  nothingSpent: 'Este mes no hay gastos todavía.',
  less: (amount: string, month: string) => `${amount} menos que en ${month} a esta fecha.`,
  more: (amount: string, month: string) => `${amount} más que en ${month} a esta fecha.`,
  same: (month: string) => `Lo mismo que en ${month} a esta fecha.`,
  firstMonth: 'El mes que viene lo verás junto a este.',
  months: 'Últimos seis meses',
  spendingTitle: 'En qué se fue',
} as const
