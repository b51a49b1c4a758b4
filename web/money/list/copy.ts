import type { Origin } from '@finanzas/contract/wire/rows.ts'

/** Words for the origins that say more than who recorded the transaction. */
const origins: Readonly<Partial<Record<Origin, string>>> = {
  import: 'Importado de un archivo',
  recurring: 'Pago recurrente',
  batch: 'Lote del banco',
  transfer: 'Transferencia',
  return: 'Devolución',
  correction: 'Corrección del banco',
}

export const listCopy = {
  origins,
  cardTitle: 'Historial',
  summary: 'Resumen',
  balance: 'Saldo',
  moneyIn: 'Entradas',
  moneyOut: 'Salidas',
  none: 'Aún no tienes movimientos',
  empty: 'No se encontraron transacciones que coincidan con tus criterios.',
  listLabel: 'Transacciones',
  row: (parts: readonly string[]) => parts.filter(Boolean).join(', '),
  categorize: (category: string, parts: readonly string[]) =>
    `${category}: clasificar ${parts.filter(Boolean).join(', ')}`,
  remove: (parts: readonly string[]) => `Eliminar ${parts.filter(Boolean).join(', ')}`,
  details: {
    you: 'Tú',
    bank: 'El banco',
    origin: 'Origen',
    clerk: { deposit: 'Depósito del banco', expense: 'Gasto del banco' },
    declared: 'Lo que está entre comillas «» lo escribieron los clientes, y el banco no lo comprobó.',
  },
} as const
