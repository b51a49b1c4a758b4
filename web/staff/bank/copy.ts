import { adminCopy } from '#staff/copy.ts'

export const bankCopy = {
  ...adminCopy.debt,
  balances: (money: string) => `Los saldos que ven los clientes suman ${money}: `,
  overdrawn: (money: string) => `los saldos negativos en el banco restan ${money}, y `,
  overdrawnAlone: (money: string) => `los saldos negativos en el banco restan ${money}.`,
  noted: (money: string) => `sus anotaciones restan ${money} y no son dinero del banco.`,
  byDay: 'Últimos 30 días',
  byDayTable: 'Lo que el banco debe al final de cada día en que cambió',
  columns: { day: 'Día', in: 'Entró', out: 'Salió', owed: 'Lo que debe' },
  unchanged: 'No entró ni salió dinero en los últimos 30 días.',
  failed: 'No se pudo calcular.',
} as const
