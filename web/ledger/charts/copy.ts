export const chartsCopy = {
  hidden: 'Cifras ocultas',
  untilDay: 'Hasta el día',
  day: 'Día',
  budget: 'Presupuesto',
  spentByDay: (month: string, before: string) => `Gastos acumulados por día, ${month} y ${before}`,
  dayValue: (day: number, parts: readonly string[]) => `${day}: ${parts.join(', ')}`,
  month: 'Mes',
  moneyIn: 'Entradas',
  moneyOut: 'Salidas',
  balanceAtEnd: 'Saldo al final',
  monthsTable: 'Entradas, salidas y saldo al final de cada mes',
  seeTransactions: 'Ver movimientos',
} as const
