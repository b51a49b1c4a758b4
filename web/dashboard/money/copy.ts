export const moneyCopy = {
  title: 'Tu dinero',
  seeOverview: 'Ver resumen',
  empty: 'Con tu primer movimiento verás aquí cómo va tu mes.',
  begin: 'Registra un gasto',
  steps: {
    name: 'Dinos tu nombre',
    openProfile: 'Ir a tu perfil',
    transactions: 'Trae tus movimientos',
    importFile: 'Importar un archivo',
    budget: 'Fija tu presupuesto',
    setBudget: 'Fijar el límite del mes',
    done: 'Hecho',
  },
} as const
