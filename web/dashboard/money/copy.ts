export const moneyCopy = {
  title: 'Tu dinero',
  seeOverview: 'Ver resumen',
  empty: 'Con tu primer movimiento verás aquí cómo va tu mes.',
} as const
