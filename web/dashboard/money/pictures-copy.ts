/**
 * This file is separate from copy.ts, because these strings load with the charts and not with the page. The number of
 * remaining days includes today.
 */
export const picturesCopy = {
  left: (amount: string, days: number) =>
    `Te quedan ${amount} de tu presupuesto y ${days === 1 ? 'hoy termina el mes' : `${days} días`}`,
  byDay: (amount: string, day: number) => `Son ${amount} al día hasta el ${day}.`,
  reached: (days: number) =>
    days === 1
      ? 'Gastaste todo tu presupuesto y hoy termina el mes'
      : `Gastaste todo tu presupuesto y quedan ${days} días`,
  exceeded: (amount: string, days: number) =>
    days === 1
      ? `Te pasaste de tu presupuesto por ${amount} y hoy termina el mes`
      : `Te pasaste de tu presupuesto por ${amount} y quedan ${days} días`,
  spent: (amount: string) => `Llevas ${amount} este mes`,
  nothingSpent: 'Este mes no hay gastos todavía.',
  less: (amount: string, month: string) => `${amount} menos que en ${month} a esta fecha.`,
  more: (amount: string, month: string) => `${amount} más que en ${month} a esta fecha.`,
  same: (month: string) => `Lo mismo que en ${month} a esta fecha.`,
  firstMonth: 'El mes que viene lo verás junto a este.',
  months: 'Últimos seis meses',
  monthsSinceFirst: 'Desde tu primer movimiento',
  limitNear: 'Estás cerca del límite de este mes.',
  limitReached: 'Llegaste al límite de este mes.',
  limitExceeded: (excess: string) => `Te pasaste por ${excess}.`,
  spendingTitle: 'En qué se fue',
} as const
