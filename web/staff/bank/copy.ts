import { adminCopy } from '#staff/copy.ts'

export const bankCopy = {
  ...adminCopy.debt,
  overdrawn: (money: string) => `${money} en saldos negativos`,
  balances: (money: string) => `Los saldos que ven los clientes suman ${money}: `,
  noted: (money: string) => `sus anotaciones restan ${money} y no son dinero del banco.`,
  net: (money: string) => `${money} netos`,
  byDay: 'Últimos 30 días',
  byDayTable: 'Lo que el banco debe al final de cada día en que cambió',
  columns: { day: 'Día', in: 'Entró', out: 'Salió', owed: 'Lo que debe' },
  unchanged: 'No entró ni salió dinero en los últimos 30 días.',
  failed: 'No se pudo calcular.',
} as const
