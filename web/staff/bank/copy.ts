import { adminCopy } from '#staff/copy.ts'

export const bankCopy = {
  ...adminCopy.debt,
  overdrawn: (money: string) => `${money} en saldos negativos`,
  balances: (money: string) => `${money} suman los saldos`,
  noted: (money: string) => `${money} en anotaciones de los clientes`,
  net: (money: string) => `${money} netos`,
  byDay: 'Últimos 30 días',
  byDayTable: 'La suma de todos los saldos al final de cada día en que cambió',
  columns: { day: 'Día', change: 'Cambio', total: 'Suma de los saldos' },
  unchanged: 'Los saldos no cambiaron en los últimos 30 días.',
  failed: 'No se pudo calcular.',
} as const
